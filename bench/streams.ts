/**
 * Streams: the real recording at full speed to 100 readers of trades and ticks, against a bare `ws` server that sends
 * the same frames; the cost of a reader that never reads; and how soon a fill's frame arrives after the answer to its
 * order.
 */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { Pool } from 'undici';
import { WebSocket, WebSocketServer } from 'ws';
import { PlayedBars } from '../src/exchange/markets/played-bars.ts';
import { openRecording } from '../src/exchange/markets/recorded/recorded-source.ts';
import { MarketHub } from '../src/service/streams/market-hub.ts';
import { MarketSession } from '../src/service/streams/market-session.ts';
import type { Outlet } from '../src/wire/hosting/stream-host.ts';
import { allAtOnce } from '../test/service/streams/all-at-once.ts';
import { type Figure, median } from './measure.ts';
import { marketOrderBody } from './orders.ts';
import { served, server } from './served.ts';

const recordingFile = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
const readers = 100;
const rounds = 3;
/** Exchange time between flushes. */
const stepMs = 500;
/** Even the fastest server waits for its readers; otherwise this would measure memory. */
const waitAboveBytes = 512 * 1024;
const orders = 300;

export async function streams(): Promise<Figure[]> {
  const ratios: number[] = [];
  const rates: number[] = [];
  const peaks: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const bare = await broadcast('--bare');
    const ours = await broadcast('--ours');
    if (round < 0) continue;
    ratios.push((ours.framesPerSecond / bare.framesPerSecond) * 100);
    rates.push(ours.framesPerSecond);
    peaks.push(ours.peakMib);
  }
  const stuck = await broadcast('--ours', true);
  const latency = await fillLatency();
  return [
    {
      isQuoted: true,
      name: `recording to ${readers} readers of trades and ticks / bare ws broadcast`,
      value: median(ratios),
      unit: '%',
      target: { atLeast: 30 },
      note: `${Math.round(median(rates)).toLocaleString('en-US')} frames/s`,
    },
    {
      name: 'peak memory added by one reader that never reads',
      value: Math.max(0, stuck.peakMib - median(peaks)),
      unit: 'MiB',
      target: { atMost: 32 },
      note: 'its queue is limited to 8 MiB, then it is disconnected',
    },
    {
      isQuoted: true,
      name: "from an order's answer to its fill's frame / a ping on that socket",
      value: latency.fillMs / latency.pingMs,
      unit: 'x',
      target: { atMost: 2 },
      note: `${latency.fillMs.toFixed(3)} / ${latency.pingMs.toFixed(3)} ms`,
    },
  ];
}

/** Runs one server to its last frame; readers only count bytes, so only the server is measured. */
async function broadcast(mode: string, withStuckReader = false): Promise<{ framesPerSecond: number; peakMib: number }> {
  const child = await server([import.meta.filename, mode], process.env);
  const port = Number(new URL(child.url).port);
  try {
    const stuck = withStuckReader ? await reader(port) : null;
    stuck?.pause();
    const sockets = await Promise.all(Array.from({ length: readers }, () => reader(port)));
    const ended = sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on('data', () => {});
          socket.once('close', resolve);
        }),
    );
    const start = performance.now();
    await fetch(`${child.url}/go`);
    await Promise.all(ended);
    const seconds = (performance.now() - start) / 1000;
    stuck?.destroy();
    const { frames, peakMib } = (await (await fetch(`${child.url}/result`)).json()) as {
      frames: number;
      peakMib: number;
    };
    return { framesPerSecond: frames / seconds, peakMib };
  } finally {
    await child.stop();
  }
}

