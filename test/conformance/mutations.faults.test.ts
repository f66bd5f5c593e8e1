import { everywhere, inProcess, mutatedRequests } from './mutations.ts';

mutatedRequests(inProcess, process.env.PERP_LONG ? 20_000 : 150);
if (process.env.PERP_LONG) mutatedRequests(everywhere, 200);
