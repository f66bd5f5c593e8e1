import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import tls from 'node:tls';
import { inspect } from 'node:util';
import { ConnectionError, NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { webSocketTransport } from '../../../src/wire/client/streams/web-socket.ts';
import type { WireResponse } from '../../../src/wire/contract/wire.ts';
import { ConnectProxy, exampleTls, type ProxyBehavior, proxyVariables } from '../../base/sockets/connect-proxy.ts';
import { setVariables } from '../../variables.ts';

const trusted = tls.getCACertificates();
const seen: string[] = [];
let server: Server;
let port: number;
let restore: () => void;

before(async () => {
  tls.setDefaultCACertificates([exampleTls.cert]);
  server = createServer(exampleTls, (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host} ${request.headers.authorization}`);
    response.setHeader('content-type', 'application/json').end('{"data":[]}');
  });
  // A stream that sends one frame.
  server.on('upgrade', (request, socket) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => {});
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  seen.length = 0;
  restore = setVariables(proxyVariables());
});
afterEach(() => restore());
after(() => {
  tls.setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
});

const post = {
  method: 'POST',
  target: '/v1/orders',
  headers: { authorization: 'Bearer sim_live_secret' },
  body: '{"size":1}',
} as const;

/** The answer or the failure of a request to `api.example`, which nothing but a proxy reaches. */
async function ask({ timeoutMs = 30_000, ...options } = {}): Promise<WireResponse | Error> {
  const transport = httpTransport('https://api.example', options);
  try {
    return await transport(post, { timeoutMs });
  } catch (error) {
    assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /secret/);
    return error as Error;
  } finally {
    await transport.close();
  }
}

/** The failure of a request that reached no host. */
async function notSent(options = {}): Promise<ConnectionError> {
  const error = await ask(options);
  assert.ok(error instanceof ConnectionError, inspect(error));
  assert.deepEqual(seen, []);
  return error;
}

async function proxied(behavior: ProxyBehavior = {}, user?: string): Promise<ConnectProxy> {
  const proxy = await ConnectProxy.open({
    leads: { 'api.example:443': port, 'stream.example:443': port },
    ...behavior,
  });
  setVariables({ HTTPS_PROXY: proxy.url(user) });
  return proxy;
}

test('a request goes through the proxy that HTTPS_PROXY names, and only the host behind it reads it', async () => {
  await using proxy = await proxied();
  const answer = await ask();
  assert.ok(!(answer instanceof Error), inspect(answer));
  assert.deepEqual([answer.status, answer.body], [200, { data: [] }]);
  assert.deepEqual(seen, ['POST /v1/orders api.example Bearer sim_live_secret']);
  assert.deepEqual(proxy.asked, ['api.example:443']);
});

test('requests one after another share a connection by a proxy', async () => {
  await using proxy = await proxied();
  const transport = httpTransport('https://api.example');
  for (let count = 0; count < 3; count++) await transport(post, { timeoutMs: 30_000 });
  await Promise.all([1, 2, 3].map(() => transport(post, { timeoutMs: 30_000 })));
  await transport.close();
  assert.equal(seen.length, 6);
  assert.equal(proxy.asked.length, 3);
});

test('a proxy that is reached by TLS', async () => {
  await using proxy = await proxied({ secure: true });
  assert.equal(((await ask()) as WireResponse).status, 200);
  assert.equal(proxy.asked.length, 1);
});

test('a proxy gets the user and the password that its variable has', async () => {
  await using _ = await proxied({ user: 'me:se:cret' }, 'me:se%3Acret');
  assert.equal(((await ask()) as WireResponse).status, 200);
});

test('what a proxy refuses is told as its word: nothing was sent', async () => {
  const table: [behavior: ProxyBehavior, user: string | undefined, why: RegExp, retryable: boolean][] = [
    [
      { user: 'me:secret' },
      undefined,
      /: it requires a user and a password: add them to HTTPS_PROXY, .*\(status 407\)$/,
      false,
    ],
    [
      { user: 'me:secret' },
      'me:secret2',
      /: it does not accept the user and password of HTTPS_PROXY \(status 407\)$/,
      false,
    ],
    [
      { answer: 'HTTP/1.1 403 Forbidden\r\n\r\n<p>secret page' },
      undefined,
      /: it does not allow this host \(status 403\)$/,
      false,
    ],
    [{ leads: {} }, undefined, /: it did not open the connection \(status 502\)$/, true],
    [{ answer: 'HTTP/1.1 302 Found\r\nlocation: http://x/\r\n\r\n' }, undefined, /\(status 302\)$/, false],
    [{ answer: '' }, undefined, /: it closed the connection$/, true],
    [{ answer: 'SSH-2.0-OpenSSH_9.6\r\n' }, undefined, /does not match the HTTP/, true],
  ];
  for (const [behavior, user, why, retryable] of table) {
    await using proxy = await proxied(behavior, user);
    const { message, retryable: isRetryable } = await notSent();
    assert.ok(
      message.startsWith(`no connection to api.example:443 through the proxy ${proxy.url()} (HTTPS_PROXY): `),
      message,
    );
    assert.match(message, why);
    assert.equal(isRetryable, retryable, message);
    assert.equal(proxy.asked.length > 0, true);
  }
});

test('a proxy that is not there, or not known: nothing was sent', async () => {
  await using proxy = await proxied();
  await proxy[Symbol.asyncDispose]();
  assert.match((await notSent()).message, /through the proxy .*: nothing is listening there \(ECONNREFUSED\)$/);
  setVariables({ HTTPS_PROXY: 'http://me:secret@no-such-proxy.invalid:1' });
  assert.match((await notSent()).message, /through the proxy http:\/\/no-such-proxy\.invalid:1 \(HTTPS_PROXY\): /);
});

test('a proxy that answers with rubbish after it opened the connection: nothing was sent', async (t) => {
  const rubbish = createPlainServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\nhello'));
  t.after(() => void rubbish.close());
  rubbish.listen(0, 'localhost');
  await once(rubbish, 'listening');
  await using _ = await proxied({ leads: { 'api.example:443': (rubbish.address() as AddressInfo).port } });
  const { message } = await notSent();
  assert.match(message, /does not use TLS/);
});

test('a proxy that does not answer: given up in time, and nothing was sent', async () => {
  await using _ = await proxied({ answer: null });
  const early = await notSent({ timeoutMs: 80 });
  assert.deepEqual([early.code, early.retryable], ['ETIMEDOUT', true]);
  assert.match((await notSent({ connectTimeoutMs: 60 })).message, /in time/);
});

test("a host behind a proxy is trusted by its own certificate, not through the proxy's word", async () => {
  await using _ = await proxied();
  tls.setDefaultCACertificates(trusted);
  try {
    assert.equal((await notSent()).retryable, false);
  } finally {
    tls.setDefaultCACertificates([exampleTls.cert]);
  }
});

test('a proxy that ends the connection after the request was sent: the outcome is unknown, and it is sent once', async () => {
  await using proxy = await proxied();
  const cut = () => void proxy[Symbol.asyncDispose]();
  server.once('request', (_, response) => response.destroy());
  server.once('request', cut);
  const error = await ask();
  assert.ok(error instanceof NoAnswerError || (error as WireResponse).status === 200, inspect(error));
  assert.equal(seen.length, 1);
});

test('a variable that names no proxy: nothing was sent, and retrying does not help', async () => {
  setVariables({ HTTPS_PROXY: 'socks5://me:secret@proxy.example' });
  const { message, retryable } = await notSent();
  assert.match(message, /^HTTPS_PROXY names a proxy with socks5:/);
  assert.equal(retryable, false);
});

test('what NO_PROXY names, and this machine, is reached without a proxy', async () => {
  await using proxy = await proxied();
  setVariables({ NO_PROXY: 'api.example' });
  assert.doesNotMatch((await notSent()).message, /proxy/);
  setVariables({ NO_PROXY: undefined });
  const transport = httpTransport(`https://localhost:${port}`);
  assert.equal((await transport(post, { timeoutMs: 30_000 })).status, 200);
  await transport.close();
  assert.deepEqual(proxy.asked, []);
});

/** What becomes of a stream to `stream.example`: its first frame, or why there is none. */
async function firstFrame(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stream = webSocketTransport('wss://stream.example', { credential: async () => 'sim_live_secret' })(
    '/v1/stream',
    {
      opened() {},
      text: resolve,
      closed: ({ reason }) => resolve(`closed: ${reason}`),
    },
  );
  const first = await promise;
  stream.close();
  return first;
}

test('a stream goes through the proxy, with its user and password', async () => {
  await using proxy = await proxied({ user: 'me:word' }, 'me:word');
  assert.equal(await firstFrame(), 'hi');
  assert.deepEqual(seen, ['/v1/stream Bearer sim_live_secret']);
  assert.deepEqual(proxy.asked, ['stream.example:443']);
});

test('a stream that a proxy refuses tells it', async () => {
  await using _ = await proxied({ user: 'me:word' });
  assert.match(
    await firstFrame(),
    /^closed: no connection to stream\.example:443 through the proxy .*HTTPS_PROXY.*\(status 407\)$/,
  );
  setVariables({ HTTPS_PROXY: 'ftp://proxy.example' });
  assert.match(await firstFrame(), /^closed: HTTPS_PROXY names a proxy with ftp:/);
});
