import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lotsOfTargets, parseExitPlan, sumOf } from '../../../src/desk/values/exit-plans.ts';

const parse = (text: string) => parseExitPlan(text, 'PLAN');

test('a plan is targets, then what moves the stop', () => {
  const plan = parse('1/3@1R 25%@105000 be rest trail 1%');
  assert.deepEqual(
    plan.targets.map(({ share, price }) => [share, typeof price === 'number' ? price : price.move]),
    [
      [
        { part: 1, of: 3 },
        { amount: 1, unit: 'R', isUnsigned: true },
      ],
      [{ part: 25, of: 100 }, 105_000],
    ],
  );
  assert.deepEqual([plan.breakEven, plan.trail], [true, { unit: 'percent', amount: 1 }]);
  assert.equal(plan.text, '1/3@1R 25%@105000 be rest trail 1%');
  assert.deepEqual(parse('rest trail 200').trail, { unit: 'absolute', amount: 200 });
  assert.equal(parse('  50%@1R\nREST@3R ').text, '50%@1R rest@3R');
});

test('an error names the part that is wrong', () => {
  for (const [text, error] of [
    ['', /PLAN has no target and no trail/],
    ['be', /PLAN has no target/],
    ['1/3', /Part 1 of PLAN is "1\/3", not a target/],
    ['1/3@1R 0/2@2R', /The share in part 2 of plan is "0\/2"/],
    ['3/2@1R', /The share in part 1 of plan is "3\/2"/],
    ['half@1R', /The share in part 1 of plan is "half", not a share/],
    ['1/3@1R 1/3@2X', /The price in part 2 of plan is "2X"/],
    ['1/3@-', /The price in part 1/],
    ['2/3@1R 1/2@2R', /The shares of PLAN exceed the position/],
    ['1/2@1R 50%@2R rest@3R', /leave no rest/],
    ['100%@1R rest trail 1%', /leave no rest/],
    ['rest@1R 1/3@2R', /a target after rest/],
    ['1/3@1R rest@2R rest trail 1%', /two parts for the rest/],
    ['rest trail', /The trail of PLAN is missing/],
    ['rest trail 0%', /The trail of PLAN is 0/],
    ['rest trail 100%', /must be below 100%/],
    ['rest trail 1% 1/3@1R', /Part 4 of PLAN is "1\/3@1R", but the trail must come last/],
    ['1/3@1R be be', /Part 3 of PLAN repeats be/],
    [Array(11).fill('1%@1R').join(' '), /11 targets/],
  ] as const)
    assert.throws(() => parse(text), error, text);
});

const share = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 40 })).map(([part, of]) => `${part}/${of}`),
  fc.integer({ min: 1, max: 1_000_000 }).map((parts) => `${parts / 1e4}%`),
  fc.constant('rest'),
);
const price = fc.oneof(
  fc.integer({ min: 1, max: 99 }).map((tenths) => `${tenths / 10}R`),
  fc.integer({ min: 1, max: 9_999 }).map((cents) => `${cents / 100}%`),
  fc.constantFrom('105000', 'entry+150', 'mark+1%', '+200'),
);
const trail = fc.constantFrom('', ' rest trail 1%', ' rest trail 0.25%', ' rest trail 200');
const plan = fc
  .tuple(
    fc.array(
      fc.tuple(share, price).map((parts) => parts.join('@')),
      { maxLength: 4 },
    ),
    fc.boolean(),
    trail,
  )
  .map(([targets, isBe, last]) => `${targets.join(' ')}${isBe ? ' be' : ''}${last}`);
const accepted = plan.filter((text) => {
  try {
    return parse(text) !== undefined;
  } catch {
    return false;
  }
});

test('whatever plan is accepted types back as the same plan', () => {
  fc.assert(
    fc.property(accepted, (text) => {
      const { text: usual, ...own } = parse(text);
      const { text: again, ...same } = parse(usual);
      assert.equal(again, usual);
      assert.deepEqual(JSON.parse(JSON.stringify(same)), JSON.parse(JSON.stringify(own)));
    }),
  );
});

test('targets are whole lots, together never more than the position, and all of it if the plan says so', () => {
  fc.assert(
    fc.property(accepted, fc.integer({ min: 0, max: 2 ** 50 }), (text, lots) => {
      const { targets } = parse(text);
      const own = lotsOfTargets(targets, lots);
      const total = own.reduce((sum, one) => sum + one, 0);
      assert.ok(own.every((one) => Number.isSafeInteger(one) && one >= 0));
      assert.ok(total <= lots);
      const [part, of] = sumOf(targets.flatMap((target) => target.share ?? []));
      const isWhole = targets.length > 0 && (targets.at(-1)!.share === undefined || part === of);
      if (isWhole) assert.equal(total, lots);
      else assert.ok(lots - total <= lots * (1 - Number(part) / Number(of)) + targets.length + 1);
    }),
  );
});

test('text of any kind is accepted or refused with a sentence, and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (text) => {
      try {
        parse(text);
      } catch (error) {
        assert.equal((error as Error).name, 'Failure');
      }
    }),
  );
});
