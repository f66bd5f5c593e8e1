import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByHand, firstTime } from './by-hand.ts';
import { countedFills, RecordedSimulation, told } from './recorded-simulation.ts';

test('120 orders on both sides, near and far, large and small: every execution matches the count by hand', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const hand = new ByHand();
  let chance = 7;
  const below = (limit: number) => {
    chance = (chance * 48_271) % 2_147_483_647;
    return chance % limit;
  };
  for (let number = 0, ms = 0; number < 120; number += 1, ms += below(5_000)) {
    await desk.after(ms);
    hand.to(firstTime + ms);
    const side = below(2) === 0 ? 'buy' : 'sell';
    const away = below(3) === 0 ? below(300) : below(8);
    const price = side === 'buy' ? hand.bestBid - away : hand.bestAsk + away;
    const lots = below(4) === 0 ? 1 + below(2_000) : 1 + below(50);
    await desk.place({ type: 'limit', side, limit_price: price / 10, size: lots / 1_000 });
    hand.rest(side, price, lots);
  }
  await desk.after(344_000);
  hand.to(firstTime + 344_000);
  const inOrder = (fills: object[]) => fills.map((fill) => JSON.stringify(fill)).sort();
  const expected = countedFills(hand.orders.flatMap((order) => order.fills));
  assert.ok(expected.length > 150, `${expected.length} executions`);
  assert.deepEqual(inOrder((await desk.fills()).map(told)), inOrder(expected));
});
