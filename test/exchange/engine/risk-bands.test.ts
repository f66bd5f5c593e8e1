import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BandWatch } from '../../../src/exchange/engine/indexes/band-watch.ts';
import { type LinearRisk, quietBands } from '../../../src/exchange/engine/risk/account-risk.ts';

test('one market may use the whole surplus, in the adverse direction', () => {
  const long: LinearRisk = { surplus: 100n, terms: [{ marketId: 'A', mark: 1_000, slope: 10n }] };
  assert.deepEqual(quietBands([long])!.get('A'), { low: 991, high: Number.POSITIVE_INFINITY });
  const short: LinearRisk = { surplus: 100n, terms: [{ marketId: 'A', mark: 1_000, slope: -10n }] };
  assert.deepEqual(quietBands([short])!.get('A'), { low: Number.NEGATIVE_INFINITY, high: 1_009 });
  assert.deepEqual(quietBands([long, short])!.get('A'), { low: 991, high: 1_009 });
  assert.equal(quietBands([long, { ...short, surplus: 0n }]), null);
});

const marketIds = ['A', 'B', 'C'];
const terms = fc.tuple(...marketIds.map(() => fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n })));
const risks = fc.array(fc.record({ surplus: fc.bigInt({ min: 1n, max: 10n ** 15n }), slopes: terms }), {
  minLength: 1,
  maxLength: 4,
});
const marks = fc.tuple(...marketIds.map(() => fc.integer({ min: 1, max: 10 ** 8 })));
const fractions = fc.tuple(...marketIds.map(() => fc.double({ min: -1, max: 1, noNaN: true })));

test('while the marks stay inside their bands, no liquidation or breach happens', () => {
  fc.assert(
    fc.property(risks, marks, fractions, (drawn, present, wander) => {
      const all = drawn.map(({ surplus, slopes }) => ({
        surplus,
        terms: marketIds.map((marketId, at) => ({ marketId, mark: present[at]!, slope: slopes[at]! })),
      }));
      const bands = quietBands(all)!;
      const moved = marketIds.map((marketId, at) => {
        const band = bands.get(marketId)!;
        const mark = present[at]!;
        const bound = wander[at]! < 0 ? Math.max(band.low, mark - 10 ** 9) : Math.min(band.high, mark + 10 ** 9);
        return mark + Math.trunc(Math.abs(wander[at]!) * (bound - mark));
      });
      for (const risk of all) {
        const sum = risk.terms.reduce(
          (total, { slope, mark }, at) => total + slope * BigInt(moved[at]! - mark),
          risk.surplus,
        );
        assert.ok(sum > 0n);
      }
    }),
    { numRuns: process.env.PERP_LONG ? 3_000 : 100 },
  );
});

test('the watch notes exactly the accounts whose band a mark has left', () => {
  const band = fc.record({ low: fc.integer({ min: 0, max: 50 }), high: fc.integer({ min: 50, max: 100 }) });
  fc.assert(
    fc.property(
      fc.array(band, { maxLength: 20 }),
      fc.array(fc.nat(19)),
      fc.integer({ min: -5, max: 105 }),
      (all, gone, mark) => {
        const watch = new BandWatch();
        const kept = new Map(all.map((one, at) => [`acc_${at}`, one]));
        for (const [key, one] of kept) watch.setBands(key, new Map([['M', { low: 0, high: 0 + one.high }]]));
        for (const [key, one] of kept) watch.setBands(key, new Map([['M', one]]));
        for (const at of gone) {
          kept.delete(`acc_${at}`);
          watch.setBands(`acc_${at}`, new Map());
        }
        const expected = [...kept].filter(([, one]) => mark < one.low || mark > one.high).map(([key]) => key);
        watch.markMoved('M', mark);
        assert.deepEqual(watch.takeChanged(), expected.sort());
        const { low, high } = watch.quiet('M');
        assert.equal(expected.length > 0, mark < low || mark > high);
      },
    ),
    { numRuns: process.env.PERP_LONG ? 3_000 : 100 },
  );
});
