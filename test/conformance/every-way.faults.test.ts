import { everyWay } from './every-way.ts';
import { conformance } from './suite.ts';

conformance('in process, served, as a host and through the gate', everyWay);
