import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { runningService, SimulationError } from '../../src/service/public.ts';
import { serve } from '../../src/service/serve.ts';
import { ask, issueKey, raw, served } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const order = (account_id: string) => ({
  account_id,
  market_id: 'binance|BTCUSDT',
  side: 'buy',
  size: 0.01,
  leverage: 1,
  margin_mode: 'cross',
});

test('a request without a valid credential gets 401, with the challenge and the reason', async (t) => {
  const serving = await served(t);
  const expired = issueKey(serving, { expiresAt: Date.now() - 1 });
  const revoked = issueKey(serving, { revokedAt: Date.now() - 1 });
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /credential is required/],
    [{ authorization: 'Basic YTpi' }, /not "Bearer API_KEY"/],
    [{ authorization: 'Bearer' }, /not "Bearer API_KEY"/],
    [{ authorization: 'Bearer two words' }, /not "Bearer API_KEY"/],
    [{ authorization: `Bearer ${'x'.repeat(2000)}` }, /not "Bearer API_KEY"/],
    [{ authorization: 'Bearer sim_live_unknown' }, /unknown/],
    [{ authorization: `Bearer ${expired}` }, /expired/],
    [{ authorization: `Bearer ${revoked}` }, /revoked/],
  ];
  for (const [headers, message] of cases) {
    const { status, headers: answered, body } = await ask(`${serving.baseUrl}/v1/accounts`, null, { headers });
    assert.equal(status, 401);
    assert.equal(body.error.code, 'unauthorized');
    assert.match(body.error.message, message);
    assert.match(answered.get('www-authenticate')!, /^Bearer realm="perp"/);
  }
  const { status } = await ask(`${serving.baseUrl}/v1/accounts`, null, {
    headers: { authorization: `bearer  ${issueKey(serving)}` },
  });
  assert.equal(status, 200, 'the case of the scheme does not matter');
});

test('public reads need no key on either host, and refuse an invalid one', async (t) => {
  const serving = await served(t);
  const live = issueKey(serving);
  for (const path of ['/v1', '/v1/restricted-countries', '/v1/markets', '/v1/markets/binance|BTCUSDT']) {
    for (const host of [serving.baseUrl, serving.sandboxUrl]) {
      assert.equal((await ask(`${host}${path}`, null)).status, 200, path);
      const bad = await ask(`${host}${path}`, 'sim_live_unknown_');
      assert.equal(bad.status, 401, path);
      assert.ok(bad.headers.get('www-authenticate'));
    }
    assert.equal((await ask(`${serving.baseUrl}${path}`, live)).status, 200, path);
    const { body } = await ask(`${serving.sandboxUrl}${path}`, live);
    assert.equal(body.error.code, 'wrong_environment', path);
  }
  assert.equal((await ask(`${serving.baseUrl}/v1`, null)).body.data.version, 'v1');
  assert.equal((await ask(`${serving.baseUrl}/v1/markets/binance|BTCUSDT/quote`, null)).status, 401);
});

test('a key on the wrong host gets an error that names the right host', async (t) => {
  const serving = await served(t);
  const [live, sandbox] = [issueKey(serving), issueKey(serving, { environment: 'test' })];
  const wrong = await ask(`${serving.sandboxUrl}/v1/accounts`, live);
  assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'wrong_environment']);
  assert.ok(wrong.body.error.message.includes(serving.baseUrl));
  const other = await ask(`${serving.baseUrl}/v1/accounts`, sandbox);
  assert.ok(other.body.error.message.includes(serving.sandboxUrl));
  assert.ok(other.headers.get('www-authenticate'));
  assert.equal((await ask(`${serving.sandboxUrl}/v1/accounts`, sandbox)).status, 200);
  assert.equal((await ask(`${serving.sandboxUrl}/v1`, null)).body.data.environment, 'test');
});

test('a read key can read everything and change nothing; the simulation’s own operations require the service file’s key', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving, { scope: 'read' });
  const account = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body.data[0].id;
  assert.equal((await ask(`${serving.baseUrl}/v1/accounts/${account}/trading-policy`, key)).status, 200);
  const refused = await ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json: order(account) });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden']);
  const trader = issueKey(serving);
  assert.equal((await ask(`${serving.baseUrl}/sim/status`, trader)).status, 403);
  assert.equal((await ask(`${serving.baseUrl}/sim/status`, serving.key)).status, 200);
  assert.equal((await ask(`${serving.baseUrl}/sim/keys`, trader, { method: 'POST', json: {} })).status, 403);
});

