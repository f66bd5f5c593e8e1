import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LadderFrame, type LadderMarket, PriceLadder, steadyMs } from '../../../src/desk/ladder/price-ladder.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';

const acts = process.env.PERP_LONG === '1' ? 10_000 : 500;

/** A market with a book around a mid, in ticks of 0.1. */
function market(mid: number, changes: Partial<LadderMarket> = {}): LadderMarket {
  const level = (price: number, sz = '2') => ({ px: price.toFixed(1), sz });
  const of = [1, 2, 3, 4, 5];
  const book = {
    type: 'book' as const,
    provider: 'binance',
    symbol: 'BTCUSDT',
    time: 0,
    bids: of.map((at) => level(mid - at / 10)),
    asks: of.map((at) => level(mid + at / 10)),
  };
  return {
    marketId: 'binance|BTCUSDT',
    tick: 0.1,
    book,
    orders: [],
    ahead: new Map(),
    lines: [],
    prints: [],
    ...changes,
  };
}

function order(changes: Partial<Order>): Order {
  return { id: 'ord_1', market_id: 'binance|BTCUSDT', side: 'buy', size: 1, ...changes } as Order;
}

const prices = ({ rows }: LadderFrame) => rows.map(({ price }) => price);

test('rows are one tick apart around the mid, with bids, asks and trades at their prices', () => {
  const print = { type: 'trade' as const, provider: 'binance', symbol: 'BTCUSDT', tradeId: '1', time: 0 };
  const prints = [
    { ...print, side: 'buy' as const, price: '100.1', size: '3' },
    { ...print, side: 'sell' as const, price: '99.9', size: '4' },
  ];
  const frame = new PriceLadder().draw(market(100, { prints }), 5, 0)!;
  assert.deepEqual(
    frame.rows.map(({ price, bid, ask, bought, sold }) => [price, bid, ask, bought, sold]),
    [
      [100.2, 0, 2, 0, 0],
      [100.1, 0, 2, 3, 0],
      [100, 0, 0, 0, 0],
      [99.9, 2, 0, 0, 4],
      [99.8, 2, 0, 0, 0],
    ],
  );
  assert.deepEqual([frame.bestBid, frame.bestAsk, frame.step], [99.9, 100.1, 0.1]);
});

test('a coarser row holds the bids at or above its price and the asks at or below it', () => {
  const ladder = new PriceLadder();
  ladder.draw(market(100), 5, 0);
  ladder.regroup(1);
  ladder.regroup(1);
  const frame = ladder.draw(market(100), 3, 0)!;
  assert.deepEqual(
    frame.rows.map(({ price, bid, ask }) => [price, bid, ask]),
    [
      [100.5, 0, 10],
      [100, 0, 0],
      [99.5, 10, 0],
    ],
  );
});

test('own orders are at their limit, those that wait for a trigger at their trigger, and lines at their row', () => {
  const orders = [
    order({ id: 'bid', limit_price: 99.8 }),
    order({ id: 'stop', side: 'sell', trigger_price: 99.9 }),
    order({ id: 'fired', side: 'sell', trigger_price: 99, limit_price: 100.2, triggered_at: 1 }),
    order({ id: 'elsewhere', trigger_price: 100, trigger_market_id: 'binance|ETHUSDT' }),
  ];
  const frame = new PriceLadder().draw(market(100, { orders, lines: [{ name: 'entry', price: 100.04 }] }), 5, 0)!;
  assert.deepEqual(
    frame.rows.map(({ own }) => own.map(({ id }) => id).join()),
    ['fired', '', '', 'stop', 'bid'],
  );
  assert.deepEqual(frame.rows[2]!.lines, ['entry']);
});

test('the cursor stays at its price while the market moves, and is not usable off the screen', () => {
  const ladder = new PriceLadder();
  ladder.draw(market(100), 9, 0);
  ladder.moveCursor(1);
  assert.equal(ladder.priceAtCursor(), undefined, 'it has not been drawn yet');
  assert.equal(ladder.draw(market(100), 9, 0)!.cursor, 99.9, 'the first press shows it at the best bid');
  assert.equal(ladder.priceAtCursor(), 99.9);
  ladder.draw(market(100.1), 9, 1);
  assert.equal(ladder.priceAtCursor(), 99.9);
  const moved = ladder.draw(market(105), 9, 2)!;
  assert.equal(moved.cursor, undefined);
  assert.equal(ladder.priceAtCursor(), undefined);
  assert.equal(ladder.cursor, 99.9);
});

