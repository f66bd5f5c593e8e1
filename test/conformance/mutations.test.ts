import { mutatedRequests } from './mutations.ts';

mutatedRequests(3_000);
