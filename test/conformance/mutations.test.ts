import { mutatedRequests } from './mutations.ts';

mutatedRequests(1_200);