test('centered, the rows stay until the market leaves the middle half; free, they stay', () => {
  const ladder = new PriceLadder();
  const first = prices(ladder.draw(market(100), 9, 0)!);
  assert.deepEqual(prices(ladder.draw(market(100.2), 9, 1)!), first);
  assert.deepEqual(prices(ladder.draw(market(100.3), 9, 2)!)[4], 100.3);
  ladder.toggleCentered();
  const free = prices(ladder.draw(market(100.3), 9, 3)!);
  assert.deepEqual(prices(ladder.draw(market(110), 9, 4)!), free);
  ladder.toggleCentered();
  assert.equal(prices(ladder.draw(market(110), 9, 5)!)[4], 110);
});

test('a cursor that leaves the screen takes the ladder with it', () => {
  const ladder = new PriceLadder();
  ladder.draw(market(100), 5, 0);
  ladder.moveCursor(0);
  ladder.moveCursor(-20);
  const frame = ladder.draw(market(100), 5, 1)!;
  assert.equal(frame.cursor, 97.9);
  assert.equal(ladder.isCentered, false);
});

test('a row has a price only once it has had it for half a second', () => {
  const ladder = new PriceLadder();
  ladder.draw(market(100), 5, 1_000);
  assert.equal(ladder.priceAtRow(0, 1_000 + steadyMs - 1), undefined);
  assert.equal(ladder.priceAtRow(0, 1_000 + steadyMs), 100.2);
  assert.equal(ladder.priceAtRow(5, 9_000), undefined);
  ladder.draw(market(105), 5, 9_000);
  assert.equal(ladder.priceAtRow(0, 9_100), undefined);
});

test('another market, or no book, leaves nothing to act at', () => {
  const ladder = new PriceLadder();
  ladder.draw(market(100), 5, 0);
  ladder.moveCursor(0);
  ladder.draw(market(100), 5, 0);
  ladder.moving = 'ord_1';
  ladder.draw(market(100, { marketId: 'binance|ETHUSDT' }), 5, 1);
  assert.deepEqual([ladder.priceAtCursor(), ladder.moving], [undefined, undefined]);
  assert.equal(ladder.draw(market(100, { marketId: 'binance|ETHUSDT', book: undefined }), 5, 2), undefined);
  assert.equal(ladder.priceAtRow(0, 9_999), undefined);
});

test('grouping keeps the cursor on a row, and the price of every row on the grid', () => {
  const ladder = new PriceLadder();
  ladder.draw(market(100), 9, 0);
  ladder.moveCursor(0);
  for (const [way, grouping, cursor] of [
    [1, 2, 100],
    [1, 5, 100],
    [1, 10, 100],
    [1, 10, 100],
    [-1, 5, 100],
  ] as const) {
    ladder.regroup(way);
    const frame = ladder.draw(market(100), 9, 0)!;
    assert.deepEqual([ladder.grouping, frame.cursor], [grouping, cursor]);
    for (const { price } of frame.rows) assert.ok(Number.isInteger(Number((price * 10).toPrecision(12))));
  }
});

test('whatever the grouping, up to 1% a row, depth and trades add up to those of the book and the tape', () => {
  const levels = fc.array(fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 9_999 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(levels, levels, levels, fc.nat(12), (bids, asks, trades, zoom) => {
      const mid = 50_000;
      const level =
        (way: 1 | -1) =>
        ([ticks, size]: readonly [number, number]) => ({
          px: (mid + way * ticks * 0.1).toFixed(1),
          sz: String(size / 1000),
        });
      const book = {
        ...market(mid).book!,
        bids: [[1, 1] as const, ...bids].map(level(-1)),
        asks: [[1, 1] as const, ...asks].map(level(1)),
      };
      const prints = trades
        .map(([ticks, size], at) => ({ ...level(at % 2 ? 1 : -1)([ticks, size]), at }))
        .map(({ px, sz, at }) => ({
          ...{ type: 'trade' as const, provider: 'binance', symbol: 'BTCUSDT', tradeId: `${at}`, time: 0 },
          ...{ side: at % 2 ? ('buy' as const) : ('sell' as const), price: px, size: sz },
        }));
      const ladder = new PriceLadder();
      const shown = market(mid, { book, prints });
      ladder.draw(shown, 5, 0);
      for (let step = 0; step < zoom; step++) ladder.regroup(1);
      const { rows, step } = ladder.draw(shown, 6_100, 0)!;
      assert.ok(step <= mid / 100);
      const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
      const isNear = (one: number, other: number) =>
        assert.ok(Math.abs(one - other) < 1e-6, `${one} and ${other} at ${step}`);
      isNear(sum(rows.map(({ bid }) => bid)), sum(book.bids.map(({ sz }) => Number(sz))));
      isNear(sum(rows.map(({ ask }) => ask)), sum(book.asks.map(({ sz }) => Number(sz))));
      isNear(
        sum(rows.map(({ bought }) => bought)),
        sum(prints.filter(({ side }) => side === 'buy').map(({ size }) => Number(size))),
      );
      isNear(
        sum(rows.map(({ sold }) => sold)),
        sum(prints.filter(({ side }) => side === 'sell').map(({ size }) => Number(size))),
      );
    }),
    { numRuns: 40 },
  );
});

