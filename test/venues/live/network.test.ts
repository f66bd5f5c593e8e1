import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket as NetSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { LiveMarkets } from '../../../src/venues/live/live-markets.ts';
import type { Network } from '../../../src/venues/live/network.ts';
import { type NetworkOptions, openNetwork } from '../../../src/venues/live/open-network.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { ConnectProxy, proxyVariables } from '../../base/sockets/connect-proxy.ts';
import { test, trial } from '../../tiers.ts';
import { setVariables } from '../../variables.ts';
import { trialVenues } from './drawn-faults.ts';
import { venueServer } from './live-scene.ts';
import { certificate, ListeningVenue } from './servers/listening.ts';

/** The real network, with a clock that runs `speed` times as fast as the real one. */
async function openedNetwork(t: TestContext, { speed = 1, ...options }: NetworkOptions & { speed?: number } = {}) {
  const real = await openNetwork(options);
  t.after(() => real.close());
  const start = Date.now();
  const network: Network = {
    ...real,
    now: () => Math.round(start + (Date.now() - start) * speed),
    uptime: () => real.uptime() * speed,
    after: (ms, run) => real.after(ms / speed, run),
    fetch: (url, request) => real.fetch(url, { ...request, timeoutMs: Math.ceil(request.timeoutMs / speed) }),
  };
  return network;
}

interface Setup {
  secure?: boolean;
  speed?: number;
}