/** A WebSocket implemented by hand, after its handshake. */
function reader(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const key = 'AAAAAAAAAAAAAAAAAAAAAA==';
    const head = `GET /v1/market-data HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
    socket.write(head);
    socket.once('data', () => resolve(socket));
    socket.once('error', reject);
  });
}

async function fillLatency(): Promise<{ fillMs: number; pingMs: number }> {
  const service = await served();
  const pool = new Pool(service.url, { connections: 1, pipelining: 1 });
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/v1/stream`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  try {
    let onFill = () => {};
    await new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        const { type } = JSON.parse(String(data));
        if (type === 'snapshot_end') resolve();
        if (type === 'fill') onFill();
      });
    });
    const fills: number[] = [];
    const pings: number[] = [];
    for (let number = 0; number < orders; number++) {
      const filledAt = new Promise<number>((resolve) => {
        onFill = () => resolve(performance.now());
      });
      const { body } = await pool.request({
        method: 'POST',
        path: '/v1/orders',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${service.key}`,
          'idempotency-key': `bench-${number}`,
        },
        body: marketOrderBody(service.accountId, number),
      });
      await body.text();
      const answeredAt = performance.now();
      fills.push(Math.max(0, (await filledAt) - answeredAt));
      const pingedAt = performance.now();
      await new Promise((resolve) => {
        socket.once('pong', resolve);
        socket.ping();
      });
      pings.push(performance.now() - pingedAt);
    }
    return { fillMs: median(fills), pingMs: median(pings) };
  } finally {
    socket.terminate();
    await pool.close();
    await service.stop();
  }
}

/** What a server does once its readers are connected; returns the number of frames it sent. */
type Play = (clients: ReadonlySet<WebSocket>) => Promise<number>;

async function serveOnce(opened: (client: WebSocket) => void, play: Play): Promise<void> {
  let result = { frames: 0, peakMib: 0 };
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const host = createServer(async (request, response) => {
    if (request.url === '/go') {
      response.end();
      const clients = new Set(webSockets.clients);
      let peak = 0;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 5);
      const frames = await play(clients);
      clearInterval(watch);
      result = { frames, peakMib: peak / 2 ** 20 };
      for (const client of clients) client.close(1000);
      setTimeout(() => {
        for (const client of clients) client.terminate();
      }, 200);
    } else response.end(JSON.stringify(result));
  });
  host.on('upgrade', (request, socket, head) => webSockets.handleUpgrade(request, socket, head, opened));
  host.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(host.address() as { port: number }).port}` }));
  });
}

/** Sends the recording, step by step, to all subscribers; `between` waits for the readers. */
async function playRecording(subscribe: (hub: MarketHub) => void, between: () => Promise<void>): Promise<void> {
  const { source, firstTime, lastTime, close } = await openRecording(recordingFile);
  const hub = new MarketHub(source, new PlayedBars(source, firstTime), () => firstTime, allAtOnce);
  hub.pulse(firstTime, 0);
  subscribe(hub);
  for (let now = firstTime; now < lastTime; ) {
    now = Math.min(now + stepMs, lastTime);
    hub.pulse(now, now);
    await between();
  }
  close();
}

function subscribeTo(hub: MarketHub, outlet: Outlet): void {
  const session = new MarketSession(hub, outlet, 0, { closed() {}, bug: console.error });
  const payload = { symbols: ['BTCUSDT'], providers: ['binance'] };
  for (const [id, channel] of ['trades', 'ticks'].entries())
    session.receive(JSON.stringify({ op: 'sub', id, channel, payload }), 0);
}

/** Waits until every reader has room, except one that does not read. */
async function readersHaveRoom(clients: ReadonlySet<WebSocket>): Promise<void> {
  const isFull = () => [...clients].filter(({ bufferedAmount }) => bufferedAmount > waitAboveBytes).length > 1;
  do await new Promise((resolve) => setImmediate(resolve));
  while (isFull());
}

function ours(): Promise<void> {
  return serveOnce(
    () => {},
    async (clients) => {
      let frames = 0;
      const outletOf = (client: WebSocket): Outlet => ({
        send: (text) => {
          frames += 1;
          client.send(text);
        },
        get buffered() {
          return client.bufferedAmount;
        },
        close: (code, reason) => client.close(code, reason),
      });
      await playRecording(
        (hub) => {
          for (const client of clients) subscribeTo(hub, outletOf(client));
        },
        () => readersHaveRoom(clients),
      );
      return frames;
    },
  );
}

/** The frames that one reader receives, sent to all without any other work; prepared before timing starts. */
async function bare(): Promise<void> {
  const steps: string[][] = [];
  let frames: string[] = [];
  const outlet: Outlet = { send: (text) => frames.push(text), buffered: 0, close() {} };
  await playRecording(
    (hub) => subscribeTo(hub, outlet),
    async () => {
      steps.push(frames);
      frames = [];
    },
  );
  await serveOnce(
    () => {},
    async (clients) => {
      let sent = 0;
      for (const step of steps) {
        for (const text of step)
          for (const client of clients) {
            client.send(text);
            sent += 1;
          }
        await readersHaveRoom(clients);
      }
      return sent;
    },
  );
}

if (process.argv.includes('--ours')) await ours();
if (process.argv.includes('--bare')) await bare();