test('auto has the lines of the position and the own orders in sight, with the finest rows that do', () => {
  const ladder = new PriceLadder();
  const lines = [
    { name: 'entry', price: 50_100 },
    { name: 'stop', price: 49_500 },
    { name: 'target', price: 52_000 },
    { name: 'liq', price: 1_000 },
  ];
  const shown = market(50_000, { lines, orders: [order({ limit_price: 49_000 })] });
  ladder.draw(shown, 30, 0);
  ladder.toggleAuto();
  const frame = ladder.draw(shown, 30, 0)!;
  assert.deepEqual(frame.rows.flatMap(({ lines: names }) => names).sort(), ['entry', 'stop', 'target']);
  assert.ok(frame.rows.some(({ own }) => own.length === 1));
  assert.equal(ladder.isAuto, true);
  const distant = market(46_827, { orders: [order({ limit_price: 44_720 })] });
  assert.ok(
    ladder.draw(distant, 32, 0)!.rows.some(({ own }) => own.length === 1),
    'also what only the coarsest rows show',
  );
  ladder.draw(shown, 30, 0);
  ladder.regroup(-1);
  ladder.regroup(-1);
  assert.ok(!ladder.draw(shown, 30, 0)!.rows.some(({ lines: names }) => names.includes('target')));
  assert.equal(ladder.isAuto, false);
});

/** One thing that happens: the market moves, the screen is drawn, a key or a button is pressed. */
const happening = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('market' as const), by: fc.integer({ min: -60, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('draw' as const), height: fc.integer({ min: 3, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cursor' as const), by: fc.integer({ min: -12, max: 12 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('group' as const), by: fc.constantFrom(1 as const, -1 as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('toggle' as const, 'center' as const), by: fc.constant(0) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('act' as const), by: fc.constant(0) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('click' as const), by: fc.nat(40) }) },
);

test(`${acts} acts with the market moving under the cursor: each has the price on the screen, or there is none`, () => {
  let [acted, none] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(happening, { minLength: 40, maxLength: 40 }),
      fc.array(fc.nat(400), { minLength: 40, maxLength: 40 }),
      (script, waits) => {
        const ladder = new PriceLadder();
        /** Every frame that was on the screen, and when. */
        const screens: { at: number; frame: LadderFrame | undefined }[] = [];
        let [mid, now] = [100, 0];
        for (const [at, one] of script.entries()) {
          now += waits[at]!;
          if (one.kind === 'market') mid = Math.max(5, Number((mid + one.by / 10).toFixed(1)));
          else if (one.kind === 'draw')
            screens.push({ at: now, frame: structuredClone(ladder.draw(market(mid), one.height, now)) });
          else if (one.kind === 'cursor') ladder.moveCursor(one.by);
          else if (one.kind === 'group') ladder.regroup(one.by);
          else if (one.kind === 'toggle') ladder.toggleCentered();
          else if (one.kind === 'center') ladder.center();
          else {
            const screen = screens.at(-1)?.frame;
            const price = one.kind === 'act' ? ladder.priceAtCursor() : ladder.priceAtRow(one.by, now);
            if (price === undefined) none++;
            else {
              acted++;
              const shown = one.kind === 'act' ? screen!.cursor : screen!.rows[one.by]!.price;
              assert.equal(price, shown);
              if (one.kind === 'act') continue;
              const seen = screens.filter((_, index) => (screens[index + 1]?.at ?? now) > now - steadyMs);
              for (const { frame } of seen) assert.equal(frame!.rows[one.by]?.price, price);
            }
          }
        }
      },
    ),
    { numRuns: acts },
  );
  assert.ok(acted >= acts, `${acted} acts`);
  assert.ok(none > acts / 10, `${none} of none`);
});

test('a free ladder is centered again when another run of the simulation begins, but not when only the book was missing', () => {
  const ladder = new PriceLadder();
  const draw = (mid: number, run: string, changes: Partial<LadderMarket> = {}) =>
    ladder.draw(market(mid, { run, ...changes }), 5, 0);
  draw(100, 'one');
  ladder.toggleCentered();
  draw(100, 'one', { book: undefined });
  assert.equal(draw(200, 'one')!.rows[2]!.price, 100);
  draw(200, 'two', { book: undefined });
  assert.equal(draw(200, 'two')!.rows[2]!.price, 200);
  assert.equal(ladder.isCentered, true);
});