/** A venue on this machine and live markets on it; both markets are always in use. */
async function open(t: TestContext, name: VenueName, { secure = false, speed = 1 }: Setup = {}) {
  const network = await openedNetwork(t, { speed, ...(secure ? { ca: certificate } : {}) });
  const server = venueServer(name, () => network.now());
  const venue = await ListeningVenue.open(server, { secure });
  const folder = mkdtempSync(join(tmpdir(), 'perp-network-'));
  const marketIds = server.markets.map(({ coin }) => `${name === 'service' ? 'binance' : name}|${coin}`);
  const live = await LiveMarkets.open({
    tape: join(folder, 'tape.jsonl'),
    venues: [{ venue: venues[name], address: venue.address }],
    network,
    cache: null,
    always: marketIds,
  });
  t.after(async () => {
    await live.close();
    await venue[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  venue.move(Math.max(1, 50 / speed));
  const state = () => live.status().feeds[0]!;
  return { live, venue, server, marketIds, state };
}

/** Waits until a condition holds. */
async function until(what: string, isSo: () => boolean, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!isSo()) {
    assert.ok(Date.now() < end, `not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

type Opened = Awaited<ReturnType<typeof open>>;

const areLive = ({ state }: Opened) => state().markets.length === 2 && state().markets.every((m) => m.state === 'live');

describe("over local sockets, markets become live and show the venue's books", { concurrency: true }, () => {
  for (const name of trialVenues) {
    (name === 'binance' ? test : trial)(name, async (t) => {
      const desk = await open(t, name);
      await until('both markets live', () => areLive(desk));
      const { messages } = desk.state().markets[0]!;
      await until('messages', () => desk.state().markets[0]!.messages > messages + 20);
      desk.venue.rest();
      for (const [at, marketId] of desk.marketIds.entries()) {
        const { priceDecimals } = desk.live.market(marketId)!.definition;
        const [best] = desk.server.markets[at]!.levels('bids', 1);
        const bid = () => desk.live.source.book(marketId, desk.live.time())!.bids[0]!;
        await until(`the best bid of ${marketId}`, () => bid() / 10 ** priceDecimals === best![0] / 10);
      }
      assert.deepEqual(
        desk.state().connections.filter(({ reconnects }) => reconnects > 0),
        [],
      );
    });
  }
});

trial('over TLS, a server is trusted only if a trusted authority signed its certificate', async (t) => {
  const desk = await open(t, 'binance', { secure: true });
  await until('both markets live', () => areLive(desk));
  const strict = await openedNetwork(t);
  await assert.rejects(strict.fetch(`${desk.venue.address.restUrl}/fapi/v1/time`, { timeoutMs: 5_000 }), /self-signed/);
  const reason = await new Promise<string>((resolve) => {
    strict.connect(desk.venue.address.wsUrl, { onOpen() {}, onFrame() {}, onClose: resolve });
  });
  assert.notEqual(reason, '');
});

test('a TLS connection cut in the middle of a frame is reopened, and the book is complete again', async (t) => {
  const desk = await open(t, 'bybit', { secure: true });
  await until('both markets live', () => areLive(desk));
  for (const socket of desk.venue.sockets.values()) {
    const raw = (socket as unknown as { _socket: NetSocket })._socket;
    // A text frame of 126 bytes, of which only ten arrive.
    raw.write(Buffer.from([0x81, 126, 0, 126, ...Buffer.from('{"topic":"')]));
    raw.destroy();
  }
  await until('a reconnect', () => desk.state().connections[0]!.reconnects > 0);
  await until('both markets live', () => areLive(desk));
  assert.equal(desk.state().markets[0]!.gaps, 1);
});

test('a half-open connection is dropped, and another is opened', async (t) => {
  const desk = await open(t, 'binance', { speed: 20 });
  await until('both markets live', () => areLive(desk));
  // The server's machine is gone: it reads, sends and closes nothing.
  const { subscriptions } = desk.server;
  for (const [end, socket] of desk.venue.sockets) {
    (socket as unknown as { _socket: NetSocket })._socket.pause();
    subscriptions.delete(end);
  }
  await until('a gap', () => desk.state().markets.every(({ gaps }) => gaps > 0));
  await until('both markets live', () => areLive(desk));
  assert.ok(desk.state().connections[0]!.reconnects > 0);
});

test('a venue that refuses connections is asked again when its Retry-After allows', async (t) => {
  const desk = await open(t, 'bybit', { speed: 10 });
  await until('both markets live', () => areLive(desk));
  desk.venue.refusal = ['HTTP/1.1 429 Too Many Requests', 'Retry-After: 8', 'Content-Length: 0'];
  const begun = performance.now();
  for (const socket of desk.venue.sockets.values()) socket.terminate();
  await until('a refusal', () => desk.state().connections[0]!.problem === 'refused with HTTP status 429');
  const { waitMs } = desk.state().connections[0]!;
  assert.ok(waitMs <= 8_000, `${waitMs} ms`);
  desk.venue.refusal = null;
  await until('both markets live', () => areLive(desk));
  const tookMs = performance.now() - begun;
  // A tenth of eight seconds.
  assert.ok(tookMs >= 780, `${tookMs} ms`);
});

test('compressed frames are read', async (t) => {
  const desk = await open(t, 'bybit');
  desk.venue.compresses = true;
  await until('both markets live', () => areLive(desk));
  assert.equal(desk.state().connections[0]!.garbled, 0);
});

test('a request with a body is a POST of JSON; one without is a GET', async (t) => {
  const server = createHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => response.end(`${request.method} ${request.headers['content-type'] ?? 'nothing'} ${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const network = await openedNetwork(t);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const asked = async (more: object) => (await network.fetch(url, { timeoutMs: 60_000, ...more })).body;
  assert.deepEqual(
    [await asked({ body: '{"type":"meta"}' }), await asked({})],
    ['POST application/json {"type":"meta"}', 'GET nothing '],
  );
});

test('pings from the server are answered', async (t) => {
  const desk = await open(t, 'binance');
  await until('a connection', () => desk.venue.sockets.size > 0);
  for (const socket of desk.venue.sockets.values()) socket.ping();
  await until('a pong', () => desk.venue.pongs > 0);
});

test('pings of the protocol reach the server', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => server.close());
  await once(server, 'listening');
  const network = await openedNetwork(t);
  const socket = network.connect(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    onOpen: () => socket.ping!(),
    onFrame: () => {},
    onClose: () => {},
  });
  t.after(() => socket.abandon());
  const [opened] = await once(server, 'connection');
  await once(opened, 'ping', { signal: AbortSignal.timeout(10_000) });
});

test('after too many requests, the pause that the venue demands is kept', async (t) => {
  const desk = await open(t, 'binance', { speed: 10 });
  await until('both markets live', () => areLive(desk));
  let refusedAt = 0;
  let askedAgainAt = 0;
  desk.server.troubles.answer = (ordinary) => {
    if (refusedAt > 0) {
      askedAgainAt ||= Date.now();
      return ordinary();
    }
    refusedAt = Date.now();
    return { status: 429, body: '{"code":-1003}', headers: { 'retry-after': '8' } };
  };
  for (const socket of desk.venue.sockets.values()) socket.terminate();
  await until('another request', () => askedAgainAt > 0);
  // A tenth of eight seconds.
  assert.ok(askedAgainAt - refusedAt >= 780, `${askedAgainAt - refusedAt} ms`);
  await until('both markets live', () => areLive(desk));
});

test('requests and streams go through the proxy, with its user and password, and by none that NO_PROXY leaves out', async (t) => {
  const network = await openedNetwork(t, { ca: certificate });
  const server = venueServer('hyperliquid', () => network.now());
  const venue = await ListeningVenue.open(server, { secure: true });
  t.after(() => venue[Symbol.asyncDispose]());
  const { port } = new URL(venue.address.restUrl);
  const proxy = await ConnectProxy.open({ user: 'me:word', leads: { 'venue.example:443': Number(port) } });
  t.after(() => proxy[Symbol.asyncDispose]());
  t.after(setVariables(proxyVariables(proxy.url('me:word'))));
  const fetched = () => network.fetch('https://venue.example/nothing', { timeoutMs: 60_000 });
  assert.equal((await fetched()).status, 404);
  await new Promise<void>((resolve, reject) => {
    const onClose = (reason: string) => reject(new Error(reason));
    const socket = network.connect('wss://venue.example', { onOpen, onFrame() {}, onClose });
    function onOpen() {
      socket.abandon();
      resolve();
    }
  });
  assert.deepEqual(new Set(proxy.asked), new Set(['venue.example:443']));
  const { length } = proxy.asked;
  process.env.NO_PROXY = 'example';
  const direct = await openedNetwork(t, { ca: certificate });
  await assert.rejects(direct.fetch('https://venue.example/nothing', { timeoutMs: 60_000 }), /venue\.example/);
  const here = await direct.fetch(`${venue.address.restUrl}/nothing`, { timeoutMs: 60_000 });
  assert.deepEqual([here.status, proxy.asked.length], [404, length]);
});

test('what a proxy refuses, and a variable that names none, is told', async (t) => {
  const proxy = await ConnectProxy.open({ user: 'me:word' });
  t.after(() => proxy[Symbol.asyncDispose]());
  t.after(setVariables(proxyVariables()));
  for (const [HTTPS_PROXY, why] of [
    [proxy.url(), /through the proxy http:\/\/localhost:\d+ \(HTTPS_PROXY\): it requires a user and a password/],
    ['socks5://me:word@localhost:1', /^HTTPS_PROXY names a proxy with socks5:/],
  ] as const) {
    setVariables({ HTTPS_PROXY });
    const network = await openedNetwork(t);
    const asked = network.fetch('https://venue.example/', { timeoutMs: 60_000 });
    await assert.rejects(asked, ({ message }: Error) => why.test(message) && !message.includes('me:word'));
    const reason = await new Promise<string>((resolve) => {
      network.connect('wss://venue.example', { onOpen() {}, onFrame() {}, onClose: resolve });
    });
    assert.match(reason, why);
  }
});

test('errors distinguish a missing server, one that does not answer and one that redirects', async (t) => {
  const network = await openedNetwork(t);
  const silent = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => silent.listen(0, 'localhost', resolve));
  t.after(() => silent.close());
  const { port } = silent.address() as { port: number };
  await assert.rejects(network.fetch(`http://localhost:${port}/`, { timeoutMs: 100 }), /no answer within 100 ms/);
  const redirecting = createServer((socket) => {
    socket.resume();
    socket.end('HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/\r\nContent-Length: 0\r\n\r\n');
  });
  t.after(() => redirecting.close());
  await new Promise<void>((resolve) => redirecting.listen(0, 'localhost', resolve));
  const { port: other } = redirecting.address() as { port: number };
  assert.equal((await network.fetch(`http://localhost:${other}/`, { timeoutMs: 5_000 })).status, 302);
  await new Promise((resolve) => redirecting.close(resolve));
  await assert.rejects(network.fetch(`http://localhost:${other}/`, { timeoutMs: 5_000 }), /ECONNREFUSED/);
  const reason = await new Promise<string>((resolve) => {
    network.connect(`ws://localhost:${other}`, { onOpen() {}, onFrame() {}, onClose: resolve });
  });
  assert.match(reason, /ECONNREFUSED.*code 1006/);
});
