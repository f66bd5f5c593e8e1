import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { type FirstRisk, firstRiskOf, isGrown } from '../../../src/desk/account/journal.ts';
import {
  atRisk,
  averageOf,
  coverOf,
  isFilledInParts,
  lossAtExits,
  positionComputed,
  unknownRisk,
} from '../../../src/desk/account/means.ts';
import { noOutlook, type Outlook } from '../../../src/desk/risk/outlook.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { seed } from '../../seed.ts';
import { it, trial } from '../../tiers.ts';
import { coverHistory } from './cover-histories.ts';

const long = {
  id: 'pos_1',
  account_id: 'acc_1',
  market_id: 'binance|BTCUSDT',
  side: 'long',
  size: 0.6,
  entry_price: 100_000,
  leverage: 1,
  margin_mode: 'cross',
  isolated_margin_extra: 0,
  status: 'open',
} as Position;
const short: Position = { ...long, side: 'short' };

function stop(size: number, changes: Partial<Order> = {}): Order {
  const { account_id, market_id } = long;
  const exit = {
    id: `ord_${size}`,
    account_id,
    market_id,
    side: 'sell',
    size,
    mode: 'stop_market',
    type: 'stop_market',
  };
  return { ...exit, trigger_price: 95_000, reduce_only: true, target_position_id: 'pos_1', ...changes } as Order;
}

const conditional = (changes: Partial<Order>) =>
  stop(0.3, { mode: 'conditional', target_position_id: undefined, trigger_market_id: long.market_id, ...changes });

describe('the cover of a position', () => {
  const table: [string, Order[], covered: number, uncovered: number][] = [
    ['without a stop', [], 0, 0.6],
    ['a market stop', [stop(0.3)], 0.3, 0.3],
    ['a limit stop down to its limit', [stop(0.3, { mode: 'stop_limit', limit_price: 94_900 })], 0.3, 0.3],
    ['not a limit stop at its limit', [stop(0.3, { mode: 'stop_limit', limit_price: 95_000 })], 0, 0.6],
    ['not a limit stop before its limit', [stop(0.3, { mode: 'stop_limit', limit_price: 95_500 })], 0, 0.6],
    [
      'not a limit stop that has triggered and rests',
      [stop(0.3, { mode: 'stop_limit', limit_price: 94_900, triggered_at: 1 })],
      0,
      0.6,
    ],
    ['a market stop that has triggered and goes on', [stop(0.3, { triggered_at: 1 })], 0.3, 0.3],
    ['two stops', [stop(0.3), stop(0.2, { trigger_price: 90_000 })], 0.5, 0.1],
    [
      'an exit of which only its position is known',
      [stop(0.3, { account_id: undefined, side: undefined } as never)],
      0.3,
      0.3,
    ],
    ['never more than the position', [stop(0.6), stop(0.5, { target_position_id: undefined })], 0.6, 0],
    ['a reduce-only stop that is no exit', [stop(0.1, { target_position_id: undefined })], 0.1, 0.5],
    [
      'not a stop that could open a position',
      [stop(0.1, { reduce_only: false, target_position_id: undefined })],
      0,
      0.6,
    ],
    ['not a stop of another position', [stop(0.1, { target_position_id: 'pos_2' })], 0, 0.6],
    [
      'not a stop in another market',
      [stop(0.1, { market_id: 'bybit|BTCUSDT', target_position_id: undefined })],
      0,
      0.6,
    ],
    ['not a stop of another account', [stop(0.1, { account_id: 'acc_2' })], 0, 0.6],
    ['not a stop that is being canceled', [stop(0.1, { cancel_requested_at: 1 })], 0, 0.6],
    ['not a take-profit', [stop(0.6, { mode: 'take_profit' })], 0, 0.6],
    ['a conditional close below its own mark', [conditional({ trigger_direction: 'below' })], 0.3, 0.3],
    ['not one above it', [conditional({ trigger_direction: 'above' })], 0, 0.6],
    [
      'not a trigger on another market',
      [conditional({ trigger_direction: 'below', trigger_market_id: 'binance|ETHUSDT' })],
      0,
      0.6,
    ],
    [
      'a pair of stops once',
      [stop(0.3, { id: 'a', oco_sibling_order_id: 'b' }), stop(0.3, { id: 'b', oco_sibling_order_id: 'a' })],
      0.3,
      0.3,
    ],
  ];
  for (const [name, working, covered, uncovered] of table) {
    it(`counts ${name}`, () => {
      const cover = coverOf(long, working);
      assert.deepEqual([cover.covered, cover.uncovered], [covered, uncovered]);
    });
  }

  it('does not count a stop at or after the end of the position or its account', () => {
    const ends = new Map([
      [long.market_id, { falling: { by: 'floor', price: 95_000 } as const, rising: undefined, loss: undefined }],
    ]);
    const cover = (at: number) => coverOf(long, [stop(0.6, { trigger_price: at })], { ...noOutlook, ends });
    assert.deepEqual([cover(95_001).covered, cover(95_000).covered, cover(1).covered], [0.6, 0, 0]);
    assert.equal(cover(1).idle.length, 1);
    assert.equal(coverOf({ ...long, liquidation_price: 96_000 }, [stop(0.6)]).covered, 0);
  });

  it('lists stops and targets in the order in which the mark reaches them', () => {
    const at = (id: string, trigger_price: number, mode: Order['mode'], side: 'buy' | 'sell') =>
      stop(0.1, { id, trigger_price, mode, side });
    const ids = (position: Position, side: 'buy' | 'sell', stops: number[], targets: number[]) => {
      const working = [
        ...stops.map((price) => at(`s${price}`, price, 'stop_market', side)),
        ...targets.map((price) => at(`t${price}`, price, 'take_profit', side)),
      ];
      const cover = coverOf(position, working);
      return [...cover.stops, ...cover.targets].map(({ id }) => id);
    };
    assert.deepEqual(ids(long, 'sell', [90, 95], [120, 110]), ['s95', 's90', 't110', 't120']);
    assert.deepEqual(ids(short, 'buy', [120, 110], [90, 95]), ['s110', 's120', 't95', 't90']);
  });

  trial('is what the exchange leaves of a position, in random histories', () => {
    const met = { positions: 0, partly: 0, crashes: 0, stopped: 0 };
    for (let history = 0; history < 12; history++) coverHistory(seed + history, met);
    assert.ok(met.positions > 100 && met.crashes > 0, JSON.stringify(met));
  });
});

