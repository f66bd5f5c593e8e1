import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { tryLockedCommands } from './locked-commands.ts';

const count = process.env.PERP_LONG === '1' ? 5_000 : 150;

for (const copies of [false, true])
  test(`${count} random commands never make a position of a locked ${copies ? 'follower' : 'account'} larger`, async (t) => {
    const chance = new Chance(seed + 1);
    const { refused, done } = await tryLockedCommands(count, () => chance.next(), copies);
    t.diagnostic(`seed ${seed}: ${refused} refused, ${done} done`);
    assert.ok(refused > count / 10, `only ${refused} were refused`);
  });
