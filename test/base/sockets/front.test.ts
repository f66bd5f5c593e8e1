import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { factsOf, failureReport } from '../../../src/base/failure/report.ts';
import { frontAnswer, retryAfterMs } from '../../../src/base/sockets/front.ts';
import { openWebSocket, type SocketEnd } from '../../../src/base/sockets/web-socket.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';

/** What stands in front of services answers, and how long it asks to wait, seconds. */
const foreign: readonly (readonly [status: number, headers: Record<string, string>, seconds: number | undefined])[] = [
  [403, { 'content-type': 'text/html', server: 'cloudflare' }, undefined],
  [403, { 'content-type': 'text/html; charset=UTF-8' }, undefined],
  [404, { 'content-type': 'text/html', server: 'nginx/1.25' }, undefined],
  [407, { 'proxy-authenticate': 'Basic', 'content-type': 'text/html', server: 'squid' }, undefined],
  [407, {}, undefined],
  [429, { 'content-type': 'text/plain', 'retry-after': '120' }, 120],
  [451, { 'content-type': 'text/html' }, undefined],
  [502, { 'content-type': 'text/html', server: 'awselb/2.0' }, undefined],
  [503, { 'content-type': 'text/html', 'retry-after': '3600', server: 'Varnish' }, 3600],
  [
    503,
    {
      'content-type': 'text/html',
      date: 'Sat, 28 Nov 2026 12:00:00 GMT',
      'retry-after': 'Sat, 28 Nov 2026 13:00:00 GMT',
    },
    3600,
  ],
  [511, { 'content-type': 'text/html' }, undefined],
];

describe('an answer of something in front of the service', () => {
  let server: Server;
  let next: (typeof foreign)[number];
  before(async () => {
    server = createServer((_, response) => {
      const [status, headers] = next;
      response.writeHead(status, headers).end('<html>go away</html>');
    });
    server.on('upgrade', (_, socket) => {
      const [status, headers] = next;
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${status} No\r\n${lines.join('')}content-length: 0\r\nconnection: close\r\n\r\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  it('is not taken for the service by a request: who spoke, how long to wait, and no word about the credential', async () => {
    const transport = httpTransport(`http://${address()}`);
    const client = createClient({ transport, credential: () => 'x_live_0123456789abcdef', retry: { attempts: 1 } });
    for (next of foreign) {
      const [status, headers, seconds] = next;
      const facts = factsOf(await client.call('listAccounts', {}).catch((error: unknown) => error));
      const text = failureReport(facts, false);
      assert.equal(facts.exit, 7, text);
      assert.match(text, /in front of the service answered with status/);
      assert.match(text, new RegExp(`status ${status}`));
      if (headers.server !== undefined) assert.ok(text.includes(headers.server), text);
      assert.doesNotMatch(text, /trade scope|perp login|go away/);
      assert.equal(JSON.parse(failureReport(facts, true)).error.retry_after_seconds, seconds);
      if (seconds !== undefined) assert.match(text, new RegExp(`\\(${seconds} s\\)`));
      if (status === 407) assert.match(text, /HTTPS_PROXY=/);
    }
    await transport.close();
  });

  it('is not taken for the service by a handshake', async () => {
    const { WebSocket, Agent } = await import('undici');
    for (next of foreign) {
      const [status, headers, seconds] = next;
      const dispatcher = new Agent();
      const end = await new Promise<SocketEnd>((resolve) => {
        const nothing = () => {};
        const events = { opened: nothing, text: nothing, binary: nothing, closed: resolve };
        openWebSocket(`ws://${address()}/`, { WebSocket, dispatcher }, events);
      });
      await dispatcher.close();
      assert.equal(end.status, status);
      assert.match(end.front?.says ?? '', /in front of the service/);
      if (headers.date !== undefined || seconds === undefined || seconds > 0)
        assert.equal(end.retryAfterMs, seconds === undefined ? undefined : seconds * 1_000);
    }
  });

  it('is told from the answers of the service, which are JSON', () => {
    for (const type of ['application/json', 'application/problem+json; charset=utf-8', '', undefined])
      assert.equal(frontAnswer(403, { 'content-type': type }), undefined);
    assert.equal(frontAnswer(200, {}), undefined);
    assert.match(frontAnswer(200, { 'content-type': 'text/html' })!.says, /and a page/);
    assert.equal(
      frontAnswer(403, { 'content-type': 'text/html', server: 'a\u001b[31mb' })?.says.includes('\u001b'),
      false,
    );
  });
});

it('Retry-After is read in both of its forms, and nothing else is', () => {
  assert.equal(retryAfterMs({ 'retry-after': '90' }, 0), 90_000);
  const now = Date.UTC(2026, 10, 28);
  assert.equal(retryAfterMs({ 'retry-after': new Date(now + 60_000).toUTCString() }, now), 60_000);
  for (const value of ['', 'soon', '-5', '2026']) {
    const read = retryAfterMs({ 'retry-after': value }, now);
    assert.ok(read === undefined || value === '2026', value);
  }
});