test('resources of another owner or of the other environment are not found', async (t) => {
  const serving = await served(t);
  const { baseUrl } = serving;
  const [own, stranger, sandbox] = [
    issueKey(serving),
    issueKey(serving, { owner: 'stranger' }),
    issueKey(serving, { environment: 'test' }),
  ];
  const account = (await ask(`${baseUrl}/v1/accounts`, own)).body.data[0].id;
  const placed = await ask(`${baseUrl}/v1/orders`, own, {
    method: 'POST',
    json: { ...order(account), client_order_id: 'mine' },
  });
  const position = (await ask(`${baseUrl}/v1/positions?account_id=${account}`, own)).body.data[0].id;
  for (const [url, key] of [
    [baseUrl, stranger],
    [serving.sandboxUrl, sandbox],
  ] as const) {
    const answers = [
      await ask(`${url}/v1/accounts/${account}`, key),
      await ask(`${url}/v1/orders/${placed.body.data.id}`, key),
      await ask(`${url}/v1/positions/${position}`, key),
      await ask(`${url}/v1/positions/${position}/close`, key, { method: 'POST', json: {} }),
      await ask(`${url}/v1/orders`, key, { method: 'POST', json: order(account) }),
      await ask(`${url}/v1/fills?account_id=${account}`, key),
      await ask(`${url}/v1/accounts/${account}/cancel-all-orders`, key, { method: 'POST', json: {} }),
    ];
    for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'not_found']);
    assert.deepEqual((await ask(`${url}/v1/orders?client_order_id=mine`, key)).body.data, []);
  }
  assert.deepEqual((await ask(`${baseUrl}/v1/accounts`, stranger)).body.data, []);
});

test('a client order id is unique on each host: placed, looked up and refused a second time on both', async (t) => {
  const serving = await served(t);
  const hosts = [
    [serving.baseUrl, issueKey(serving)],
    [serving.sandboxUrl, issueKey(serving, { environment: 'test' })],
  ] as const;
  const placed: string[] = [];
  for (const [url, key] of hosts) {
    const account = (await ask(`${url}/v1/accounts`, key)).body.data[0].id;
    const place = () =>
      ask(`${url}/v1/orders`, key, { method: 'POST', json: { ...order(account), client_order_id: 'fixed' } });
    const first = await place();
    assert.equal(first.status, 201, JSON.stringify(first.body));
    placed.push(first.body.data.id);
    const second = await place();
    assert.deepEqual([second.status, second.body.error.code], [409, 'client_order_id_conflict']);
  }
  for (const [index, [url, key]] of hosts.entries()) {
    const { data } = (await ask(`${url}/v1/orders?client_order_id=fixed`, key)).body;
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [placed[index]],
    );
  }
});

test('checks come in order: route, rate, credential, scope, size, type, content', async (t) => {
  const serving = await served(t);
  const [reader, trader] = [issueKey(serving, { scope: 'read' }), issueKey(serving)];
  const post = async (key: string | null, body: string, type: string, path = '/v1/orders') =>
    (await ask(`${serving.baseUrl}${path}`, key, { method: 'POST', body, headers: { 'content-type': type } })).status;
  const huge = 'x'.repeat(20_000);
  assert.equal(await post(null, huge, 'text/plain', '/v1/nowhere'), 404);
  assert.equal(await post(null, huge, 'text/plain'), 401);
  assert.equal(await post(reader, huge, 'text/plain'), 403);
  assert.equal(await post(trader, huge, 'text/plain'), 413);
  assert.equal(await post(trader, 'x', 'text/plain'), 415);
  assert.equal(await post(trader, 'x', 'application/json'), 400);
});

test('too many requests from one address are refused, whatever their keys, until the minute ends', async (t) => {
  const serving = await served(t, { rateLimit: 5 });
  for (let number = 0; number < 5; number++)
    assert.equal((await ask(`${serving.baseUrl}/v1/accounts`, null)).status, 401);
  const { status, headers, body } = await ask(`${serving.sandboxUrl}/v1/accounts`, null);
  assert.deepEqual([status, body.error.code], [429, 'rate_limited'], 'one window per address, over both hosts');
  assert.ok(Number(headers.get('retry-after')) >= 1 && Number(headers.get('retry-after')) <= 60);
  assert.equal((await ask(`${serving.baseUrl}/v1/nowhere`, null)).status, 404, 'the route comes first');
});

