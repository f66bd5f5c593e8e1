import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fittingSize } from '../../../src/desk/preview/largest-size.ts';

type Level = readonly [price: number, lots: number];

/** What so many lots cost, taken from a book. */
function costOf(book: readonly Level[], lots: number): number {
  let [left, cost] = [lots, 0];
  for (const [price, size] of book) {
    cost += price * Math.min(left, size);
    left = Math.max(0, left - size);
  }
  return cost;
}

const decimals = 2;

/** The largest size that loses at most the budget at a stop of 90, and how many sizes were tried. */
async function found(book: readonly Level[], budget: number) {
  const depth = book.reduce((sum, [, lots]) => sum + lots, 0);
  const lossOf = (lots: number) => costOf(book, lots) - lots * 90;
  let tries = 0;
  const trial = async (size: number) => {
    tries += 1;
    const lots = Math.round(size * 10 ** decimals);
    return lots > depth ? undefined : { size, lots };
  };
  const fitting = await fittingSize(
    trial,
    {
      fits: ({ lots }) => lossOf(lots) <= budget,
      largest: ({ lots }) => Math.floor((budget * lots) / lossOf(lots)) / 10 ** decimals,
    },
    decimals,
  );
  let most = 0;
  while (most < depth && lossOf(most + 1) <= budget) most += 1;
  return { ...fitting, tries, most, depth };
}

test('the largest size is exact, whatever steps the book has: one more lot does not fit, or is not filled', async () => {
  const step = fc.tuple(fc.oneof(fc.double({ min: 0.01, max: 0.3, noNaN: true }), fc.constant(20)), fc.nat(400));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.double({ min: 0, max: 1.2 }),
      async (steps, share) => {
        let price = 100;
        const book = steps.map(([apart, lots]): Level => {
          price += apart;
          return [price, lots + 1];
        });
        const all = book.reduce((sum, [, lots]) => sum + lots, 0);
        const { order, most, depth, over, tries } = await found(book, share * (costOf(book, all) - all * 90));
        assert.equal(order?.lots ?? 0, most);
        assert.equal(over?.lots, most === depth && most > 0 ? undefined : most + 1);
        assert.ok(tries <= 30, `${tries} sizes were tried`);
      },
    ),
  );
});

test('a size that the book fills whole at one price takes three quotes; one that the book ends takes few', async () => {
  const flat = await found([[100, 1_000_000]], 12_345);
  assert.deepEqual([flat.order?.lots, flat.tries, flat.over?.lots], [1234, 3, 1235]);
  const short = await found([[100, 777]], 1e9);
  assert.deepEqual([short.order?.lots, short.over], [777, undefined]);
  assert.ok(short.tries <= 35, `${short.tries} sizes were tried`);
});
