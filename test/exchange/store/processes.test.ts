import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { trial } from '../../tiers.ts';
import { runTogether } from './programs.ts';
import { account, changes } from './samples.ts';
import { newStore } from './state-file.ts';

trial('no update is lost between processes that write concurrently', async (t) => {
  const store = newStore(t);
  store.transaction(() => store.write(changes({ accounts: [account({ balance: 0n })] })));
  const printed = await runTogether(Array.from({ length: 4 }, () => ['count', store.file, '250', '4']));
  assert.equal(store.account('acc_1')?.balance, 1_000n);
  const reloads = printed.flat().reduce((sum, count) => sum + Number(count), 0);
  assert.ok(reloads >= 3, 'all but one had an old copy once all had started');
});

trial('of several processes that exchange an authorization code at once, only one succeeds', async (t) => {
  const store = newStore(t);
  const codes = Array.from({ length: 200 }, (_, index) => `c${index + 1}`);
  store.transaction(() => {
    for (const hash of codes)
      store.credentials.addCode({
        hash,
        challenge: 'x',
        owner: 'owner',
        deviceName: 'laptop',
        expiresAt: 9_000,
        usedAt: null,
        sessionHash: null,
      });
  });
  const both = runTogether(Array.from({ length: 2 }, () => ['use-codes', store.file, String(codes.length)]));
  while (store.setting('ready') !== '2') await setTimeout(1);
  store.setSetting('go', '1');
  assert.deepEqual((await both).flat().sort(), codes.sort());
});
