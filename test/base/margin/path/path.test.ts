import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Path, walkPath } from '../../../../src/base/margin/path/path.ts';
import type { PathAccount, PathMarket, PathOrder } from '../../../../src/base/margin/path/terms.ts';
import { account, dollars, exit, market, order, position } from './one-market.ts';

const long = position('long', 10);
const falling = new Map([['M', -1]]);
const rising = new Map([['M', 1]]);

/** The path of an account that holds 10 lots, half dollar by half dollar, to half of the mark at most. */
function fall(more: Partial<PathAccount> = {}, changed: Partial<PathMarket> = {}, pace = falling): Path {
  const markets = new Map([
    ['M', { ...market, ...changed }],
    ['N', market],
  ]);
  return walkPath(account({ positions: new Map([['M', long]]), markets, ...more }), pace, 100);
}

const usd = (money: bigint) => Number(money) / 1e8;
const stop = exit('sl', 'stop', 10, { trigger: { marketId: 'M', at: 190, above: false } });
const lowest = (orders: readonly PathOrder[], changed: Partial<PathMarket> = {}) =>
  usd(fall({ orders }, changed).lowest) - 100_000;

describe('a path ends', () => {
  it('at the first distance at which equity is at or below its floor', () => {
    assert.deepEqual(fall({ floor: dollars(99_900) }).end, { by: 'floor', distance: 20 });
    assert.deepEqual(fall({ floor: dollars(99_900) + 1n }).end, { by: 'floor', distance: 20 });
    assert.deepEqual(fall({ floor: dollars(99_900) - 1n }).end, { by: 'floor', distance: 21 });
    assert.deepEqual(fall({ floor: dollars(100_000) }).end, { by: 'floor', distance: 0 });
    assert.deepEqual(fall({ floor: dollars(99_500) }).end, { by: 'floor', distance: 100 });
    assert.equal(fall({ floor: dollars(99_500) - 1n }).end, null);
    assert.equal(fall({ floor: dollars(99_900) }, {}, rising).end, null);
    assert.equal(fall({ floor: dollars(99_900) }, {}, new Map([['N', -1]])).end, null);
  });

  it('where cross positions are liquidated together, if that is sooner', () => {
    // 100 - 5 d <= 0.5 % of 10 x (100 - d / 2) from d = 19.1 on.
    assert.deepEqual(fall({ balance: dollars(100) }).end, { by: 'liquidation', distance: 20 });
    assert.deepEqual(fall({ balance: dollars(100), floor: dollars(10) }).end, { by: 'floor', distance: 18 });
    assert.equal(fall({ balance: dollars(100), maintenanceRatioBps: null }).end, null);
    assert.equal(fall({ balance: dollars(100), positions: new Map() }).end, null);
  });

  it('not where an isolated position is liquidated alone, with the orders of its market', () => {
    const positions = new Map([['M', position('long', 10, { marginMode: 'isolated' })]]);
    const orders = [order('dip', { limit: 170 }), order('other', { marketId: 'N', limit: 170 })];
    const path = fall({ positions, orders, floor: dollars(99_899) });
    assert.deepEqual([path.end, path.liquidated, path.filled], [null, new Map([['M', 20]]), new Set()]);
    assert.equal(usd(path.lowest), 99_900);
    assert.deepEqual(fall({ positions, floor: dollars(99_900) }).end, { by: 'floor', distance: 20 });
    const kept = new Map([['M', position('long', 10, { marginMode: 'isolated', isolatedMarginExtra: dollars(50) })]]);
    // 150 - 5 d <= 0.5 % of the value from d = 29.1 on. The rest of the margin comes back, without the fee.
    const later = fall({ positions: kept, liquidationFeeBps: 100 }, { feeBps: 0 });
    assert.deepEqual(later.liquidated, new Map([['M', 30]]));
    assert.equal(usd(later.lowest), 99_850);
  });

  it('not where an isolated short is liquidated: it buys at what its book asks', () => {
    const positions = new Map([
      ['M', position('short', 10, { marginMode: 'isolated', isolatedMarginExtra: dollars(50) })],
    ]);
    const seen = { lots: 10, worst: 1, average: 1 };
    // 150 - 5 d <= 0.5 % of 10 x (100 + d / 2) from d = 28.9 on; it buys half a dollar above that.
    const path = fall({ positions }, { depth: { buy: seen, sell: null } }, rising);
    assert.deepEqual([path.end, path.liquidated], [null, new Map([['M', 29]])]);
    assert.equal(usd(path.lowest), 100_000 - 145 - 5);
  });

  it('at its first distance for a short in a market that rises', () => {
    const positions = new Map([['M', position('short', 10)]]);
    assert.deepEqual(fall({ positions, floor: dollars(99_900) }, {}, rising).end, { by: 'floor', distance: 20 });
    assert.equal(fall({ positions, floor: dollars(99_900) }).end, null);
  });
});

