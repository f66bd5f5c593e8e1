import assert from 'node:assert/strict';
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import tls from 'node:tls';
import { ConnectionError } from '../../../src/wire/client/client-errors.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { exampleTls } from '../../base/sockets/connect-proxy.ts';

const { cert, key } = exampleTls;

let server: https.Server;
let port: number;
const seen: string[] = [];

before(async () => {
  server = https.createServer({ key, cert }, (request, response) => {
    seen.push(`${request.httpVersion} ${request.headers.authorization}`);
    response.setHeader('content-type', 'application/json').end('{"data":[]}');
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  seen.length = 0;
});
after(() => void server.close());

async function ask(host: string): Promise<unknown> {
  const transport = httpTransport(`https://${host}:${port}`);
  const request = {
    method: 'GET',
    target: '/v1/accounts',
    headers: { authorization: 'Bearer sim_live_secret' },
  } as const;
  try {
    return (await transport(request, { timeoutMs: 30_000 })).body;
  } catch (error) {
    return error;
  } finally {
    await transport.close();
  }
}

test('an untrusted certificate: nothing is sent, and retrying does not help', async () => {
  const error = await ask('localhost');
  assert.ok(error instanceof ConnectionError);
  assert.deepEqual([error.code, error.retryable], ['DEPTH_ZERO_SELF_SIGNED_CERT', false]);
  assert.match(error.message, /self-signed/);
  assert.deepEqual(seen, []);
});

test('a trusted certificate is accepted for its host, and refused for another', async (t) => {
  const trusted = tls.getCACertificates();
  t.after(() => tls.setDefaultCACertificates(trusted));
  tls.setDefaultCACertificates([cert]);
  assert.deepEqual(await ask('localhost'), { data: [] });
  assert.deepEqual(seen, ['1.1 Bearer sim_live_secret']);
  const { address } = server.address() as AddressInfo;
  const error = await ask(address === '::1' ? '[::1]' : address);
  assert.ok(error instanceof ConnectionError);
  assert.deepEqual([error.code, error.retryable], ['ERR_TLS_CERT_ALTNAME_INVALID', false]);
  assert.equal(seen.length, 1);
});
