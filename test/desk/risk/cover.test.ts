import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atRisk, coverOf, lossAtExits, positionComputed, unknownRisk } from '../../../src/desk/risk/cover.ts';
import { noOutlook } from '../../../src/desk/risk/outlook.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { seed } from '../../seed.ts';
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
    ['a limit stop', [stop(0.3, { mode: 'stop_limit', limit_price: 95_000 })], 0.3, 0.3],
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

  it('is what the exchange leaves of a position, in random histories', () => {
    const met = { positions: 0, partly: 0, crashes: 0, stopped: 0 };
    for (let history = 0; history < 12; history++) coverHistory(seed + history, met);
    assert.ok(met.positions > 100 && met.crashes > 0, JSON.stringify(met));
  });
});

describe('the risk of a position', () => {
  const mark = { price: 102_000, at: 1 };
  const end = { by: 'floor', price: 97_000 } as const;
  const floors = { ...noOutlook, room: 3_000, ends: new Map([[long.market_id, { falling: end, rising: undefined }]]) };
  const table: [string, Order[], typeof noOutlook, loss: number | undefined, r: number | undefined][] = [
    ['is the way to the stop', [stop(0.6)], noOutlook, 4_200, 0.4],
    ['is all of the room if a part has no stop', [stop(0.3)], floors, 3_000, undefined],
    ['is all of the room if the account fails before the stop', [stop(0.6)], floors, 3_000, 0.4],
    ['has no R if the stop secures a gain', [stop(0.6, { trigger_price: 101_000 })], noOutlook, 600, undefined],
    ['of a long without a floor is its value', [], noOutlook, 61_200, undefined],
  ];
  for (const [name, working, outlook, loss, r] of table) {
    it(name, () => {
      const unit = r === undefined ? undefined : 3_000;
      assert.deepEqual(atRisk(long, coverOf(long, working), mark, outlook), { loss, r, unit });
    });
  }

  it('is unknown without a size; without an entry, so is R', () => {
    const of = (position: Position) => atRisk(position, coverOf(position, [stop(0.6)]), mark, noOutlook);
    assert.deepEqual(of({ ...long, size: undefined as never }), unknownRisk);
    assert.deepEqual(of({ ...long, entry_price: undefined as never }), { ...unknownRisk, loss: 4_200 });
  });

  it('is at most the room, even if the mark at which that is lost is out of reach', () => {
    const far = { ...short, liquidation_price: 10_000_000 };
    assert.equal(atRisk(far, coverOf(far, []), mark, { ...noOutlook, room: 3_000 }).loss, 3_000);
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
