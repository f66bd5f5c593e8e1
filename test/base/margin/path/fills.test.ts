import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Holding } from '../../../../src/base/margin/holding.ts';
import { admittedLots, clippedLots, fillOrder } from '../../../../src/base/margin/path/fills.ts';
import type { PathState } from '../../../../src/base/margin/path/state.ts';
import type { PathAccount, PathOrder } from '../../../../src/base/margin/path/terms.ts';
import { account, dollars, exit, market, order, position, state } from './one-market.ts';

const holding = (held: Holding, orders: readonly PathOrder[] = [], more: Partial<PathAccount> = {}) =>
  state(account({ positions: new Map([['M', held]]), orders, ...more }));
const fill = (of: PathState, filled: PathOrder, lots = filled.size) => fillOrder(of, filled, lots, dollars(100 * lots));
const sizes = (of: PathState) => Object.fromEntries(of.orders.inMarket('M').map(({ id, size }) => [id, size]));

describe('lots that an order can fill', () => {
  it('are all of them, or for a reduction no more than what it reduces', () => {
    const long = holding(position('long', 6));
    const reduction = order('o', { side: 'sell', reduceOnly: true });
    assert.equal(clippedLots(long, order('o')), 10);
    assert.equal(clippedLots(long, reduction), 6);
    assert.equal(clippedLots(long, { ...reduction, size: 5 }), 5);
    assert.equal(clippedLots(long, { ...reduction, side: 'buy' }), 0);
    assert.equal(clippedLots(state(account()), reduction), 0);
    assert.equal(clippedLots(holding(position('short', 6)), { ...reduction, side: 'buy' }), 6);
  });

  it('are admitted while positions, their values and their margin stay within the limits', () => {
    const lots = (more: Partial<PathAccount>, held?: Holding, of = order('o'), count = 10) =>
      admittedLots(state(account({ ...more, ...(held && { positions: new Map([['M', held]]) }) })), of, count, 200);
    const long = position('long', 6);
    const sell = order('o', { side: 'sell' });
    assert.equal(lots({}), 10);
    // One lot more than an amount pays for, because a fill in parts stops no earlier.
    assert.equal(lots({ maxPositionValue: dollars(1_000) }), 10);
    assert.equal(lots({ maxPositionValue: dollars(500) }), 6);
    assert.equal(lots({ maxPositionValue: dollars(900) }, long), 4);
    assert.equal(lots({ maxPositionValue: dollars(600) }, long), 0);
    assert.equal(lots({ maxPositionValue: dollars(200) }, long, sell), 6 + 3);
    assert.equal(lots({ maxTotalNotional: dollars(900) }, long), 4);
    assert.equal(lots({ maxTotalNotional: dollars(200) }, long, sell), 6 + 3);
    assert.equal(lots({ maxTotalNotional: dollars(1_000) }, long, sell), 10);
    assert.equal(lots({ balance: dollars(100) }), 10);
    assert.equal(lots({ balance: dollars(50) }), 6);
    assert.equal(lots({ balance: dollars(100) }, long), 5);
    assert.equal(lots({ balance: dollars(60) }, long, sell, 12), 12, 'what closes releases its margin first');
    assert.equal(lots({ maxOpenPositions: 0 }), 0);
    assert.equal(lots({ maxOpenPositions: 1 }), 10);
    assert.equal(lots({ maxOpenPositions: 1 }, long), 10, 'a position that is open may grow');
    assert.equal(lots({ maxPositionValue: 0n }, long, sell, 6), 6, 'whatever only reduces');
    assert.equal(lots({ maxPositionValue: 0n }, long, sell, 7), 6, 'the one lot that turns it is new');
    assert.equal(lots({ maxPositionValue: 0n }, undefined, { ...sell, reduceOnly: true }), 10);
    assert.equal(lots({}, long, order('o', { leverage: 5 })), 0, 'no other leverage');
    assert.equal(lots({}, long, order('o', { marginMode: 'isolated' })), 0, 'no other margin mode');
    assert.equal(lots({}, long, { ...sell, leverage: 5 }), 10, 'what turns the position is new');
    const paying = new Map([['M', { ...market, feeBps: 1_000 }]]);
    assert.equal(lots({ balance: dollars(100), markets: paying }), 6, 'the fee is paid, too');
  });
});

