import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { serve } from '../../../src/service/serve.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { trial } from '../../tiers.ts';

/** A host in front of a served simulation; `before` runs before each request that it passes on. */
async function hostWith(t: TestContext, desk: Desk, before: (received: IncomingMessage) => Promise<void>) {
  await desk.json('sim', 'reset', '--plan', 'none', '--yes', '--clock', 'manual');
  const service = await serve({ stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const host = createServer(async (received, answer) => {
    const body = await buffer(received);
    await before(received);
    const { method, url, headers } = received;
    const passed = request(`${service.baseUrl}${url}`, { method: method!, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    });
    passed.on('error', () => answer.destroy()).end(body);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  const { port } = host.address() as AddressInfo;
  return { PERP_ENV: 'live', PERP_BASE_URL: `http://127.0.0.1:${port}`, PERP_API_KEY: service.key };
}

trial('a position that changes before its trailing stop arrives is read again, and gets its whole stop', async (t) => {
  using desk = new Desk();
  const buy = ['order', 'place', 'BTC', 'buy', '0.5', '--leverage', '2', '--margin', 'cross'];
  let changes = 0;
  const variables = await hostWith(t, desk, async ({ method, url }) => {
    if (method === 'GET' || !url!.includes('/positions/') || changes === 2) return;
    changes += 1;
    await desk.json(...buy);
  });
  await desk.json(...buy);
  const { exit, out, err } = await desk.perp(['guard', '--once', '--trail', '1%', '-o', 'ndjson'], { variables });
  assert.equal(exit, 0, err);
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  assert.deepEqual(events, ['stop_moved']);
  const stops = await desk.json('positions', 'exits', 'BTC');
  assert.deepEqual([stops.length, stops[0].size, changes], [1, 1.5, 2]);
});
