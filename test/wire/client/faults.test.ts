import { brokenConnections } from './broken-connections.ts';

brokenConnections(6);