describe('the risk of a position', () => {
  const mark = { price: 102_000, at: 1 };
  const outlook = (loss: number | undefined, room?: number) => ({
    ...noOutlook,
    room,
    ends: new Map([[long.market_id, { falling: undefined, rising: undefined, loss }]]),
  });
  const table: [string, Order[], Outlook, loss: number | undefined][] = [
    ['is what the path to the stop loses', [stop(0.6)], outlook(4_234.2), 4_234.2],
    ['is at most the room', [stop(0.6)], outlook(4_234.2, 3_000), 3_000],
    ['is unlimited if nothing ends it', [], outlook(undefined), undefined],
  ];
  for (const [name, working, ways, loss] of table) {
    it(name, () => {
      const cover = coverOf(long, working);
      assert.deepEqual(atRisk(long, cover, mark, ways), { ...unknownRisk, loss });
      // 1R is what was noted, wherever the stops are now.
      const told = atRisk(long, cover, mark, { ...ways, oneR: new Map([[long.id, 3_000]]) });
      assert.deepEqual(told, { loss, unit: 3_000, r: 0.4 });
    });
  }

  it('is 1R when stops first cover all of it, fees included', () => {
    const sees = { feeBps: 3, wasMoved: false, run: undefined };
    const first = (position: Position, stops: Order[], before?: FirstRisk, more = {}) =>
      firstRiskOf(before, position, coverOf(position, stops), { ...sees, ...more });
    assert.equal(first(long, [stop(0.3)]), undefined);
    const noted = first(long, [stop(0.6)])!;
    assert.equal(noted.unit, 5_000 + 195_000 * 3e-4);
    // A stop that moves and a part that is closed change nothing.
    assert.deepEqual(first(long, [stop(0.6, { trigger_price: 100_000 })], noted), noted);
    assert.deepEqual(first({ ...long, size: 0.2 }, [stop(0.2)], noted)?.unit, noted.unit);
    // What is added counts with its own distance once a stop covers it.
    const grown = { ...long, size: 0.8, entry_price: 101_000 };
    assert.equal(isGrown(noted, grown), true);
    assert.deepEqual(first(grown, [stop(0.6)], noted), noted);
    const whole = first(grown, [stop(0.8)], noted)!;
    const own = (104_000 - 95_000 + 199_000 * 3e-4) * 0.2;
    assert.equal(whole.unit?.toFixed(6), ((noted.unit! * 0.6 + own) / 0.8).toFixed(6));
    assert.equal(whole.size, 0.8);
    // Stops that secure a gain, or that were moved before they were seen, do not say what it is.
    assert.equal(first(long, [stop(0.6, { trigger_price: 101_000 })])?.unit, null);
    assert.equal(first(long, [stop(0.6)], undefined, { wasMoved: true })?.unit, null);
  });

  it('is unknown without a size; without an entry, so is R', () => {
    const of = (position: Position) => atRisk(position, coverOf(position, [stop(0.6)]), mark, outlook(4_200));
    assert.deepEqual(of({ ...long, size: undefined as never }), unknownRisk);
    assert.deepEqual(of({ ...long, entry_price: undefined as never }), { ...unknownRisk, loss: 4_200 });
  });

  it('is at most the room, even if the mark at which that is lost is out of reach', () => {
    const far = { ...short, liquidation_price: 10_000_000 };
    assert.equal(atRisk(far, coverOf(far, []), mark, outlook(undefined, 3_000)).loss, 3_000);
  });

  it('of a short without a stop, a floor or a liquidation has no limit', () => {
    assert.equal(atRisk(short, coverOf(short, []), mark, noOutlook).loss, undefined);
  });

  it('at stops and at a liquidation are separate; a liquidation more than 100% away counts nothing', () => {
    const at = (liquidation_price: number | undefined, position = long) =>
      lossAtExits({ ...position, liquidation_price }, coverOf(position, [stop(0.3)]), 102_000);
    assert.deepEqual(at(52_000), { atStops: 2_100, atLiquidation: 15_000 });
    assert.deepEqual(at(undefined), { atStops: 2_100, atLiquidation: 0 });
    assert.deepEqual(at(300_000, short), { atStops: 0, atLiquidation: 0 });
  });

  it('is unknown, not none, without the working orders', () => {
    const { stop_price, covered_size, uncovered_size, risk } = positionComputed(long, mark, noOutlook, undefined);
    assert.deepEqual([stop_price, covered_size, uncovered_size, risk], [null, null, null, null]);
  });
});