test('an operation without 429 is not limited and does not count against the limit', async (t) => {
  const serving = await served(t, { rateLimit: 5 });
  const free: [method: string, path: string, key: string | null, json?: unknown][] = [
    ['GET', '/v1', null],
    ['GET', '/v1/markets', null],
    ['GET', '/sim/status', serving.key],
    ['POST', '/sim/advance', serving.key, { duration_ms: 1_000 }],
    ['GET', '/sim/keys', serving.key],
  ];
  const all = async () => {
    for (const [method, path, key, json] of [...free, ...free])
      assert.equal((await ask(serving.baseUrl + path, key, { method, json })).status, 200, path);
  };
  await all();
  const limited = async () => (await ask(`${serving.baseUrl}/v1/accounts`, serving.key)).status;
  for (let number = 0; number < 5; number++) assert.equal(await limited(), 200);
  assert.equal(await limited(), 429);
  await all();
});

test('the service answers only to this machine’s own names', async (t) => {
  const { baseUrl } = await served(t);
  const port = new URL(baseUrl).port;
  const status = async (host: string | null, version = '1.1') => {
    const line = host === null ? '' : `Host: ${host}\r\n`;
    const answer = await raw(baseUrl, `GET /v1 HTTP/${version}\r\n${line}Connection: close\r\n\r\n`);
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
  };
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    '[::1]:1',
    'LOCALHOST',
    `localhost.:${port}`,
    '127.0.0.1',
  ])
    assert.equal(await status(host), 200, host);
  for (const host of ['', 'evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost..', '0.0.0.0'])
    for (const version of ['1.0', '1.1']) assert.equal(await status(host, version), 403, host);
  assert.equal(await status(null, '1.0'), 200, 'HTTP/1.0 has no Host, and a web page can’t omit it');
  assert.equal(await status(null, '1.1'), 400, 'HTTP/1.1 requires one');
});

test('input that is not HTTP is answered with the envelope, and the connection is closed', async (t) => {
  const { baseUrl } = await served(t);
  const cases = [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
    'POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
    'GET /v1\u0000 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ];
  for (const bytes of cases) {
    const answer = await raw(baseUrl, bytes);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, bytes.slice(0, 40));
    assert.match(answer, /"code":"invalid_request"/);
    assert.match(answer, /Connection: close/i);
  }
  assert.equal((await ask(`${baseUrl}/v1`, null)).status, 200, 'the service still runs');
});

test('an unknown expectation is refused with the envelope; 100-continue is supported', async (t) => {
  const serving = await served(t);
  const head = (more: string) => `POST /v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n${more}\r\n`;
  for (const expectation of ['a-miracle', '100-continues', '']) {
    const answer = await raw(serving.baseUrl, `${head(`Expect: ${expectation}\r\n`)}{}`);
    if (expectation === '') assert.match(answer, /^HTTP\/1\.1 401 /);
    else {
      assert.match(answer, /^HTTP\/1\.1 417 .*content-type: application\/json.*connection: close/is);
      const { error } = JSON.parse(answer.slice(answer.indexOf('{')));
      assert.deepEqual([error.code, typeof error.request_id], ['invalid_request', 'string']);
      assert.match(error.message, /100-continue/);
    }
  }
  const rebound = await raw(serving.baseUrl, 'GET /v1 HTTP/1.1\r\nHost: evil.example\r\nExpect: a-miracle\r\n\r\n');
  assert.match(rebound, /^HTTP\/1\.1 403 /, 'the answer reveals nothing');
  const met = await raw(serving.baseUrl, `${head('Expect: 100-continue\r\n')}{}`);
  assert.match(met, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 401 /);
});

test('requests in one packet are answered in order', async (t) => {
  const { baseUrl } = await served(t);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const answer = await raw(baseUrl, get('/v1') + get('/v1/nowhere') + get('/v1/markets') + get('/v1/accounts'), 4);
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  assert.deepEqual(statuses, [200, 404, 200, 401]);
});

test('HEAD answers like GET, without the body', async (t) => {
  const { baseUrl } = await served(t);
  const head = await fetch(`${baseUrl}/v1`, { method: 'HEAD' });
  const get = await fetch(`${baseUrl}/v1`);
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  assert.equal(await head.text(), '');
});

test('a page from another origin has no access: no preflight passes', async (t) => {
  const { baseUrl } = await served(t);
  const answer = await fetch(`${baseUrl}/v1/orders`, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', origin: 'https://evil.example' },
  });
  assert.equal(answer.status, 404);
  assert.deepEqual(
    [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
    [],
  );
});

