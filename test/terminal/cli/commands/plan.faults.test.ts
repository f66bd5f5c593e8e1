import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../../../src/service/serve.ts';
import { beginning } from '../../../seed.ts';
import { Desk } from '../practice.ts';

test('after the first target has filled, a guard with [plans] moves the stop to the entry, also one started later', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '20%', '--yes');
  await desk.json('plan', 'BTC', '1/2@0.05% be', '--yes');
  const rules = join(desk.folder, 'rules.toml');
  writeFileSync(rules, '[plans]\n');
  const guard = () => desk.perp(['guard', '--once', '--rules', rules]);
  const stopOf = async () => (await desk.json('positions'))[0]?.computed.stop_price as number | undefined;
  const before = await stopOf();
  assert.equal((await guard()).exit, 0);
  assert.equal(await stopOf(), before);
  for (let hour = 0; hour < 48 && (await desk.json('positions'))[0].size === 0.05; hour++)
    await desk.json('sim', 'advance', '30m');
  const [position] = await desk.json('positions');
  assert.equal(position.size, 0.025);
  const isAbove = position.computed.mark > position.entry_price;
  const run = await guard();
  if (isAbove) assert.equal(await stopOf(), position.entry_price, run.err);
  else assert.deepEqual(await desk.json('positions'), [], run.err);
});

/** A wire to a service that breaks for good once the service has answered a request of this method. */
async function breakingWire(t: { after(fn: () => void): void }, baseUrl: string) {
  const wire = { url: '', breaksAt: '', isDown: false };
  const server = createServer((asked, answer) => {
    if (wire.isDown) {
      asked.socket.destroy();
      return;
    }
    const { method, url: path, headers } = asked;
    const passed = request(`${baseUrl}${path}`, { method, headers }, (answered) => {
      if (method === wire.breaksAt) {
        wire.isDown = true;
        asked.socket.destroy();
        answered.resume();
        return;
      }
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    });
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((done) => server.once('listening', done));
  wire.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return wire;
}

test('of a plan whose answer was lost, what a guard does is kept, and begins once the targets are seen', async (t) => {
  using desk = new Desk();
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 0 });
  t.after(() => service.stop());
  const wire = await breakingWire(t, service.baseUrl);
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: wire.url, PERP_API_KEY: service.key };
  const perp = (...argv: string[]) => desk.perp(argv, { variables });
  assert.equal((await perp('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '20%', '--yes')).exit, 0);
  wire.breaksAt = 'PUT';
  const lost = await perp('plan', 'BTC', '1/2@1% be', '--yes');
  assert.equal(lost.exit, 8, lost.err);
  assert.match(lost.err, /A guard runs the rest of the plan after its targets appear/);
  Object.assign(wire, { breaksAt: '', isDown: false });
  const [found] = (await perp('plan', 'list', '--json')).json;
  assert.deepEqual([found.plan, found.confirmed, found.active], ['1/2@1% be', true, false]);

  Object.assign(wire, { breaksAt: 'POST' });
  const unknown = await perp('order', 'place', 'ETH', 'buy', '1', '--stop-loss', '20%', '--plan', 'rest@1%', '--yes');
  assert.equal(unknown.exit, 8, unknown.err);
  assert.match(unknown.err, /Its plan is not in place\. When the order is found: perp plan ETH "rest@1%"/);
});
