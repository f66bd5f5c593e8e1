/**
 * The live screen: how soon its first frame appears, its cost while ten markets change ten times a second, and whether
 * its memory grows over 100 hours of market time. The screen is a real terminal of 120 x 40, made by script(1).
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import type { Market } from '../src/wire/contract/markets.ts';
import type { BookEvent, CandleEvent, TickEvent } from '../src/wire/contract/streams.ts';
import { type Figure, median } from './measure.ts';
import { benchFolder, executable, perp, served, server } from './served.ts';

const rounds = 7;
const markets = 10;
const everyMs = 100;
const busyMs = 15_000;
const hours = 100;
/** Speed of the market that is watched for hours. */
const speed = 6_000;
const frameEnd = '\u001b[?2026l';
const frameStart = '\u001b[?2026h';

export async function watch(): Promise<Figure[]> {
  const first = await firstFrame();
  const busy = await whileBusy();
  return [
    { isQuoted: true, name: 'first frame of perp watch / node -e 0', ...first, unit: 'x', target: { atMost: 12 } },
    {
      isQuoted: true,
      name: `perp watch, ${markets} markets at ${1000 / everyMs} updates/s, share of a core`,
      value: busy.share,
      unit: '%',
      target: { atMost: 15 },
      note: `peak ${busy.peakMib.toFixed(0)} MiB`,
    },
    {
      isQuoted: true,
      name: 'perp watch, frames a second meanwhile',
      value: busy.frames,
      unit: '',
      target: { atMost: 5 },
    },
    {
      isQuoted: true,
      name: `perp watch, heap after ${hours} hours of market / after ${hours / 10}`,
      ...(await heapGrowth()),
      unit: 'x',
      target: { atMost: 1.1 },
    },
  ];
}

/** With the simulation in process: from the start to the first frame that shows an account and a book. */
async function firstFrame(): Promise<{ value: number; note: string }> {
  const { env, remove } = benchFolder();
  try {
    perp(['accounts'], env);
    const ratios: number[] = [];
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const start = performance.now();
      spawnSync(process.execPath, ['-e', '0'], { env });
      const bareMs = performance.now() - start;
      const ownMs = await untilFrame(env);
      if (round < 0) continue;
      ratios.push(ownMs / bareMs);
      times.push(ownMs);
    }
    return { value: median(ratios), note: `${median(times).toFixed(0)} ms` };
  } finally {
    remove();
  }
}

async function untilFrame(env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now();
  const terminal = onTerminal(['watch'], env);
  return new Promise((resolve) => {
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (!text.includes(frameEnd)) return;
      resolve(performance.now() - start);
      terminal.stdin.end('q');
    });
  });
}

/** Over loopback: accounts from a served simulation, prices from a server that sends at the measured rate. */
async function whileBusy(): Promise<{ share: number; frames: number; peakMib: number }> {
  const service = await served();
  const { folder, env, remove } = benchFolder();
  const feed = await server([import.meta.filename, '--feed'], env);
  try {
    const hook = join(folder, 'usage.cjs');
    const out = join(folder, 'usage.json');
    writeFileSync(hook, usageHook(out));
    const names = JSON.parse(perp(['markets', '--json'], service.env)) as Market[];
    const argv = names.slice(0, markets).map(({ market_id }) => market_id.replace('|', ':'));
    const host = {
      PERP_ENV: 'live',
      PERP_BASE_URL: service.url,
      PERP_API_KEY: service.key,
      PERP_MARKET_STREAM_URL: feed.url,
      PERP_ACCOUNT_STREAM_URL: service.url.replace('http', 'ws'),
      NODE_OPTIONS: `--require ${hook}`,
    };
    const terminal = onTerminal(['watch', ...argv, '--for', `${busyMs}ms`], { ...env, ...host });
    let text = '';
    terminal.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await new Promise((resolve) => terminal.on('close', resolve));
    const { cpuMs, peakKib } = JSON.parse(readFileSync(out, 'utf8')) as { cpuMs: number; peakKib: number };
    return {
      share: (cpuMs / busyMs) * 100,
      frames: (text.split(frameStart).length - 1) / (busyMs / 1000),
      peakMib: peakKib / 1024,
    };
  } finally {
    await feed.stop();
    await service.stop();
    remove();
  }
}

function usageHook(out: string): string {
  return `
const began = process.cpuUsage();
process.on('exit', () => {
  const { user, system } = process.cpuUsage(began);
  const usage = { cpuMs: (user + system) / 1000, peakKib: process.resourceUsage().maxRSS };
  require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(usage));
});`;
}