test('a body far too large is refused while it is still arriving, and the refusal can be read', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const size = 3 * 1024 * 1024;
  const status = await new Promise<number>((resolve, reject) => {
    const sending = request(`${serving.baseUrl}/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': size },
    });
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sending.on('error', reject);
    sending.end(Buffer.alloc(size, 'x'));
  });
  assert.equal(status, 413);
});

test('a body that is not UTF-8, or is compressed, is refused', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    ask(`${serving.baseUrl}/v1/orders`, key, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  assert.equal((await post(new Uint8Array([0x22, 0xff, 0x22]), {})).status, 400);
  // The credential is checked first.
  const noText = { method: 'POST', body: new Uint8Array([0x22, 0xff, 0x22]) };
  assert.equal((await fetch(`${serving.baseUrl}/v1/orders`, noText)).status, 401);
  assert.equal((await post(new Uint8Array([0x7b, 0x7d]), { 'content-encoding': 'gzip' })).status, 415);
});

test('a client that disconnects during its request changes nothing', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const account = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body.data[0].id;
  const body = JSON.stringify(order(account));
  const head = `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  assert.equal(await raw(serving.baseUrl, head + body.slice(0, -1), 0), '');
  assert.deepEqual((await ask(`${serving.baseUrl}/v1/orders`, key)).body.data, []);
});

test('the description of the API is served, for these hosts', async (t) => {
  const { baseUrl, sandboxUrl } = await served(t);
  const { body, headers } = await ask((await ask(`${baseUrl}/v1`, null)).body.data.documentation, null);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(body.openapi, '3.1.0');
  assert.deepEqual(
    body.servers.map(
      (server: { variables: Record<string, { default: string }> }) => Object.values(server.variables)[0]!.default,
    ),
    [baseUrl, sandboxUrl],
  );
});

test('every response has its own id, including pages and refusals', async (t) => {
  const { baseUrl } = await served(t);
  const ids = new Set<string>();
  for (const path of ['/v1', '/v1/accounts', '/nothing', '/openapi.json', '/cli/authorize', '/cli/authorize']) {
    const id = (await fetch(baseUrl + path)).headers.get('x-request-id');
    assert.match(id ?? 'none', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, path);
    ids.add(id!);
  }
  assert.equal(ids.size, 6);
});

test('a state is served only once; the service file says where, and is removed afterward', async (t) => {
  const stateDir = temporaryDirectory(t);
  const serving = await served(t, { stateDir });
  const { simulation: _s, stop: _stop, putInUse: _p, hosts: _hosts, program: _program, ...running } = serving;
  assert.deepEqual(await runningService(stateDir, 'default'), running);
  await assert.rejects(
    serve({ stateDir, port: 0, sandboxPort: 0 }),
    (error) => error instanceof SimulationError && error.kind === 'conflict',
  );
  assert.equal((await ask(`${serving.baseUrl}/v1`, null)).status, 200, 'the first one keeps running');
  await serving.stop();
  assert.equal(await runningService(stateDir, 'default'), null);
  assert.equal(existsSync(join(stateDir, 'default.service.json')), false);
});

test('a port in use is reported, and nothing is left behind', async (t) => {
  const first = await served(t);
  const stateDir = temporaryDirectory(t);
  const port = Number(new URL(first.baseUrl).port);
  await assert.rejects(serve({ stateDir, port, sandboxPort: 0, seed: 7 }), { code: 'EADDRINUSE' });
  assert.equal(await runningService(stateDir, 'default'), null);
  const second = await served(t, { stateDir });
  assert.equal((await ask(`${second.baseUrl}/v1`, null)).status, 200);
});

test('stopping lets requests in flight finish', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const account = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body.data[0].id;
  const answers = Array.from({ length: 20 }, () =>
    ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json: order(account) }),
  );
  const all = Promise.allSettled(answers);
  await answers[0];
  const startedAt = performance.now();
  await serving.stop();
  assert.ok(performance.now() - startedAt < 30_000, 'idle connections do not delay it');
  const settled = await all;
  for (const outcome of settled) if (outcome.status === 'fulfilled') assert.equal(outcome.value.status, 201);
  assert.ok(settled.some(({ status }) => status === 'fulfilled'));
});

test('no key is ever written to disk, except the service file’s own', async (t) => {
  const stateDir = temporaryDirectory(t);
  const serving = await served(t, { stateDir });
  const issued = await ask(`${serving.baseUrl}/sim/keys`, serving.key, { method: 'POST', json: { prefix: 'planted' } });
  const key = issued.body.data.api_key;
  assert.match(key, /^planted_live_/);
  assert.equal((await ask(`${serving.baseUrl}/v1/accounts`, key)).status, 200);
  const secret = key.replace('planted_live_', '');
  for (const ending of ['db', 'db-wal', 'service.json'])
    assert.equal(readFileSync(join(stateDir, `default.${ending}`)).includes(secret), false, ending);
  assert.equal(readFileSync(join(stateDir, 'default.db-wal')).includes(serving.key), false);
});
