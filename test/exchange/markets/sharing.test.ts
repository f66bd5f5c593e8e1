import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sharing } from '../../../src/exchange/markets/synthetic/sharing.ts';

const weights = [2, 2, 2];
const prints = [1, 1, 2];
/** The lowest, the natural and the highest price of each part. */
const ranges = [
  [2, 3, 4],
  [17, 22, 27],
  [16, 24, 32],
] as const;
const all = 28;

// The mean price is close to the lowest that the parts can have together, then close to the highest.
for (const turnover of [125, 850])
  test(`${all} lots with a turnover of ${turnover} are shared so that each part has a mean price in its range`, () => {
    const sharing = new Sharing(weights.length);
    const { bottoms, tops, lots, turnovers } = sharing;
    sharing.lotWeights.set(weights);
    sharing.prints.set(prints);
    bottoms.set(ranges.map(([low]) => low));
    sharing.prices.set(ranges.map(([, natural]) => natural));
    tops.set(ranges.map(([, , high]) => high));
    sharing.shareLots(all, turnover, 0, 1, 0.02);
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    assert.deepEqual([sum(lots), sum(turnovers)], [all, turnover]);
    for (const at of ranges.keys()) {
      const [least, most] = [lots[at]! * bottoms[at]!, lots[at]! * tops[at]!];
      assert.ok(
        least <= turnovers[at]! && turnovers[at]! <= most,
        `part ${at}: ${turnovers[at]} of ${least} to ${most}`,
      );
    }
  });
