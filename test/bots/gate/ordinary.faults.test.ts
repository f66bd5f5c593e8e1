import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { type Agreed, Arena } from './trials/arena.ts';
import { OrdinaryBot } from './trials/ordinary-bot.ts';

const wanted = process.env.PERP_LONG ? 1_000 : 150;
const markets = ['binance|BTCUSDT', 'binance|ETHUSDT'];
const terms = {
  markets,
  sides: ['buy', 'sell'],
  largestOrderUsd: 5_000,
  largestPositionUsd: 12_000,
  largestLeverage: 3,
  lossPerDayUsd: 2_500,
};
const often = 1_000_000;
const agreed: Readonly<Record<string, Agreed>> = {
  one: { accounts: [0], terms, ordersPerMinute: often },
  careful: { accounts: [1], terms: { ...terms, stopWithin: 0.03 }, ordersPerMinute: often },
};

test('no ordinary order is refused', { timeout: 3_600_000 }, async (t) => {
  let orders = 0;
  for (let round = 0; orders < wanted; round += 1) {
    const chance = new Chance(seed * 1_000 + round);
    const weather = { lost: 0, framesMs: chance.pick([0, 5, 40]) };
    const arena = await Arena.open(t, agreed, { chance, weather, markets, accounts: 2 });
    const bots = [
      new OrdinaryBot(arena, chance, { bot: 'one', account: arena.accounts[0]!, needsStop: false }),
      new OrdinaryBot(arena, chance, { bot: 'careful', account: arena.accounts[1]!, needsStop: true }),
    ];
    const sum = () => bots.reduce((all, bot) => all + bot.orders, 0);
    while (sum() < Math.min(100, wanted - orders)) {
      await Promise.all(bots.map((bot) => bot.act()));
      // A limit of the service's own, per minute.
      await arena.advance(60_000);
    }
    orders += sum();
    await arena.close();
    const refused = bots.flatMap((bot) => bot.refused);
    assert.deepEqual(refused, [], `seed ${seed}, round ${round}`);
    assert.deepEqual(arena.violations, []);
  }
  t.diagnostic(`seed ${seed}: ${orders} orders`);
});
