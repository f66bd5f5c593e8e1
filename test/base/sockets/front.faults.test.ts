import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { factsOf, failureReport } from '../../../src/base/failure/report.ts';
import { openWebSocket, type SocketEnd } from '../../../src/base/sockets/web-socket.ts';
import { openNetwork } from '../../../src/venues/live/open-network.ts';
import { RestClient } from '../../../src/venues/live/rest-client.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import { Desk } from '../../terminal/cli/practice.ts';

type Headers = Record<string, string>;
interface Foreign {
  readonly who: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** How long it asks to wait, seconds. */
  readonly seconds: number | undefined;
}

const html = '<html><body>go away</body></html>';
const inAnHour = { date: 'Sat, 28 Nov 2026 12:00:00 GMT', 'retry-after': 'Sat, 28 Nov 2026 13:00:00 GMT' };

function one(server: string, status: number, headers: Headers = {}, body = html, type = 'text/html'): Foreign {
  const wait = headers['retry-after'];
  return {
    who: server,
    status,
    headers: { ...(type === '' ? {} : { 'content-type': type }), ...(server === '' ? {} : { server }), ...headers },
    body,
    seconds: wait === undefined ? undefined : /^\d+$/.test(wait) ? Number(wait) : 3_600,
  };
}

/** What proxies, gateways, CDNs and networks answer in place of a service. */
const foreign: readonly Foreign[] = [
  one('cloudflare', 403, { 'cf-ray': '8c1' }, html, 'text/html; charset=UTF-8'),
  one('cloudflare', 429, { 'retry-after': '3600' }),
  one('cloudflare', 503, { 'retry-after': '120' }),
  ...[520, 521, 522, 523, 524, 525, 526, 530].map((status) => one('cloudflare', status)),
  one('cloudflare', 403, {}, '{"success":false,"errors":[{"code":1020}]}', 'application/json'),
  ...[301, 302, 307, 308].map((status) => one('nginx', status, { location: 'https://login.example/' })),
  one('nginx/1.25.3', 401, { 'www-authenticate': 'Basic realm="staff"' }),
  ...[400, 403, 404, 405, 413, 499].map((status) => one('nginx/1.25.3', status)),
  ...[500, 502, 503, 504].map((status) => one('nginx', status)),
  one('squid/6.6', 403, { 'x-squid-error': 'ERR_ACCESS_DENIED 0' }),
  one('squid/6.6', 407, { 'proxy-authenticate': 'Basic realm="proxy"' }),
  one('', 407, { 'proxy-authenticate': 'NTLM' }, '', ''),
  one('squid/6.6', 503, { 'x-squid-error': 'ERR_DNS_FAIL 0' }),
  one('envoy', 503, {}, 'upstream connect error or disconnect/reset before headers', 'text/plain'),
  one('envoy', 429, {}, 'local_rate_limited', 'text/plain'),
  one('istio-envoy', 403, {}, 'RBAC: access denied', 'text/plain'),
  one('istio-envoy', 503, {}, '', ''),
  ...[460, 502, 503, 504].map((status) => one('awselb/2.0', status)),
  one('awselb/2.0', 403, {}, '', ''),
  one('CloudFront', 403, { 'x-cache': 'Error from cloudfront' }),
  one('', 403, { 'x-amzn-errortype': 'ForbiddenException' }, '{"message":"Forbidden"}', 'application/json'),
  one('kong/3.6', 404, {}, '{"message":"no Route matched with those values"}', 'application/json'),
  one('Varnish', 503, inAnHour),
  one('AkamaiGHost', 403),
  one('Google Frontend', 502),
  one('', 404, {}, '404 page not found', 'text/plain; charset=utf-8'),
  one('BigIP', 200, {}, '<html>Request Rejected</html>'),
  one('', 200, {}, '<html>Welcome to our Wi-Fi</html>'),
  one('', 302, { location: 'http://portal.example/?from=1' }, '', ''),
  one('', 511, {}),
  one('Zscaler/6.2', 403),
  one('', 451, {}),
  one('', 503, inAnHour, '', ''),
];

const isPage = ({ headers }: Foreign) => /^text/.test(headers['content-type'] ?? '');

/** What no foreign answer may make perp say. */
const wordsOfTheService = /trade scope|perp login|perp whoami|API key|go away/;

