/**
 * What others notice of chart clients: an order's latency at the 99th percentile while 50 clients ask for candles
 * without pause, against the same orders without them; and the memory of the service a minute after 4,000 sockets, and
 * 20 readers that never read, have left. The chart clients are a process of their own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { type Figure, median } from './measure.ts';
import { marketOrderBody } from './orders.ts';
import { type Served, served } from './served.ts';

const chartClients = 50;
const historiesPerClient = 2;
const ordersPerRound = 600;
const rounds = 3;
const sockets = 4_000;
/** So many that the service gives memory back after them. */
const visitors = 600;
const readersThatNeverRead = 20;
const leftMs = 60_000;

export async function charts(): Promise<Figure[]> {
  const service = await served();
  try {
    return [await latency(service), await memory(service)];
  } finally {
    await service.stop();
  }
}

async function latency({ url, key, accountId }: Served): Promise<Figure> {
  const alone: number[] = [];
  const beside: number[] = [];
  let pages = 0;
  await latencies(url, key, accountId);
  for (let round = 0; round < rounds; round++) {
    alone.push(quantile(await latencies(url, key, accountId)));
    const clients = spawn(process.execPath, [import.meta.filename, '--chart-clients', url], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(clients.stdout, 'data');
    beside.push(quantile(await latencies(url, key, accountId)));
    const told = once(clients.stdout, 'data');
    clients.stdin.end();
    pages += Number(String((await told)[0]));
  }
  const [without, withThem] = [median(alone), median(beside)];
  return {
    name: `an order's p99 under ${chartClients} chart clients / without them`,
    value: withThem / without,
    unit: 'x',
    target: { atMost: 5 },
    note: `${withThem.toFixed(1)} / ${without.toFixed(1)} ms, ${pages} pages of 1,500 candles`,
  };
}

/** How long orders took, one after the other, ms. */
async function latencies(url: string, key: string, accountId: string): Promise<number[]> {
  const pool = new Pool(url, { connections: 1 });
  const taken: number[] = [];
  for (let number = 0; number < ordersPerRound; number++) {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v1/orders',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'idempotency-key': crypto.randomUUID(),
      },
      body: marketOrderBody(accountId, number),
    });
    const text = await body.text();
    if (statusCode !== 201) throw new Error(`${statusCode}: ${text}`);
    taken.push(performance.now() - startedAt);
    await delay(1);
  }
  await pool.close();
  return taken;
}

function quantile(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)]!;
}

async function memory({ url, key, pid }: Served): Promise<Figure> {
  const market = url.replace('http', 'ws');
  const open = async (path: string, headers = {}): Promise<WebSocket> => {
    const socket = new WebSocket(market + path, { headers });
    socket.on('error', () => {});
    await once(socket, 'open');
    return socket;
  };
  const visit = async (count: number) => {
    const opened: WebSocket[] = [];
    for (let number = 0; number < count; number += 100) {
      const more = Array.from({ length: Math.min(100, count - number) }, (_, index) =>
        index % 2 === 0 ? open('/v1/market-data') : open('/v1/stream', { authorization: `Bearer ${key}` }),
      );
      opened.push(...(await Promise.all(more)));
    }
    for (const [index, socket] of opened.entries())
      if (index % 2 === 0) socket.send(subscription('ticks', ['BTCUSDT', 'ETHUSDT']));
    return opened;
  };
  // Everything is loaded, every kind of reader has been there once, and what they and the charts left behind is
  // collected as it is later: by accident of the collector, it would be a hundred megabytes more or less.
  for (const socket of await visit(visitors)) socket.close();
  await delay(leftMs / 2);
  const before = rssOf(pid);
  const opened = await visit(sockets);
  for (let number = 0; number < readersThatNeverRead; number++) {
    const socket = await open('/v1/market-data');
    socket.send(subscription('trades', ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'DOGEUSDT', 'BNBUSDT']));
    for (let id = 2; id < 6; id++) socket.send(historyRequest(id, '1m'));
    socket.pause();
    opened.push(socket);
  }
  await delay(5_000);
  const most = rssOf(pid);
  for (const socket of opened) socket.terminate();
  await delay(leftMs);
  const after = rssOf(pid);
  return {
    name: `memory a minute after ${sockets.toLocaleString('en-US')} sockets and ${readersThatNeverRead} that never read / before`,
    value: after / before,
    unit: 'x',
    target: { atMost: 1.1 },
    note: `${Math.round(after)} / ${Math.round(before)} MiB, ${Math.round(most)} with them`,
  };
}

function subscription(channel: string, symbols: readonly string[]): string {
  return JSON.stringify({ op: 'sub', id: 1, channel, payload: { symbols, providers: ['binance'] } });
}

function historyRequest(id: number, interval: string): string {
  const payload = { provider: 'binance', symbol: 'BTCUSDT', interval, limit: 1500 };
  return JSON.stringify({ op: 'req', id, method: 'candles.history', payload });
}

/** Resident memory, MiB. */
function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** In a process of its own: clients that ask for the next page as soon as they have one, until the input ends. */
async function askForCharts(url: string): Promise<void> {
  let pages = 0;
  const clients = await Promise.all(
    Array.from({ length: chartClients }, async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/market-data`);
      await once(socket, 'open');
      let id = 0;
      const intervals = ['1m', '5m', '15m', '1h'];
      const next = () => socket.send(historyRequest(++id, intervals[id % intervals.length]!));
      socket.on('message', () => {
        pages += 1;
        next();
      });
      for (let count = 0; count < historiesPerClient; count++) next();
      return socket;
    }),
  );
  await delay(500);
  console.log('ready');
  process.stdin.resume();
  await once(process.stdin, 'end');
  for (const socket of clients) socket.terminate();
  console.log(pages);
}

if (process.argv[2] === '--chart-clients') await askForCharts(process.argv[3]!);
