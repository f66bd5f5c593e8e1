import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { trial } from '../../../tiers.ts';
import { BuiltRun, buildPerp, machine } from '../../cli/built-perp.ts';
import { FakeHost } from '../../cli/hostile/fake-host.ts';

const here = machine();

before(() => buildPerp());
after(() => here.remove());

trial('where stderr is no terminal, nothing tells of progress, however long a host takes', async (t) => {
  const host = await FakeHost.open();
  t.after(() => host.close());
  host.behave = async (id, honest) => {
    if (id === 'listOpenPositions') await delay(600);
    return honest;
  };
  const live = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: 'x_live_k' };
  const { exit, err } = await new BuiltRun(['pnl'], { ...here.variables, ...live }).ended;
  assert.equal(exit, 0, err);
  assert.deepEqual(
    err.split('\n').filter((line) => !/^\*\*\* LIVE |^The host reports carry /.test(line)),
    [''],
  );
});
