import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountRisk } from '../../../src/contract/accounts.ts';
import { breachPrice, commonMove, nearestFloor, roomAt } from '../../../src/desk/risk/breach.ts';
import type { HeldPosition } from '../../../src/desk/risk/profit.ts';
import { checkPortfolio } from './portfolio.ts';

const held = (changes: Partial<HeldPosition> = {}): HeldPosition => ({
  market_id: 'binance|BTCUSDT',
  side: 'long',
  size: 1,
  entry_price: 96_000,
  leverage: 1,
  margin_mode: 'cross',
  isolated_margin_extra: 0,
  ...changes,
});

describe('the breach price of a position', () => {
  const table: [string, Partial<HeldPosition>, mark: number, room: number, tick: number | undefined, number][] = [
    ['a short, room of 3 968', { side: 'short', size: 1_035.11, entry_price: 121 }, 120.772, 3_968, 0.01, 124.6054],
    ['a long, with room 2,971.20 after a fee of 28.80', {}, 96_000, 2_971.2, 0.1, 93_028.8],
    ['the same with an unknown tick', {}, 96_000, 2_971.2, undefined, 93_028.8],
    ['a long between two marks: 33.33 is not reached, 33.3 is', { size: 3 }, 100, 200, 0.1, 33.333],
    ['a long whose nearest price would round up to a mark that does not breach', { size: 3 }, 1, 2.0001, 0.1, 0.333],
  ];
  for (const [name, changes, mark, room, tick, expected] of table) {
    it(`of ${name} is ${expected}`, () => {
      assert.equal(breachPrice({ position: held(changes), mark, tick }, room), expected);
    });
  }

  it('is never rounded across a mark of the market', () => {
    // Exactly 99.9999: a mark of 100 does not breach, although it is the nearest price with three decimals.
    assert.equal(breachPrice({ position: held(), mark: 100.05, tick: 0.1 }, 0.0501), 99.99);
    // Exactly 100.0001, short: again, a mark of 100 does not breach.
    const short = held({ side: 'short' });
    assert.equal(breachPrice({ position: short, mark: 99.95, tick: 0.1 }, 0.0501), 100.01);
  });

  it('is absent if no mark above zero uses up the room', () => {
    assert.equal(breachPrice({ position: held({ size: 0.01 }), mark: 96_000, tick: 0.1 }, 2_971.2), undefined);
    assert.equal(breachPrice({ position: held({ size: 0 }), mark: 96_000 }, 2_971.2), undefined);
  });

  it('is absent if the margin of an isolated position is less than the room', () => {
    const isolated = held({ margin_mode: 'isolated', leverage: 40, entry_price: 96_000 });
    assert.equal(breachPrice({ position: isolated, mark: 96_000, tick: 0.1 }, 2_971.2), undefined);
    const more = { ...isolated, isolated_margin_extra: 571.2 };
    assert.equal(breachPrice({ position: more, mark: 96_000, tick: 0.1 }, 2_971.2), 93_028.8);
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
  it('is a fall for a net long account and a rise for a net short one', () => {
    const long = { position: held(), mark: 96_000 };
    const short = { position: held({ side: 'short', size: 0.5 }), mark: 96_000 };
    assert.equal(commonMove([long], 2_971.2), -3.095);
    assert.equal(commonMove([long, short], 2_971.2), -6.19);
    assert.equal(commonMove([short], 2_971.2), 6.19);
  });

  it('is absent if longs and shorts cancel out, or if all positions together can’t lose the room', () => {
    const long = { position: held(), mark: 96_000 };
    const short = { position: held({ side: 'short' }), mark: 96_000 };
    assert.equal(commonMove([long, short], 2_971.2), undefined);
    assert.equal(commonMove([{ position: held({ size: 0.01 }), mark: 96_000 }], 2_971.2), undefined);
    assert.equal(commonMove([], 2_971.2), undefined);
  });

  it('counts an isolated position only until its margin is lost', () => {
    // The isolated BTC loses 960 in the first percent and nothing after that; the cross BTC has to lose the rest.
    const isolated = { position: held({ margin_mode: 'isolated', leverage: 100 }), mark: 96_000 };
    const cross = { position: held(), mark: 96_000 };
    assert.equal(commonMove([isolated, cross], 2_880), -2);
  });
});

describe('the room', () => {
  it('is recalculated at the marks that were read with the positions', () => {
    const marked = [{ position: held(), mark: 96_010 }];
    assert.equal(roomAt(marked, 2_971.2, 0), 2_981.2);
    assert.equal(roomAt(marked, 2_971.2, 10), 2_971.2);
    assert.equal(roomAt(marked, 2_971.2, null), 2_971.2);
  });
});

describe('against the engine', () => {
  it('the account fails at exactly the first mark at or beyond the stated price', () => {
    let stated = 0;
    for (let seed = 1; seed <= 60; seed++) stated += checkPortfolio(seed);
    assert.ok(stated > 40, `only ${stated} breach prices were stated`);
  });
});
