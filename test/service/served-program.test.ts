import assert from 'node:assert/strict';
import { request } from 'node:https';
import { test } from 'node:test';
import { connect, rootCertificates } from 'node:tls';
import { WebSocket } from 'ws';
import { certificateFor } from '../../src/wire/hosting/certificates.ts';
import { ask, raw, served } from './serving.ts';

type Context = Parameters<typeof served>[0];

const program = { environment: 'live', names: ['api.example.com', 'stream.example.com'], ports: [0] } as const;

async function secureWorld(t: Context, onDistrust = (_reason: string) => {}) {
  const serving = await served(t, { program: { ...program, onDistrust } });
  const { key, secure } = serving.program!;
  const port = Number(new URL(secure!.url).port);
  /** A request as a client sends it that has this name built in. */
  const get = (name: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const to = { host: '127.0.0.1', port, path, servername: 'api.example.com', ca: secure!.authority };
      request({ ...to, agent: false, headers: { host: name, ...headers } }, (answer) => {
        answer.toArray().then((parts) => resolve({ status: answer.statusCode!, body: parts.join('') }), reject);
      })
        .on('error', reject)
        .end();
    });
  return { serving, key, secure: secure!, port, get };
}

test('a program’s names are served with TLS and its own key, and only there', async (t) => {
  const { serving, key, get } = await secureWorld(t);
  const authorization = { authorization: `Bearer ${key}` };
  for (const name of ['api.example.com', 'API.example.com:443', 'stream.example.com'])
    assert.equal((await get(name, '/v1/accounts', authorization)).status, 200, name);
  for (const name of ['127.0.0.1', 'localhost', 'other.example.com', 'api.example.com.evil.example'])
    assert.equal((await get(name, '/v1/accounts', authorization)).status, 403, name);
  assert.equal((await get('api.example.com', '/v1/accounts')).status, 401);
  // The service itself is as strict as ever, and knows the key.
  const foreign = 'GET /v1 HTTP/1.1\r\nHost: api.example.com\r\n\r\n';
  assert.match(await raw(serving.baseUrl, foreign), /^HTTP\/1\.1 403 /);
  assert.equal((await ask(`${serving.baseUrl}/v1/accounts`, key)).status, 200);
  assert.equal((await ask(`${serving.sandboxUrl}/v1/accounts`, key)).body.error.code, 'wrong_environment');
  assert.equal((await ask(`${serving.baseUrl}/sim/status`, key)).status, 403, 'it is an API key like any other');
});

test('the key of a program is nowhere in the state, and ends with the service', async (t) => {
  const first = await secureWorld(t);
  assert.deepEqual(
    first.serving.simulation.read(({ store }) => store.credentials.keys({ owner: 'local' })),
    [],
  );
  const second = await secureWorld(t);
  assert.equal((await ask(`${second.serving.baseUrl}/v1/accounts`, first.key)).status, 401);
});

test('a program may follow a stream on its own port with any origin, and nowhere else', async (t) => {
  const { serving, secure, port } = await secureWorld(t);
  const opened = (url: string, host: string, origin: string) =>
    new Promise<string>((resolve) => {
      const tls = { ca: secure.authority, servername: 'api.example.com' };
      const socket = new WebSocket(url, [], { origin, headers: { host }, ...tls });
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
      socket.on('error', ({ message }) => resolve(message));
    });
  const refused = 'Unexpected server response: 403';
  const secureUrl = `wss://127.0.0.1:${port}/v1/market-data`;
  assert.equal(await opened(secureUrl, 'stream.example.com', 'https://stream.example.com:0'), 'open');
  // Python's websocket-client sends http, even for wss; apps and web charts send theirs.
  for (const origin of ['http://stream.example.com', 'https://charts.example', 'file://'])
    assert.equal(await opened(secureUrl, 'stream.example.com', origin), 'open', origin);
  assert.equal(await opened(secureUrl, 'evil.example', 'https://stream.example.com:0'), refused);
  const plainUrl = `${serving.baseUrl.replace('http', 'ws')}/v1/market-data`;
  assert.equal(await opened(plainUrl, 'localhost', 'https://stream.example.com:0'), refused);
});

test('nobody else trusts the certificate, and a program that does not is reported', async (t) => {
  const reason = Promise.withResolvers<string>();
  const { port } = await secureWorld(t, reason.resolve);
  const refused = await new Promise<NodeJS.ErrnoException>((resolve) => {
    connect({ port, host: '127.0.0.1', servername: 'api.example.com', ca: [...rootCertificates] }).on('error', resolve);
  });
  assert.match(refused.code ?? '', /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER)/);
  assert.equal(await reason.promise, 'it hung up');
});

test('the authority of a run has vouched for the names of the run, and its key is gone', async () => {
  const { authority, certificate, key } = certificateFor(['api.example.com'], Date.now());
  const { X509Certificate, createPrivateKey } = await import('node:crypto');
  const [issuer, host] = [new X509Certificate(authority), new X509Certificate(certificate)];
  assert.equal(issuer.ca, true);
  assert.equal(host.ca, false);
  assert.equal(host.checkIssued(issuer) && host.verify(issuer.publicKey), true);
  assert.equal(host.checkPrivateKey(createPrivateKey(key)), true);
  assert.equal(host.checkHost('api.example.com'), 'api.example.com');
  assert.equal(host.checkHost('example.com'), undefined);
  const made = certificateFor(['api.example.com'], Date.now());
  assert.equal(createPrivateKey(made.key).asymmetricKeyType, 'ec');
  assert.deepEqual(Object.keys(made), ['key', 'certificate', 'authority']);
  assert.equal(new X509Certificate(made.authority).checkPrivateKey(createPrivateKey(made.key)), false);
  // Name constraints, with which webpki up to 0.22 trusts nothing.
  assert.equal(issuer.raw.indexOf(Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e])), -1);
  assert.ok(Date.parse(host.validTo) - Date.parse(host.validFrom) < 399 * 86_400_000);
});
