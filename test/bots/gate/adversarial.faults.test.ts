import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { Adversary, markets } from './trials/adversary.ts';
import { type Agreed, Arena } from './trials/arena.ts';

const wanted = process.env.PERP_LONG ? 10_000 : 300;
/** Each simulation is used for so many attempts. */
const perArena = 500;

const terms = {
  markets: markets.slice(0, 2),
  sides: ['buy', 'sell'],
  largestOrderUsd: 5_000,
  largestPositionUsd: 12_000,
  largestLeverage: 3,
  lossPerDayUsd: 400,
};
const often = 1_000_000;
const agreed: Readonly<Record<string, Agreed>> = {
  // Two bots share one account and its room.
  one: { accounts: [0], terms, ordersPerMinute: often },
  two: { accounts: [0], terms, ordersPerMinute: often },
  careful: { accounts: [1], terms: { ...terms, sides: ['buy'], stopWithin: 0.03 }, ordersPerMinute: often },
  leading: { accounts: [2, 3], terms, ordersPerMinute: often },
};

test('no matter what bots try, nothing happens beyond their mandates', { timeout: 3_600_000 }, async (t) => {
  const totals = { attempts: 0, allowed: 0, refused: 0, done: 0, restarts: 0 };
  const answers = new Map<string, number>();
  for (let round = 0; totals.attempts < wanted; round += 1) {
    const chance = new Chance(seed * 1_000 + round);
    const weather = { lost: 0.02, framesMs: chance.pick([0, 5, 30]) };
    const arena = await Arena.open(t, agreed, { chance, weather, markets, accounts: 5 });
    const bots = Object.entries(agreed).map(([bot, { accounts }]) => {
      const own = accounts.map((at) => arena.accounts[at]!);
      // Its own accounts mostly; sometimes those of others.
      const mostly = Array.from({ length: 30 }, () => own).flat();
      return new Adversary(arena, chance, bot, [...mostly, ...arena.accounts]);
    });
    // The owner's own group: the bot's account leads, another one copies it.
    if (chance.chance(0.7)) await arena.copies(2, 3, chance.pick([10_000, 20_000]));
    const attempts = () => bots.reduce((sum, bot) => sum + bot.attempts, 0);
    let restartAt = chance.between(20, 100);
    while (attempts() < Math.min(perArena, wanted - totals.attempts)) {
      const acting = bots.map((bot) => bot.act());
      if (chance.chance(0.3)) acting.push(arena.advance(chance.pick([100, 2_000, 20_000])));
      if (chance.chance(0.02)) arena.clockStep = chance.pick([-7_200_000, 0, 3_600_000]);
      if (attempts() > restartAt) {
        restartAt += chance.between(60, 200);
        totals.restarts += 1;
        acting.push(arena.restart());
      }
      await Promise.all(acting);
    }
    for (const bot of bots) {
      totals.attempts += bot.attempts;
      totals.allowed += bot.allowed;
      totals.refused += bot.refused;
      for (const [name, count] of bot.answers) answers.set(name, (answers.get(name) ?? 0) + count);
    }
    totals.done += arena.done;
    await arena.close();
    assert.deepEqual(arena.violations, [], `seed ${seed}, round ${round}`);
  }
  t.diagnostic(`seed ${seed}: ${JSON.stringify(totals)}`);
  t.diagnostic(JSON.stringify(Object.fromEntries([...answers].sort((one, other) => other[1] - one[1]))));
  for (const [what, count] of Object.entries(totals)) assert.ok(count > 0, `${what}: ${count}`);
});