describe('a fill', () => {
  it('opens, grows, reduces, closes and turns a position', () => {
    const after = (held: Holding | undefined, of: PathOrder) => {
      const path = held === undefined ? state(account()) : holding(held);
      fill(path, of);
      const { direction, size, cost } = path.positions.get('M') ?? {};
      return [direction, size, cost === undefined ? cost : Number(cost / 100_000_000n)];
    };
    const sell = order('o', { side: 'sell' });
    assert.deepEqual(after(undefined, order('o')), ['long', 10, 1_000]);
    assert.deepEqual(after(undefined, sell), ['short', 10, 1_000]);
    assert.deepEqual(after(position('long', 6), order('o')), ['long', 16, 1_600]);
    assert.deepEqual(after(position('long', 16), sell), ['long', 6, 600]);
    assert.deepEqual(after(position('long', 10), sell), [undefined, undefined, undefined]);
    assert.deepEqual(after(position('long', 6), sell), ['short', 4, 400]);
    assert.deepEqual(after(position('short', 6), order('o')), ['long', 4, 400]);
  });

  it('pays its fee on everything, and what a close brings is in the balance, which never falls below zero', () => {
    const markets = new Map([['M', { ...market, feeBps: 100 }]]);
    const path = holding(position('long', 4), [], { markets });
    fillOrder(path, order('o', { side: 'sell' }), 10, dollars(1_100));
    // 4 lots gain 10 each, and 1 % of 1,100 is 11.
    assert.equal(path.balance, dollars(100_000 + 40 - 11));
    const poor = holding(position('long', 10), [], { balance: dollars(5) });
    fillOrder(poor, order('o', { side: 'sell' }), 10, dollars(990));
    assert.equal(poor.balance, 0n);
  });

  it('of an isolated position takes a loss from its margin, and never more than that', () => {
    const after = (size: number, usd: number, extra = 0) => {
      const held = position('long', 10, { marginMode: 'isolated', isolatedMarginExtra: dollars(extra) });
      const path = holding(held);
      fillOrder(path, order('o', { side: 'sell', size, reduceOnly: true }), size, dollars(usd));
      return [path.balance - dollars(100_000), path.positions.get('M')?.isolatedMarginExtra];
    };
    // The margin is 100, and 50 for what is left of a half.
    assert.deepEqual(after(5, 490), [dollars(-10), 0n]);
    assert.deepEqual(after(5, 430), [dollars(-70), dollars(-20)]);
    assert.deepEqual(after(5, 430, 30), [dollars(-70), dollars(10)]);
    assert.deepEqual(after(5, 300, 30), [dollars(-130), dollars(-50)], 'the other 70 are not paid');
    assert.deepEqual(after(9, 900), [0n, 0n]);
    assert.deepEqual(after(10, 880), [dollars(-100), undefined]);
    assert.deepEqual(after(10, 1_100), [dollars(100), undefined]);
  });

  it('that turns an isolated position may use the margin that it frees', () => {
    const lots = (balance: number, more: Partial<Holding>, size = 16) => {
      const held = position('long', 6, { marginMode: 'isolated', ...more });
      const turning = order('o', { side: 'sell', size, marginMode: 'isolated' });
      return admittedLots(holding(held, [], { balance: dollars(balance) }), turning, size, 200);
    };
    assert.equal(lots(100, {}), 16);
    assert.equal(lots(50, {}), 6 + 6);
    assert.equal(lots(50, { isolatedMarginExtra: dollars(40) }), 6 + 6, 'it was a part of the balance');
    assert.equal(lots(50, { cost: dollars(660) }), 6 + 0, 'a loss of 60 is more than the balance');
    assert.equal(lots(100, { cost: dollars(800) }), 6 + 3, 'of a loss of 200 it pays its margin of 80');
  });

  it('opens a position with the terms of its order', () => {
    const path = state(account());
    fill(path, order('o', { leverage: 4, marginMode: 'isolated' }));
    assert.deepEqual(path.positions.get('M'), position('long', 10, { leverage: 4, marginMode: 'isolated' }));
  });

  it('leaves what has not filled of its order', () => {
    const [path, resting] = [state(account({ orders: [order('o')] })), order('o')];
    fill(path, resting, 4);
    assert.deepEqual(sizes(path), { o: 6 });
    fill(path, { ...resting, size: 6 });
    assert.deepEqual(sizes(path), {});
    assert.ok(path.filled.has('o'));
  });

  it('of one exit is taken from its sibling, which ends with it', () => {
    const stop = exit('sl', 'stop', 10, { siblingId: 'target' });
    const target = exit('tp', 'target', 10, { siblingId: 'stop' });
    const path = holding(position('long', 20), [stop, target]);
    fill(path, target, 4);
    assert.deepEqual(sizes(path), { stop: 6, target: 6 });
    fill(path, { ...target, size: 6 }, 6);
    assert.deepEqual(sizes(path), {});
  });

  it('that closes a position ends what would reduce it, and nothing else', () => {
    const others = [
      exit('sl', 'stop', 10),
      order('reduces', { side: 'sell', reduceOnly: true }),
      order('adds', { side: 'sell' }),
      order('covers', { reduceOnly: true }),
    ];
    const path = holding(position('long', 10), others);
    fill(path, order('o', { side: 'sell' }));
    assert.deepEqual(Object.keys(sizes(path)), ['adds', 'covers']);
    const short = holding(position('short', 10), others);
    fill(short, order('o'));
    assert.deepEqual(Object.keys(sizes(short)), ['stop', 'reduces', 'adds']);
  });

  it('that reduces a position shrinks its exits to what is left, the newest first', () => {
    const exits = [exit('sl', 'older', 6), exit('sl', 'newer', 4), exit('tp', 'target', 8)];
    const after = (size: number) => {
      const path = holding(position('long', 10), exits);
      fill(path, order('o', { side: 'sell', size }));
      return sizes(path);
    };
    assert.deepEqual(after(1), { older: 6, newer: 3, target: 8 });
    assert.deepEqual(after(4), { older: 6, target: 6 });
    assert.deepEqual(after(7), { older: 3, target: 3 });
  });

  it('of an exit leaves the others of its kind alone: they were for other lots', () => {
    const exits = [exit('tp', 'first', 5), exit('tp', 'second', 8), exit('sl', 'stop', 10)];
    const path = holding(position('long', 10), exits);
    fill(path, exits[0]!);
    assert.deepEqual(sizes(path), { second: 8, stop: 5 });
  });
});

