import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import WebSocket from 'ws';
import { BotsFile, gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { listenForBots } from '../../../src/bots/gate/serve.ts';
import { GateWorld } from './gate-world.ts';

interface Answer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  body: any;
}

/** A gate on a port, and a plain HTTP client. */
async function hosted(t: Parameters<typeof GateWorld.open>[0]) {
  const world = await GateWorld.open(t);
  world.mandates.set('grid', world.allowing());
  const bots = new BotsFile(gateFolder(world.variables));
  const gate = await world.gate();
  const clock = { now: 1_000 };
  const options = { environment: 'live', port: 0, log: null, note: (text: string) => world.notes.push(text) } as const;
  const host = await listenForBots({ gate, now: () => clock.now, ...options });
  t.after(() => host.stop());
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${host.url}${path}`, { method, headers, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            body: text === '' ? undefined : JSON.parse(text),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { world, bots, gate, clock, host, send };
}

test('over HTTP, a bot needs a valid key of its own, and gets the errors of the API', async (t) => {
  const { world, bots, clock, send, host } = await hosted(t);
  const { text, key } = bots.add('grid', 'live', 1_000, 3_600_000);
  const bearer = { authorization: `Bearer ${text}` };
  assert.match(text, /^gate_live_/);
  assert.equal(JSON.stringify(bots.keys()).includes(text), false);
  assert.equal((await send('GET', '/v1')).status, 200);
  assert.equal((await send('GET', '/v1/accounts', bearer)).status, 200);
  const refusals: [headers: Record<string, string>, code: string, challenge: string][] = [
    [{}, 'unauthorized', 'Bearer realm="perp"'],
    [{ authorization: 'Basic x' }, 'unauthorized', 'Bearer realm="perp", error="invalid_token"'],
    [{ authorization: 'Bearer gate_live_nope' }, 'unauthorized', 'Bearer realm="perp", error="invalid_token"'],
    [{ authorization: 'Bearer gate_test_nope' }, 'wrong_environment', 'Bearer realm="perp", error="invalid_token"'],
  ];
  for (const [headers, code, challenge] of refusals) {
    const { status, headers: given, body } = await send('GET', '/v1/accounts', headers);
    assert.deepEqual([status, body.error.code, given['www-authenticate']], [401, code, challenge]);
    assert.equal(body.error.request_id, given['x-request-id']);
  }
  const order = world.order();
  const head = await send('HEAD', `/v1/orders?account_id=${world.accounts[0]}`, bearer);
  assert.deepEqual([head.status, head.body, Number(head.headers['content-length']) > 0], [200, undefined, true]);
  assert.equal((await send('POST', '/v1/orders', { ...bearer, ...order.headers }, order.body)).status, 201);
  const asText = { ...bearer, ...order.headers, 'content-type': 'text/plain' };
  assert.equal((await send('POST', '/v1/orders', asText, order.body)).status, 415);
  assert.equal((await send('POST', '/v1/orders', { ...bearer, ...order.headers }, ' '.repeat(17 * 1024))).status, 413);
  assert.equal((await send('POST', '/sim/advance', bearer, '{}')).status, 404);
  assert.equal((await send('GET', '/v1/accounts', { ...bearer, host: 'evil.example' })).status, 403);
  const streamed = new WebSocket(`${host.url.replace('http', 'ws')}/v1/stream`, { headers: bearer });
  const first = await new Promise((resolve) =>
    streamed.once('message', (data) => resolve(JSON.parse(String(data)).type)),
  );
  assert.equal(first, 'hello');
  const ended = new Promise((resolve) => streamed.once('close', resolve));
  clock.now = 3_600_000;
  assert.match((await send('GET', '/v1/accounts', bearer)).body.error.message, /expired/);
  clock.now = 1_500;
  assert.equal(bots.revoke('grid', 1_500)?.id, key.id);
  assert.match((await send('GET', '/v1/accounts', bearer)).body.error.message, /revoked/);
  streamed.close();
  await ended;
});

test('a new key ends the one before, and a stopping gate lets go of nobody without an answer', async (t) => {
  const { bots, gate, send } = await hosted(t);
  const first = bots.add('grid', 'live', 1_000, 9_000);
  const second = bots.add('grid', 'live', 1_000, 9_000);
  const asked = async ({ text }: { text: string }) =>
    (await send('GET', '/v1/accounts', { authorization: `Bearer ${text}` })).status;
  assert.deepEqual([await asked(first), await asked(second)], [401, 200]);
  gate.drain();
  const { status, headers, body } = await send('GET', '/v1/accounts', { authorization: `Bearer ${second.text}` });
  assert.deepEqual([status, headers['retry-after'], body.error.code], [503, '1', 'unavailable']);
});
