import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fits, largestSize, lossAtStop, type StoppedOrder } from '../../../src/desk/risk/worst-case.ts';
import { Chance } from '../../engine/chance.ts';
import { Scenario } from '../../engine/scenario.ts';
import { definition, ScriptedSource } from '../../engine/scripted-source.ts';

const buy = (changes: Partial<StoppedOrder> = {}): StoppedOrder => ({
  side: 'buy',
  size: 1,
  notional: 96_000,
  stop: 95_000,
  mark: 96_000,
  feeBps: 0,
  held: 0,
  ...changes,
});

describe('the loss of an order at its own stop', () => {
  const table: [string, Partial<StoppedOrder>, number][] = [
    ['the move to the stop', {}, 1_000],
    ['the slippage of walking the book', { notional: 96_010 }, 1_010],
    ['the commissions of entry and exit', { feeBps: 3 }, 1_000 + 28.8 + 28.5],
    ['for a short, the rise', { side: 'sell', stop: 97_000 }, 1_000],
    ['the slippage of a sell', { side: 'sell', stop: 97_000, notional: 95_990 }, 1_010],
    ['the loss of the open position, with the commission of its exit', { held: 2, feeBps: 3 }, 3_114.3],
    ['only the part left once a position on the other side is closed', { size: 3, notional: 288_000, held: -2 }, 1_000],
    ['only the commission if it only reduces', { held: -2, feeBps: 3 }, 28.8],
    ['from the limit at which it rests, not from the mark', { notional: 95_500 }, 500],
    ['negative if the stop secures a gain', { notional: 94_000, held: 0 }, -1_000],
    ['every part rounded up', { size: 0.3, notional: 28_800, stop: 95_999.99999999, feeBps: 0.01 }, 0.05760001],
  ];
  for (const [name, changes, expected] of table) {
    it(`is ${name}`, () => assert.equal(lossAtStop(buy(changes)), expected));
  }
});

describe('the largest size that fits', () => {
  const limit = (amount: number, isInclusive = false) => ({ amount, isInclusive });
  const table: [string, Partial<StoppedOrder>, { amount: number; isInclusive: boolean }, number][] = [
    ['loses less than the room', {}, limit(200.5), 0.2],
    ['does not touch a floor', {}, limit(200), 0.199],
    ['may lose exactly the risk', {}, limit(200, true), 0.2],
    ['leaves room for the commissions', { feeBps: 3 }, limit(1_057.3, true), 1],
    ['is one lot smaller if they do not fit', { feeBps: 3 }, limit(1_057.29, true), 0.999],
    ['is what the open position leaves', { held: 2 }, limit(3_000, true), 1],
    ['is zero if the open position uses up the room', { held: 2 }, limit(2_000), 0],
    ['is zero without room', {}, limit(0), 0],
    ['is the whole other side plus what fits beyond it', { held: -2 }, limit(500, true), 2.5],
    ['is at least the whole other side', { held: -2, feeBps: 3 }, limit(1), 2],
    ['may be larger than requested', { size: 0.1, notional: 9_600 }, limit(5_000, true), 5],
  ];
  for (const [name, changes, given, expected] of table) {
    it(name, () => assert.equal(largestSize(buy(changes), given, 3), expected));
  }

  it('fits, and one more lot does not', () => {
    const chance = new Chance(7);
    for (let trial = 0; trial < 300; trial++) {
      const { order, decimals } = randomOrder(chance);
      const given = limit(Number((chance.next() * 3_000).toFixed(8)), chance.chance(0.5));
      const size = largestSize(order, given, decimals);
      const ofSize = (asked: number) =>
        lossAtStop({ ...order, size: asked, notional: (order.notional * asked) / order.size });
      const more = Number((size + 10 ** -decimals).toFixed(decimals));
      const reduces = order.held !== 0 && size <= Math.abs(order.held);
      const told = JSON.stringify({ order, given, size });
      // The test computes its notional as a double, not a fraction.
      if (size > 0 && !reduces) assert.ok(fits(ofSize(size) - 1e-7, given), told);
      assert.ok(!fits(ofSize(more) + 1e-7, given), told);
    }
  });
});

function randomOrder(chance: Chance): { order: StoppedOrder; decimals: number } {
  const side = chance.pick(['buy', 'sell'] as const);
  const sign = side === 'buy' ? 1 : -1;
  const mark = chance.between(1, 1_000_000) / 10;
  const stop = Number((mark * (1 - sign * (0.001 + 0.05 * chance.next()))).toPrecision(6));
  const size = chance.between(1, 1_000) / 100;
  const notional = Number((mark * size * (1 + sign * 0.0005 * chance.next())).toFixed(6));
  const held = chance.chance(0.5) ? (chance.between(0, 20) * 100) / mark : 0;
  const order = { side, size, notional, stop, mark, feeBps: chance.pick([0, 0.25, 3]), held: sign * floored(held) };
  return { order, decimals: 2 };
}

const floored = (value: number) => Math.floor(value * 100) / 100;

describe('against the engine', () => {
  it('equity falls by exactly the stated loss when the stop fills at its trigger', () => {
    const chance = new Chance(11);
    for (let trial = 0; trial < 40; trial++) {
      const side = chance.pick(['buy', 'sell'] as const);
      const sign = side === 'buy' ? 1 : -1;
      const mark = chance.between(10_000, 20_000);
      const stop = mark - sign * chance.between(20, 400);
      const size = chance.between(1, 60);
      const first = chance.between(0, 10);
      const market = definition({ priceDecimals: 1, sizeDecimals: 2 });
      const deep = 1e6;
      const source = new ScriptedSource(
        [
          {
            time: 1,
            bids: [
              [mark - 2, 20],
              [mark - 7, deep],
            ],
            asks: [
              [mark + 2, 20],
              [mark + 7, deep],
            ],
          },
          // The mark is the trigger, and the price that the exit trades at is half a unit away.
          side === 'buy'
            ? { time: 5, bids: [[stop, deep]], asks: [[stop + 1, deep]] }
            : { time: 5, bids: [[stop - 1, deep]], asks: [[stop, deep]] },
        ],
        [market],
      );
      const rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 0 } };
      const scenario = new Scenario(source, { rates }).to(1);
      if (first > 0) scenario.place(side, first / 100, {});
      const before = Number(scenario.exchange.risk(scenario.accountId).equity!) / 1e8;
      const quote = scenario.exchange.quote(market.marketId, { side, size: size / 100, accountId: scenario.accountId });
      assert.ok(quote.ok && quote.estimate?.notional != null);
      const order: StoppedOrder = {
        side,
        size: size / 100,
        notional: Number(quote.estimate.notional) / 1e8,
        stop: stop / 10,
        mark: mark / 10,
        feeBps: 3,
        held: (sign * first) / 100,
      };
      const trigger = (stop + sign * 0.5) / 10;
      scenario.place(side, size / 100, { stopLossPrice: trigger });
      scenario.to(5);
      assert.equal(scenario.position(market.marketId), undefined, `trial ${trial}: the stop has not filled`);
      const lost = before - Number(scenario.balance()) / 1e8;
      const stated = lossAtStop(order);
      assert.ok(
        Math.abs(stated - lost) < 5e-8 && stated >= lost - 1e-9,
        `trial ${trial}: said ${stated}, lost ${lost}`,
      );
    }
  });
});
