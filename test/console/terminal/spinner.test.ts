import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeHost } from '../../cli/hostile/fake-host.ts';
import { Desk } from '../../cli/practice.ts';

test('where stderr is no terminal, nothing tells of progress, however long a host takes', async (t) => {
  using desk = new Desk();
  const host = await FakeHost.open();
  t.after(() => host.close());
  host.behave = async (id, honest) => {
    if (id === 'listOpenPositions') await delay(600);
    return honest;
  };
  const write = t.mock.method(process.stderr, 'write', () => true);
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: host.url, PERP_API_KEY: 'x_live_k' };
  const { exit, err } = await desk.perp(['pnl'], { variables });
  assert.deepEqual([exit, write.mock.calls.map(({ arguments: [text] }) => text)], [0, []], err);
});