function onTerminal(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const command = `stty cols 120 rows 40; exec '${process.execPath}' '${executable}' ${argv.join(' ')}`;
  const variables = { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  return spawn('script', ['-qec', command, '/dev/null'], { env: variables });
}

/** A market-data stream in which every market changes constantly. */
function feed(): void {
  const http = createServer();
  new WebSocketServer({ server: http }).on('connection', (socket) => {
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    const timers: NodeJS.Timeout[] = [];
    socket.on('close', () => {
      for (const timer of timers) clearInterval(timer);
    });
    socket.on('message', (data) => {
      const { op, id, channel, payload } = JSON.parse(String(data));
      if (op === 'req') send({ op: 'res', id, result: Date.now() });
      if (op !== 'sub') return;
      send({ op: 'sub_ok', id, sub: String(id), snapshotBoundary: false });
      const market = { provider: payload.providers[0] as string, symbol: payload.symbols[0] as string };
      timers.push(
        setInterval(() => send({ op: 'events', sub: String(id), events: eventsOf(channel, market) }), everyMs),
      );
    });
  });
  http.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ base_url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}` }));
  });
  process.on('SIGTERM', () => process.exit());
}

function eventsOf(channel: string, market: { provider: string; symbol: string }): object[] {
  const time = Date.now();
  const price = 1000 + Math.sin(time / 1000) * 10;
  if (channel === 'ticks') return ticks(market, price, time);
  if (channel === 'books') return [book(market, price, time)];
  return channel === 'candles' ? [candle(market, price, time)] : [];
}

function ticks(market: { provider: string; symbol: string }, price: number, time: number): TickEvent[] {
  return (['last', 'mid', 'mark'] as const).map((kind) => ({
    type: 'tick',
    ...market,
    kind,
    price: price.toFixed(2),
    time,
  }));
}

function book(market: { provider: string; symbol: string }, price: number, time: number): BookEvent {
  const level = (at: number) => ({
    px: (price + at / 10).toFixed(1),
    sz: (1 + ((time / 100 + at * 7) % 13)).toFixed(3),
  });
  const levels = Array.from({ length: 50 }, (_, at) => at + 1);
  return { type: 'book', ...market, bids: levels.map((at) => level(-at)), asks: levels.map(level), time };
}

function candle(market: { provider: string; symbol: string }, price: number, time: number): CandleEvent {
  const openTime = time - (time % 60_000);
  const text = price.toFixed(1);
  const prices = { open: '1000.0', high: (price + 5).toFixed(1), low: (price - 5).toFixed(1), close: text };
  const rest = { volume: '1', quoteVolume: null, trades: null, isFinal: false };
  return { type: 'candle', ...market, interval: '1m', openTime, closeTime: openTime + 59_999, ...prices, ...rest };
}

/** How much the heap grows from early to late while a served market runs, with a position open in it. */
async function heapGrowth(): Promise<{ value: number; note: string }> {
  const { folder, env, remove } = benchFolder();
  const reset = ['sim', 'reset', '--plan', 'none', '--speed', String(speed), '--yes'];
  perp(reset, env);
  const ports = ['--port', '0', '--sandbox-port', '0'];
  const service = await server([executable, 'sim', 'serve', ...ports, '--rate-limit', 'off', '-o', 'ndjson'], env);
  try {
    perp(['order', 'place', 'BTC', 'buy', '0.1', '--yes'], env);
    const hook = join(folder, 'heap.cjs');
    const out = join(folder, 'heap.json');
    const lateMs = (hours * 3_600_000) / speed;
    writeFileSync(hook, heapHook(out, lateMs / 10, lateMs));
    const argv = ['watch', '--for', `${lateMs + 1_000}ms`];
    const terminal = onTerminal(argv, { ...env, NODE_OPTIONS: `--require ${hook}` });
    terminal.stdout.resume();
    await new Promise((resolve) => terminal.on('close', resolve));
    const [early, late] = JSON.parse(readFileSync(out, 'utf8')) as [number, number];
    return { value: late / early, note: `${(late / 2 ** 20).toFixed(1)} MiB, a market at ${speed} x` };
  } finally {
    await service.stop();
    remove();
  }
}

function heapHook(out: string, earlyMs: number, lateMs: number): string {
  return `
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');
const sizes = [];
for (const ms of [${earlyMs}, ${lateMs}])
  setTimeout(() => {
    collect();
    sizes.push(process.memoryUsage().heapUsed);
    require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(sizes));
  }, ms).unref();`;
}

if (process.argv[2] === '--feed') feed();