describe('a stop on a path', () => {
  it('closes at its trigger, where nothing is lost any more', () => {
    assert.equal(lowest([stop]), -50);
    assert.equal(lowest([{ ...stop, trigger: { marketId: 'M', at: 200, above: false } }]), 0);
    const last = fall({ orders: [{ ...stop, trigger: { marketId: 'M', at: 100, above: false } }] });
    assert.deepEqual(last.filled, new Set(['stop']), 'also where the path ends');
    assert.equal(lowest([{ ...stop, trigger: { marketId: 'M', at: 210, above: true } }]), -500, 'the other way');
    assert.equal(lowest([{ ...stop, trigger: { marketId: 'N', at: 190, above: false } }]), -500, 'in a still market');
  });

  it('closes its part, and shrinks to what is left', () => {
    assert.equal(lowest([{ ...stop, size: 4 }]), -50 - 6 * 45);
    assert.equal(lowest([{ ...stop, size: 40 }]), -50);
  });

  it('is filled as far from its trigger as the market may jump, and as the book is deep', () => {
    assert.equal(lowest([stop], { gapBps: 1_000 }), -50 - 10 * 9.5);
    const depth = { lots: 10, average: 2, worst: 4 };
    assert.equal(lowest([stop], { depth: { buy: null, sell: depth } }), -50 - 10);
    assert.equal(lowest([stop], { depth: { buy: depth, sell: null } }), -50 - 10, 'as the other side');
    assert.equal(lowest([stop], { depth: { buy: { ...depth, average: 1 }, sell: depth } }), -50 - 10, 'its own side');
  });

  it('counts with what the book surely gives, and the rest of it not at all', () => {
    const depth = { lots: 4, average: 2, worst: 4 };
    // 10 lots would move 2.5 times as far; 4 surely fill at 94.
    assert.equal(lowest([stop], { depth: { buy: null, sell: depth } }), -50 - 4 - 6 * 45);
    assert.equal(lowest([stop], { depth: { buy: null, sell: { ...depth, worst: 5 } } }), -500, 'beyond the tolerance');
    assert.equal(
      lowest([stop], { depth: { buy: null, sell: { ...depth, worst: 5 } }, toleranceBps: 264 }),
      -50 - 4 - 6 * 45,
    );
  });

  it('by limit fills at the limit or better while the mark has not passed it, or else counts as resting', () => {
    const limited = (limit: number) => lowest([{ ...stop, limit }]);
    assert.equal(limited(180), -50);
    assert.equal(limited(190), -50);
    assert.equal(limited(191), -500);
  });

  it('takes its sibling along', () => {
    const pair = [{ ...stop, siblingId: 'target' }, exit('tp', 'target', 10, { siblingId: 'stop' })];
    const path = fall({ orders: [...pair, order('dip', { limit: 180, size: 1 })] });
    assert.deepEqual(path.filled, new Set(['stop', 'dip']));
  });
});

describe('a resting order on a path', () => {
  it('fills at its price, once the market comes to it', () => {
    assert.equal(lowest([order('dip', { limit: 190 })]), -500 - 450);
    assert.equal(lowest([order('dip', { limit: 90 })]), -500);
    const sell = order('o', { side: 'sell', reduceOnly: true, limit: 190 });
    assert.equal(lowest([sell]), -500, 'a market that falls does not come to a sale');
  });

  it('fills from where its fee makes the account poorer', () => {
    // From 192 down, having bought at 190 for 1 % costs more than it is worth.
    const path = fall(
      { orders: [order('dip', { limit: 190 })], positions: new Map(), floor: dollars(100_000) - 1n },
      { feeBps: 100 },
    );
    assert.deepEqual(path.end, { by: 'floor', distance: 9 });
  });

  it('fills late if the book must reach it, and what is worse counts', () => {
    const depth = { buy: null, sell: { lots: 10, average: 4, worst: 4 } };
    const flip = order('flip', { limit: 196, size: 10 });
    const covered = { positions: new Map([['M', position('short', 10)]]), orders: [flip] };
    assert.deepEqual(fall(covered, { depth }).filled.has('flip'), true);
    assert.equal(usd(fall({ ...covered, closedBy: flip }, { depth }).lowest), 100_000);
    assert.deepEqual(fall({ ...covered, closedBy: flip }, { depth }).flatAfter, 8);
  });

  it('fills with what the rules admit, in the order in which they were placed', () => {
    const orders = [order('one', { limit: 190, size: 4 }), order('two', { limit: 190, size: 4 })];
    const path = fall({ orders, maxPositionValue: dollars(1_000) });
    // At 95, ten lots are worth 950: the first one takes one lot for the last 50.
    assert.deepEqual(path.filled, new Set(['one']));
    assert.equal(usd(path.lowest), 100_000 - 500 - 45);
  });
});

