import { operations } from '../../src/wire/contract/operations.ts';
import { mutatedRequests } from './mutations.ts';

mutatedRequests(process.env.PERP_LONG ? 20_000 * Object.keys(operations).length : 8_000);
