import { mutatedRequests } from './mutations.ts';

mutatedRequests(100);