describe('a triggered order that adds to the loss', () => {
  const entry = order('entry', { trigger: { marketId: 'M', at: 190, above: false } });

  it('takes everything at once, or nothing if the rules do not admit all of it', () => {
    assert.equal(lowest([entry]), -500 - 450);
    const { lowest: least } = fall({ orders: [entry], maxPositionValue: dollars(1_700) });
    assert.equal(usd(least), 100_000 - 500);
  });

  it('by limit takes what is admitted at its limit or better, and else rests at it', () => {
    assert.equal(lowest([{ ...entry, limit: 190 }]), -500 - 450);
    assert.equal(lowest([{ ...entry, limit: 180 }]), -500 - 400);
    const { lowest: least } = fall({ orders: [{ ...entry, limit: 190 }], maxPositionValue: dollars(1_100) });
    assert.equal(usd(least), 100_000 - 500 - 2 * 45);
    const short = new Map([['M', position('short', 10)]]);
    const sale = order('entry', { side: 'sell', limit: 220, trigger: { marketId: 'M', at: 210, above: true } });
    assert.equal(usd(fall({ positions: short, orders: [sale] }, {}, rising).lowest), 100_000 - 500 - 400);
    const soon = { ...sale, limit: 210 };
    assert.equal(usd(fall({ positions: short, orders: [soon] }, {}, rising).lowest), 100_000 - 500 - 450);
  });
});

describe('what may happen or not on a path', () => {
  it('is an order that may fill now: it counts where that is worse', () => {
    const chase = order('chase', { isUncertain: true });
    assert.equal(lowest([chase]), -1_000);
    assert.equal(lowest([{ ...chase, side: 'sell' }]), -500);
  });

  it('is which of two stops an entry leaves: the worse one counts', () => {
    const entry = order('dip', { limit: 196, stopLoss: 180, replacesExits: null });
    assert.equal(lowest([stop, entry]), -100 - 80);
    assert.equal(lowest([stop, { ...entry, replacesExits: true }]), -100 - 80);
    assert.equal(lowest([stop, { ...entry, replacesExits: false }]), -50 - 30);
  });
});

describe('what a path tells', () => {
  it('is the lowest equity, from its beginning on', () => {
    assert.equal(usd(fall({}, {}, rising).lowest), 100_000);
    const first = { order: order('first'), notional: dollars(1_100) };
    assert.equal(usd(fall({ positions: new Map(), first }, {}, rising).lowest), 99_900);
    assert.deepEqual(fall({ positions: new Map(), first }, {}, rising).filled, new Set(['first']));
  });

  it('is where an order has closed everything in its market', () => {
    const closing = (more: Partial<PathAccount>) => fall({ orders: [stop], closedBy: stop, ...more }).flatAfter;
    assert.equal(closing({}), 10);
    assert.equal(closing({ positions: new Map([['M', position('long', 11)]]) }), null);
    assert.equal(closing({ positions: new Map() }), 10);
    assert.equal(closing({ closedBy: null }), null);
  });

  it('counts what comes at the price at which everything is closed, but nothing beyond', () => {
    const closing = (at: number) => {
      const orders = [stop, order('again', { trigger: { marketId: 'M', at, above: false } })];
      const { lowest: least, lowestHeld, flatAfter } = fall({ orders, closedBy: stop }, { feeBps: 100 });
      return [usd(least), usd(lowestHeld!), flatAfter];
    };
    assert.deepEqual(closing(189), [99_940.5, 99_940.5, 10]);
    assert.deepEqual(closing(190), [99_931, 99_931, 10]);
  });
});