describe(`${foreign.length} answers of something in front of a service`, () => {
  let servers: Server[];
  const address = (at: number) => `127.0.0.1:${(servers[at]!.address() as AddressInfo).port}`;

  before(async () => {
    servers = foreign.map(({ status, headers, body }) =>
      createServer({ keepAlive: false }, (_, response) => {
        response.sendDate = false;
        response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
      }).on('upgrade', (_, socket) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const head = `${lines.join('')}content-length: ${body.length}\r\nconnection: close`;
        socket.on('error', () => {});
        socket.end(`HTTP/1.1 ${status} No\r\n${head}\r\n\r\n${body}`);
      }),
    );
    for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  function assertForeign(text: string, { who, status }: Foreign): void {
    assert.match(text, new RegExp(`in front of .* answered with status ${status}`), text);
    if (who !== '') assert.ok(text.includes(who), text);
    assert.doesNotMatch(text, wordsOfTheService);
  }

  it('is not taken for the service by a request', async () => {
    for (const [at, answer] of foreign.entries()) {
      const transport = httpTransport(`http://${address(at)}`);
      const client = createClient({ transport, credential: () => 'x_live_0123456789abcdef', retry: { attempts: 1 } });
      const facts = factsOf(await client.call('listAccounts', {}).catch((error: unknown) => error));
      await transport.close();
      const text = failureReport(facts, false);
      assertForeign(text, answer);
      assert.equal(facts.exit, 7, text);
      if (answer.status >= 400)
        assert.equal(JSON.parse(failureReport(facts, true)).error.retry_after_seconds, answer.seconds, text);
    }
  });

  it('nor by the handshake of a stream', async () => {
    const { WebSocket, Agent } = await import('undici');
    for (const [at, answer] of foreign.entries()) {
      const dispatcher = new Agent();
      const end = await new Promise<SocketEnd>((resolve) => {
        const nothing = () => {};
        const events = { opened: nothing, text: nothing, binary: nothing, closed: resolve };
        openWebSocket(`ws://${address(at)}/`, { WebSocket, dispatcher }, events);
      });
      await dispatcher.close();
      const isBare = answer.who === '' && !isPage(answer) && answer.status !== 407;
      if (isBare) assert.equal(end.status, answer.status);
      else assertForeign(`${end.front?.says} ${end.front?.wayOut}`, answer);
      assert.equal(end.retryAfterMs, answer.seconds === undefined ? undefined : answer.seconds * 1_000);
    }
  });

  it('nor for a venue by its requests', async () => {
    const network = await openNetwork();
    for (const [at, answer] of foreign.entries()) {
      // Venues are asked over HTTPS: a proxy refuses the connection to them, not the request.
      if (answer.status === 407) continue;
      const rest = new RestClient(venues.binance, `http://${address(at)}`, network, () => {});
      const asked = rest.ask({ path: '/x', weight: 1 });
      const error = await asked.then(
        () => assert.fail(`${answer.status}`),
        (reason: Error) => reason,
      );
      if (isPage(answer)) assertForeign(error.message, answer);
      else assert.match(error.message, new RegExp(`answers ${answer.status}`));
      if (answer.seconds !== undefined) assert.match(error.message, /asks to wait (?:1h|2m)/);
    }
    await network.close();
  });

  it('nor by doctor', async () => {
    using desk = new Desk();
    const config = foreign.flatMap((_, at) => [
      [`profiles.p${at}.env`, 'live'],
      [`profiles.p${at}.base_url`, `http://${address(at)}`],
    ]);
    mkdirSync(join(desk.folder, 'config'), { mode: 0o700 });
    writeFileSync(join(desk.folder, 'config/config.json'), JSON.stringify(Object.fromEntries(config)), { mode: 0o600 });
    const run = await desk.perp(['doctor', '--json']);
    for (const [at, answer] of foreign.entries()) {
      const { status, message, fix } = run.json.find(({ check }: { check: string }) => check === `p${at} host`);
      assert.equal(status, 'fail', message);
      assertForeign(`${message} ${fix}`, answer);
      if (answer.seconds !== undefined) assert.match(message, /asks to wait (?:1h|2m)/);
    }
  });
});
