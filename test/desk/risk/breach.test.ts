import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commonMove, endsOf, nearestFloor, roomAt } from '../../../src/desk/risk/breach.ts';
import type { HeldPosition, Mark, Standing } from '../../../src/desk/risk/path-account.ts';
import type { AccountRisk } from '../../../src/wire/contract/accounts.ts';

const market_id = 'binance|BTCUSDT';

const held = (changes: Partial<HeldPosition> = {}): HeldPosition => ({
  market_id,
  side: 'long',
  size: 1,
  entry_price: 96_000,
  leverage: 1,
  margin_mode: 'cross',
  isolated_margin_extra: 0,
  ...changes,
});

const with_ = (...positions: HeldPosition[]): Standing => ({ account: { balance: 100_000 }, positions, working: [] });
const at = (price: number, tick?: number): Map<string, Mark> => new Map([[market_id, { price, at: 0, tick }]]);

describe('the breach price of a position', () => {
  const table: [string, Partial<HeldPosition>, mark: number, room: number, tick: number | undefined, number][] = [
    ['a short, room of 3 968', { side: 'short', size: 1_035.11, entry_price: 121 }, 120.772, 3_968, 0.01, 124.607],
    ['a long, with room 2,971.20 after a fee of 28.80', {}, 96_000, 2_971.2, 0.1, 93_028.8],
    ['the same with an unknown tick', {}, 96_000, 2_971.2, undefined, 93_028.8],
    ['a long between two marks: 33.33 is not reached, 33.3 is', { size: 3 }, 100, 200, 0.1, 33.3],
    ['a long whose nearest price would round up to a mark that does not breach', { size: 3 }, 1, 2.0001, 0.1, 0.3],
  ];
  for (const [name, changes, mark, room, tick, expected] of table) {
    it(`of ${name} is ${expected}`, () => {
      const position = held(changes);
      const { falling, rising } = endsOf(with_(position), room, at(mark, tick)).get(market_id)!;
      assert.deepEqual(position.side === 'long' ? falling : rising, { by: 'floor', price: expected });
    });
  }

  it('is absent if no mark above zero uses up the room, or nothing is known', () => {
    assert.equal(endsOf(with_(held({ size: 0.01 })), 2_971.2, at(96_000, 0.1)).get(market_id)!.falling, undefined);
    assert.equal(endsOf(with_(held({ size: 0 })), 2_971.2, at(96_000)).size, 0);
    assert.equal(endsOf(with_(held()), 2_971.2, new Map()).size, 0);
  });

  it('is that of what is known, beside an order or a TWAP without a size', () => {
    const position = held();
    const of = (more: object) =>
      endsOf({ ...with_(position), ...more } as Standing, 2_971.2, at(96_000, 0.1)).get(market_id);
    const damaged = { id: 'x', market_id, side: 'buy', status: 'running', leverage: 1, margin_mode: 'cross' };
    assert.deepEqual(of({ working: [damaged], twaps: [damaged] }), of({}));
  });

  it('counts a liquidation only if the price that the host reports is one: it implies a ratio from 0 up to 100%', () => {
    const falling = (liquidation_price: number) => {
      const position = held({ size: 2, leverage: 2, liquidation_price });
      return endsOf({ ...with_(position), account: { balance: 100_000 } }, undefined, at(96_000, 0.1)).get(market_id)!
        .falling;
    };
    assert.deepEqual(falling(46_464.6), { by: 'liquidation', price: 46_464.6 });
    // At 40,000, equity is below zero; at the other price, all of the notional is left.
    assert.equal(falling(40_000), undefined);
    assert.equal(falling(1e12), undefined);
  });

  it('is absent if the margin of an isolated position is less than the room', () => {
    const isolated = held({ margin_mode: 'isolated', leverage: 40, entry_price: 96_000 });
    assert.equal(endsOf(with_(isolated), 2_971.2, at(96_000, 0.1)).get(market_id)!.falling, undefined);
  });
});

describe('the reported floor', () => {
  const risk = (daily: number | null, drawdown: number | null) =>
    ({
      daily_loss_floor: daily === null ? null : 97_000,
      daily_loss_room: daily,
      max_drawdown_floor: drawdown === null ? null : 95_000,
      max_drawdown_room: drawdown,
    }) as AccountRisk;
  const table: [string, AccountRisk, string | undefined][] = [
    ['the one with less room', risk(2_000, 4_000), 'daily loss'],
    ['the drawdown if both are touched at once, because it is final', risk(3_000, 3_000), 'maximum drawdown'],
    ['the only one', risk(null, 3_000), 'maximum drawdown'],
    ['none without floors', risk(null, null), undefined],
  ];
  for (const [name, given, expected] of table) {
    it(`is ${name}`, () => assert.equal(nearestFloor(given)?.name, expected));
  }
});

describe('the common move', () => {
  const other = 'binance|ETHUSDT';
  const marks = new Map([...at(96_000, 0.1), [other, { price: 96_000, at: 0, tick: 0.1 }]]);

  it('is a fall for a net long account and a rise for a net short one', () => {
    assert.equal(commonMove(with_(held()), 2_971.2, marks), -3.095);
    assert.equal(
      commonMove(with_(held(), held({ market_id: other, side: 'short', size: 0.5 })), 2_971.2, marks),
      -6.19,
    );
    assert.equal(commonMove(with_(held({ side: 'short' })), 2_971.2, marks), 3.095);
  });

  it('is absent if longs and shorts cancel out, or if all positions together can’t lose the room', () => {
    const both = with_(held(), held({ market_id: other, side: 'short' }));
    assert.equal(commonMove(both, 2_971.2, marks), undefined);
    assert.equal(commonMove(with_(held({ size: 0.01 })), 2_971.2, marks), undefined);
    assert.equal(commonMove(with_(), 2_971.2, marks), undefined);
  });

  it('counts an isolated position only until its margin is lost', () => {
    // The isolated one loses 960 in the first percent and nothing after that; the cross one has to lose the rest.
    const isolated = held({ market_id: other, margin_mode: 'isolated', leverage: 100 });
    assert.equal(commonMove(with_(isolated, held()), 2_880, marks), -2);
  });
});

describe('the room', () => {
  it('is recalculated at the marks that were read with the positions', () => {
    assert.equal(roomAt([held()], at(96_010), 2_971.2, 0), 2_981.2);
    assert.equal(roomAt([held()], at(96_010), 2_971.2, 10), 2_971.2);
    assert.equal(roomAt([held()], at(96_010), 2_971.2, null), 2_971.2);
  });
});
