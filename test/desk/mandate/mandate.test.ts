import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AtStake, judge, type Mandate, type Proposed, type Term } from '../../../src/desk/mandate/mandate.ts';

const mandate: Mandate = {
  accounts: ['acc_1'],
  markets: ['binance|BTCUSDT'],
  sides: ['buy', 'sell'],
  largestOrderUsd: 1_000,
  largestPositionUsd: 2_000,
  lossPerDayUsd: 100,
  ordersPerMinute: 3,
  until: 900_000,
};
const flat: AtStake = { position: 0, waiting: { buy: 0, sell: 0 }, lostUsd: 0, sentAt: [] };
const buy: Proposed = {
  account: 'acc_1',
  market: 'binance|BTCUSDT',
  side: 'buy',
  size: 10,
  price: 100,
  reduces: false,
};

/** The term that refuses; undefined if the order is allowed. */
function refusing(
  order: Partial<Proposed> = {},
  stake: Partial<AtStake> = {},
  now = 0,
  terms: Partial<Mandate> = {},
): Term | undefined {
  const verdict = judge({ ...mandate, ...terms }, { ...flat, ...stake }, { ...buy, ...order }, now);
  return verdict.isAllowed ? undefined : verdict.term;
}

test('an order is allowed up to each term of its mandate, and refused beyond it', () => {
  const cases: [expected: Term | undefined, actual: Term | undefined][] = [
    [undefined, refusing()],
    ['largestOrderUsd', refusing({ size: 10.01 })],
    [undefined, refusing({}, { position: 10 })],
    ['largestPositionUsd', refusing({}, { position: 10.01 })],
    ['largestPositionUsd', refusing({}, { position: 5, waiting: { buy: 6, sell: 0 } })],
    [undefined, refusing({ side: 'sell' }, { position: 15 })],
    ['largestPositionUsd', refusing({ side: 'sell' }, { position: -5, waiting: { buy: 0, sell: 6 } })],
    [undefined, refusing({}, { lostUsd: 99.99 })],
    ['lossPerDayUsd', refusing({}, { lostUsd: 100 })],
    ['accounts', refusing({ account: 'acc_2' })],
    ['markets', refusing({ market: 'binance|ETHUSDT' })],
    ['sides', refusing({}, {}, 0, { sides: ['sell'] })],
    [undefined, refusing({}, { sentAt: [40_001, 40_001] }, 100_000)],
    [undefined, refusing({}, { sentAt: [40_000, 40_001, 40_001] }, 100_000)],
    ['ordersPerMinute', refusing({}, { sentAt: [40_001, 40_001, 40_001] }, 100_000)],
    [undefined, refusing({}, {}, 899_999)],
    ['until', refusing({}, {}, 900_000)],
  ];
  for (const [at, [expected, actual]] of cases.entries()) assert.equal(actual, expected, `case ${at}`);
});

test('what only reduces may exceed sizes, sides and losses, but not accounts, markets, orders a minute or time', () => {
  const reduces = { reduces: true, size: 99, side: 'sell' } as const;
  assert.equal(refusing(reduces, { lostUsd: 1_000, position: undefined }, 0, { sides: ['buy'] }), undefined);
  assert.equal(refusing({ ...reduces, account: 'acc_2' }), 'accounts');
  assert.equal(refusing({ ...reduces, market: '' }), 'markets');
  assert.equal(refusing(reduces, { sentAt: [0, 0, 0] }), 'ordersPerMinute');
  assert.equal(refusing(reduces, {}, 900_000), 'until');
});

test('what is not known allows nothing that adds', () => {
  assert.equal(refusing({}, { position: undefined }), 'largestPositionUsd');
  assert.equal(refusing({}, { waiting: undefined }), 'largestPositionUsd');
  assert.equal(refusing({}, { lostUsd: undefined }), 'lossPerDayUsd');
  for (const none of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY]) {
    assert.equal(refusing({ size: none }), 'largestOrderUsd');
    assert.equal(refusing({ price: none }), 'largestOrderUsd');
  }
  assert.equal(refusing({}, {}, Number.NaN), 'until');
});

test('a refusal says which term it was', () => {
  const verdict = judge(mandate, flat, { ...buy, size: 11 }, 0);
  assert.deepEqual(verdict, {
    isAllowed: false,
    term: 'largestOrderUsd',
    why: 'The largest order agreed is 1,000.00 USD.',
  });
});

const some = fc.double({ min: 0, max: 3_000 });
const drawn = fc.record({
  mandate: fc.record({
    accounts: fc.subarray(['a', 'b']),
    markets: fc.subarray(['m', 'n']),
    sides: fc.subarray(['buy', 'sell'] as const),
    largestOrderUsd: some,
    largestPositionUsd: some,
    lossPerDayUsd: fc.double({ min: -10, max: 100 }),
    ordersPerMinute: fc.nat(4),
    until: fc.nat(200_000),
  }),
  stake: fc.record({
    position: fc.option(fc.double({ min: -30, max: 30 }), { nil: undefined }),
    waiting: fc.option(fc.record({ buy: fc.nat(10), sell: fc.nat(10) }), { nil: undefined }),
    lostUsd: fc.option(fc.double({ min: -200, max: 200 }), { nil: undefined }),
    sentAt: fc.array(fc.nat(200_000), { maxLength: 6 }),
  }),
  order: fc.record({
    account: fc.constantFrom('a', 'b'),
    market: fc.constantFrom('m', 'n'),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.double({ min: -1, max: 30 }),
    price: fc.double({ min: -1, max: 120 }),
    reduces: fc.boolean(),
  }),
  now: fc.nat(200_000),
});

test('nothing beyond a mandate is ever allowed, and an allowed order is still allowed by a wider mandate', () => {
  fc.assert(
    fc.property(drawn, ({ mandate: own, stake, order, now }) => {
      if (!judge(own, stake, order, now).isAllowed) return;
      const { side, size, price } = order;
      assert.ok(now < own.until && own.accounts.includes(order.account) && own.markets.includes(order.market));
      assert.ok(stake.sentAt.filter((at) => at > now - 60_000).length < own.ordersPerMinute);
      assert.ok(size > 0 && price > 0);
      if (!order.reduces) {
        const long = side === 'buy' ? stake.position! : -stake.position!;
        assert.ok(own.sides.includes(side) && stake.lostUsd! < own.lossPerDayUsd);
        assert.ok(size * price <= own.largestOrderUsd);
        assert.ok((long + stake.waiting![side] + size) * price <= own.largestPositionUsd);
      }
      const wider = { ...own, largestOrderUsd: own.largestOrderUsd * 2, ordersPerMinute: own.ordersPerMinute + 1 };
      assert.ok(judge(wider, stake, order, now).isAllowed);
    }),
    { numRuns: 500 },
  );
});
