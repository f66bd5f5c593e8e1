import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { alteringHost } from '../../terminal/cli/altering-host.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, trial } from '../../tiers.ts';

const order = ['order', 'place', 'BTC', 'buy', '0.01', '--new'];

/** A desk on a host that reports no floors. */
async function withoutFloors(t: TestContext) {
  const desk = new Desk();
  t.after(() => desk[Symbol.dispose]());
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const headers = { authorization: `Bearer ${service.key}` };
  // biome-ignore lint/suspicious/noExplicitAny: any answer.
  const accounts: any = await (await fetch(`${service.baseUrl}/v1/accounts`, { headers })).json();
  for (const { risk } of accounts.data)
    Object.assign(risk, {
      daily_loss_floor: null,
      daily_loss_room: null,
      max_drawdown_floor: null,
      max_drawdown_room: null,
    });
  const url = await alteringHost(t, service.baseUrl, (method, path) => {
    if (method !== 'GET' || !path.startsWith('/v1/accounts')) return undefined;
    return { status: 200, body: path === '/v1/accounts' ? accounts : { data: accounts.data[0] } };
  });
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: url, PERP_API_KEY: service.key };
  return (words: readonly string[]) => desk.perp(words, { variables });
}

trial('new exposure without a known floor is sent with a note, or refused', async (t) => {
  const perp = await withoutFloors(t);
  const warned = await perp(order);
  assert.equal(warned.exit, 0, warned.err);
  assert.equal(warned.err.split('The host reports no floor').length - 1, 1, warned.err);
  await perp(['config', 'set', 'trade.unknown_floor', 'refuse']);
  const refused = await perp([...order, '--json']);
  assert.deepEqual([refused.exit, refused.error.code], [5, 'unknown_floor']);
  assert.equal((await perp([...order, '--force'])).exit, 0);
  assert.equal((await perp(['order', 'place', 'BTC', 'sell', '0.01', '--reduce-only'])).exit, 0, 'reducing is free');
  assert.equal((await perp(['positions', '--json'])).json[0].size, 0.01);
});

it('no floor known is said in words in the list and the account', async (t) => {
  const perp = await withoutFloors(t);
  assert.match((await perp(['accounts', 'show'])).out, /daily loss +no floor known\ndrawdown +no floor known/);
  assert.match((await perp(['accounts'])).out, /no floor known/);
});
