import fc from 'fast-check';

/**
 * What random tests draw from: the same seed draws the same values. `npm test` loads this file into every process of
 * tests, and sets PERP_TEST_SEED.
 */
export const seed = Number(process.env.PERP_TEST_SEED ?? 1);

fc.configureGlobal({ seed });

const dayMs = 86_400_000;

/**
 * Where simulations of the command line begin: with seed 1 on a Wednesday afternoon, with others at any time of 2026,
 * every third of them in the last minute of a day.
 */
export const beginning = { seed, startTime: seed === 1 ? Date.UTC(2026, 5, 10, 14, 20) : drawnTime() };

function drawnTime(): number {
  const wanted = fc.record({ day: fc.nat(364), ofDay: fc.nat(dayMs - 1), lastMinute: fc.nat(59_999) });
  const { day, ofDay, lastMinute } = fc.sample(wanted, { seed, numRuns: 1 })[0]!;
  return Date.UTC(2026, 0, 1) + day * dayMs + (seed % 3 === 0 ? dayMs - 1 - lastMinute : ofDay);
}
