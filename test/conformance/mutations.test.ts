import { mutatedRequests } from './mutations.ts';

mutatedRequests(600);