describe('an order that filled in parts', () => {
  const parts = [
    { id: 'ord_8', status: 'filled', size: 0.4, fill_price: 58_990, fee: 7.0788, realized_pnl: -404 },
    { id: 'ord_9', status: 'filled', size: 0.1, fill_price: 58_700, fee: 1.761, realized_pnl: -130 },
    { id: 'ord_7', status: 'filled', size: 0.5, filled_size: 1, fill_price: 58_000, fee: 8.7, realized_pnl: -1_000 },
  ] as Order[];
  const order = parts[2]!;

  it('has the average price and the sums of its fills, not those of the last one', () => {
    assert.equal(isFilledInParts(order), true);
    assert.deepEqual(averageOf(order, parts), {
      average_price: 58_466,
      filled_notional: 58_466,
      total_fee: 17.5398,
      total_realized_pnl: -1_534,
    });
  });

  it('is not known unless all of its fills are', () => {
    const unknown = { average_price: null, filled_notional: null, total_fee: null, total_realized_pnl: null };
    assert.deepEqual(averageOf(order, parts.slice(1)), unknown);
    assert.deepEqual(averageOf(order, []), unknown);
  });

  it('is not one that filled at once', () => {
    assert.equal(isFilledInParts({ ...order, filled_size: 0.5 }), false);
    assert.equal(isFilledInParts({ ...order, status: 'resting' }), true);
  });
});
