import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTally, tryPath } from './paths.ts';

test('no account dies before what perp says, and at most 1% more than 1% later; no position loses more than its RISK', () => {
  const count = process.env.PERP_LONG ? 20_000 : 500;
  const first = 1_000;
  const tally = newTally();
  for (let seed = first; seed < first + count; seed++) tryPath(seed, tally);
  const { told, deaths, early, late, followers, losses, more, less } = tally;
  console.log(
    `seeds ${first} to ${first + count - 1}: ${tally.portfolios} portfolios; ${told} told, ${deaths} died, ${early.length} early, ${late.length} late; with TWAPs or chases ${followers.told} told, ${followers.deaths} died, ${followers.early.length} early, ${followers.late} late; ${losses} losses told, ${more.length} more, ${less.length} less`,
  );
  assert.deepEqual([...early, ...followers.early], []);
  assert.ok(late.length <= told / 100, `${late.length} of ${told} late:\n${late.join('\n')}`);
  assert.deepEqual(more, []);
  assert.ok(less.length <= losses / 100, `${less.length} of ${losses} lost less:\n${less.join('\n')}`);
  assert.ok(deaths > count / 4, `only ${deaths} deaths`);
});

test('an account that copies another one dies no earlier than what perp says, and loses no more', () => {
  const count = process.env.PERP_LONG ? 20_000 : 200;
  const tally = newTally();
  for (let seed = 1; seed <= count; seed++) tryPath(seed, tally, true);
  const { portfolios, told, deaths, early, losses, more } = tally;
  console.log(`${portfolios} copied portfolios: ${told} told, ${deaths} died; ${losses} losses told`);
  assert.deepEqual([...early, ...more], []);
  assert.ok(deaths > count / 4 && losses > count / 4, `${deaths} deaths, ${losses} losses`);
});
