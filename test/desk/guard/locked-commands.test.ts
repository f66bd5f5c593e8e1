import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { tryLockedCommands } from './locked-commands.ts';

for (const copies of [false, true])
  test(`random commands never make a position of a locked ${copies ? 'follower' : 'account'} larger`, async (t) => {
    const chance = new Chance(seed);
    const { refused, done } = await tryLockedCommands(8, () => chance.next(), copies);
    t.diagnostic(`seed ${seed}: ${refused} refused, ${done} done`);
    assert.ok(refused > 0, `only ${refused} were refused`);
  });
