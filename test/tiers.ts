import { test as registered } from 'node:test';

/**
 * Tests of a file of the quick tier. A {@link trial} takes about a second or starts processes: it stands beside the
 * tests that it belongs with, and runs in the fault tier, where the others of its file do not run again. `npm test --
 * FILE` runs both.
 */
const tier = process.env.PERP_TEST_TIER;
const never = (() => Promise.resolve()) as unknown as typeof registered;

export const test = tier === 'faults' ? never : registered;
export const it = tier === 'faults' ? never : registered;
export const trial = tier === 'quick' ? never : registered;
