import { mutatedRequests } from './mutations.ts';

mutatedRequests(400);