describe('the legs of an entry', () => {
  const entry = order('o', { stopLoss: 190, takeProfit: 230 });
  const exits = (of: PathState) =>
    of.orders
      .inMarket('M')
      .map(({ id, side, size, trigger, siblingId }) => [id, side, size, trigger!.at, trigger!.above, siblingId]);

  it('are a pair of exits for the whole position, long or short', () => {
    const long = holding(position('long', 6));
    fill(long, entry);
    assert.deepEqual(exits(long), [
      ['o tp', 'sell', 16, 230, true, 'o sl'],
      ['o sl', 'sell', 16, 190, false, 'o tp'],
    ]);
    const short = state(account());
    fill(short, { ...entry, side: 'sell', stopLoss: 230, takeProfit: 190 });
    assert.deepEqual(exits(short), [
      ['o tp', 'buy', 10, 190, false, 'o sl'],
      ['o sl', 'buy', 10, 230, true, 'o tp'],
    ]);
    assert.ok(short.orders.inMarket('M').every(({ reduceOnly, limit }) => reduceOnly && limit === null));
  });

  it('come with an entry that opens or adds, even in part, not with one that only reduces', () => {
    const reduced = holding(position('long', 16));
    fill(reduced, { ...entry, side: 'sell' });
    assert.deepEqual(exits(reduced), []);
    const turned = holding(position('long', 6));
    fill(turned, { ...entry, side: 'sell' });
    assert.deepEqual(
      exits(turned).map(([id, side, size]) => [id, side, size]),
      [
        ['o tp', 'buy', 4],
        ['o sl', 'buy', 4],
      ],
    );
  });

  it('let the one exit of their kind grow with the position, and never shrink it', () => {
    const grown = (size: number) => {
      const path = holding(position('long', 6), [exit('sl', 'stop', size)]);
      fill(path, { ...entry, takeProfit: null });
      return exits(path);
    };
    assert.deepEqual(grown(6), [['stop', 'sell', 16, 180, false, null]]);
    assert.deepEqual(grown(20), [['stop', 'sell', 20, 180, false, null]]);
  });

  it('leave several exits of their kind alone', () => {
    const path = holding(position('long', 6), [exit('sl', 'one', 3), exit('sl', 'two', 3)]);
    fill(path, { ...entry, takeProfit: null });
    assert.deepEqual(sizes(path), { one: 3, two: 3 });
  });

  it('are alone where the position has the other kind', () => {
    const path = holding(position('long', 6), [exit('tp', 'target', 6)]);
    fill(path, entry);
    assert.deepEqual(exits(path), [
      ['target', 'sell', 16, 220, true, null],
      ['o sl', 'sell', 16, 190, false, null],
    ]);
  });

  it('replace exits of their kinds where the entry says so', () => {
    const path = holding(position('long', 6), [exit('sl', 'one', 3), exit('sl', 'two', 3), exit('tp', 'target', 6)]);
    fill(path, { ...entry, takeProfit: null, replacesExits: true });
    assert.deepEqual(exits(path), [
      ['target', 'sell', 6, 220, true, null],
      ['o sl', 'sell', 16, 190, false, null],
    ]);
  });

  it('leave the stop that the state says where it is unknown which of two stays', () => {
    const stopOf = (stopsSoon: boolean, at: number) => {
      const held = account({ positions: new Map([['M', position('long', 6)]]), orders: [exit('sl', 'stop', 6)] });
      const path = state(held, { stopsSoon });
      fill(path, { ...entry, takeProfit: null, stopLoss: at, replacesExits: null });
      return exits(path).map(([, , size, stop]) => [size, stop]);
    };
    assert.deepEqual(stopOf(true, 190), [[16, 190]]);
    assert.deepEqual(stopOf(true, 170), [[16, 180]]);
    assert.deepEqual(stopOf(false, 190), [[16, 180]]);
    assert.deepEqual(stopOf(false, 170), [[16, 170]]);
  });
});
