import fc from 'fast-check';

/**
 * What random tests draw from: the same seed draws the same values. `npm test` loads this file into every process of
 * tests, and sets PERP_TEST_SEED.
 */
export const seed = Number(process.env.PERP_TEST_SEED ?? 1);

fc.configureGlobal({ seed });
