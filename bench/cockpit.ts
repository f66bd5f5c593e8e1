/**
 * Trading by hand: from a key to the first byte of its order, against a loop that does nothing else, and what the
 * ladder costs while a recorded market plays. Both programs run on a real terminal, made by script(1).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bookFeed, feedMs } from './book-feed.ts';
import type { Figure } from './measure.ts';
import { benchFolder, executable, perp, server } from './served.ts';

const extract = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
/** Enough that a hundredth of them is more than one. */
const keys = 205;
/** A key works again after 0.7 s; two keys take turns. */
const everyMs = 400;
const busyMs = 12_000;
const startMs = 4_000;
const endMs = 500;
const frameStart = '\u001b[?2026h';

export async function cockpit(): Promise<Figure[]> {
  const { folder, env, remove } = benchFolder();
  const reset = ['sim', 'reset', '--plan', 'none', '--books', extract, '--state', 'tape', '--yes'];
  perp(reset, env);
  const limits = '{"limits": {"trades_per_minute": 1e9, "trades_per_hour": 1e9, "trades_per_day": 1e9}}';
  perp(['sim', 'policy', limits, '--state', 'tape'], env);
  const { api_key: key } = JSON.parse(
    perp(['sim', 'key', 'add', '--scope', 'trade', '--state', 'tape', '--json'], env),
  );
  const ports = ['--port', '0', '--sandbox-port', '0'];
  const serve = ['sim', 'serve', '--state', 'tape', ...ports, '--rate-limit', 'off', '-o', 'ndjson'];
  const service = await server([executable, ...serve], env);
  const wire = await tapped(new URL(service.url));
  try {
    const stream = service.url.replace('http', 'ws');
    const host = {
      ...env,
      PERP_ENV: 'live',
      PERP_BASE_URL: wire.url,
      PERP_API_KEY: key,
      PERP_MARKET_STREAM_URL: stream,
      PERP_ACCOUNT_STREAM_URL: stream,
      PERP_STATE_DIR: join(folder, 'trader'),
    };
    const { bare, kept, own } = await keyTimes(wire, folder, host);
    // Not over the wire, which this process would have to serve meanwhile.
    const busy = await ladderCost(folder, { ...host, PERP_BASE_URL: service.url });
    const ratio = p99(own) / p99(bare);
    return [
      {
        isQuoted: true,
        name: "armed key to its order's first byte, p99 / a bare loop",
        value: ratio,
        unit: 'x',
        target: { atMost: 3 },
        note: `${p99(own).toFixed(2)} ms; median ${median(own).toFixed(2)} and ${median(bare).toFixed(2)} ms; a bare loop that first syncs a line to disk ${(p99(kept) / p99(bare)).toFixed(2)} x, median ${median(kept).toFixed(2)} ms`,
      },
      {
        isQuoted: true,
        name: `perp ladder, ${1_000 / feedMs} recorded books a second, share of a core`,
        value: busy.share,
        unit: '%',
        target: { atMost: 8 },
        note: `${busy.frames.toFixed(1)} frames/s, ${busy.kilobytes.toFixed(1)} kB/s`,
      },
    ];
  } finally {
    wire.close();
    await service.stop();
    remove();
  }
}

interface Wire {
  readonly url: string;
  /** Resolves with the time of the first byte of the next order, ms. */
  next(): Promise<number>;
  close(): void;
}

/** A wire to the service that notices orders. */
async function tapped({ hostname, port }: URL): Promise<Wire> {
  let tell: ((at: number) => void) | undefined;
  const wire = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) socket.on('error', () => {}).setNoDelay(true);
    client.on('data', (part) => {
      if (part.toString('latin1').includes('POST /v1/orders')) tell?.(performance.now());
      service.write(part);
    });
    service.on('data', (part) => client.write(part));
    client.on('close', () => service.destroy());
    service.on('close', () => client.destroy());
  });
  await new Promise<void>((done) => wire.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    next: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    close: () => wire.close(),
  };
}

/**
 * A program that reads a key and sends a request, over a connection that stays open. With a file, it first overwrites a
 * line in it and syncs that.
 */
const bareProgram = `
const fs = require('node:fs');
const agent = new (require('node:http').Agent)({ keepAlive: true });
const file = process.env.BENCH_FILE && fs.openSync(process.env.BENCH_FILE, 'r+');
const line = Buffer.alloc(1_000, 'x');
process.stdin.setRawMode(true).on('data', () => {
  if (file) fs.writeSync(file, line, 0, line.length, 0);
  if (file) fs.fdatasyncSync(file);
  const request = require('node:http').request(process.env.PERP_BASE_URL + '/v1/orders', { method: 'POST', agent });
  request.on('response', (answer) => answer.resume()).on('error', () => {});
  request.end('{}');
});
console.log('ready');`;

interface KeyTimes {
  readonly bare: number[];
  /** Of the bare loop that keeps a line on disk. */
  readonly kept: number[];
  readonly own: number[];
}

/** From each key to its order, ms; the programs take turns, so that each has the same disk and the same machine. */
async function keyTimes(wire: Wire, folder: string, env: NodeJS.ProcessEnv): Promise<KeyTimes> {
  const file = join(folder, 'lines');
  writeFileSync(file, ' '.repeat(1 << 18), { flush: true });
  const bare = await bareLoop(env);
  const kept = await bareLoop({ ...env, BENCH_FILE: file });
  const own = await armedKeys(env);
  const times: KeyTimes = { bare: [], kept: [], own: [] };
  for (let at = 0; at < keys; at++) {
    for (const [name, terminal] of Object.entries({ bare, kept, own })) {
      times[name as keyof KeyTimes].push(await pressed(wire, terminal, at));
      await delay(everyMs / 3);
    }
  }
  own.stdin.write('q');
  await delay(200);
  for (const terminal of [bare, kept, own]) terminal.kill();
  // The first ones open connections and load code.
  return { bare: times.bare.slice(5), kept: times.kept.slice(5), own: times.own.slice(5) };
}

async function bareLoop(env: NodeJS.ProcessEnv): Promise<ChildProcessWithoutNullStreams> {
  const terminal = onTerminal(`'${process.execPath}' -e "${bareProgram.replaceAll('"', '\\"')}"`, env);
  await shown(terminal, 'ready');
  return terminal;
}

async function armedKeys(env: NodeJS.ProcessEnv): Promise<ChildProcessWithoutNullStreams> {
  const terminal = onTerminal(`'${process.execPath}' '${executable}' ladder BTC`, env);
  await shown(terminal, 'tick a row');
  terminal.stdin.write('\u001b[I');
  for (const text of [
    'A',
    '\u007f'.repeat(150),
    'arm 0.001 --position 1000000 --loss 100000 --for 1h --rate 100000',
    '\r',
  ]) {
    terminal.stdin.write(text);
    await delay(1_500);
  }
  terminal.stdin.write('y');
  await shown(terminal, 'ARMED');
  return terminal;
}

/** From a key to its order, ms. */
async function pressed(wire: Wire, terminal: ChildProcessWithoutNullStreams, at: number): Promise<number> {
  const next = wire.next();
  const began = performance.now();
  terminal.stdin.write(at % 2 === 0 ? 'b' : 's');
  const arrived = await Promise.race([next, delay(5_000)]);
  if (arrived === undefined) throw new Error(`key ${at} sent nothing`);
  return arrived - began;
}

/** What the ladder costs once it has started, with an open position, while the book changes before every frame. */
async function ladderCost(folder: string, env: NodeJS.ProcessEnv): Promise<LadderCost> {
  const [hook, out] = [join(folder, 'usage.cjs'), join(folder, 'usage.json')];
  writeFileSync(
    hook,
    `let began;
setTimeout(() => { began = [process.cpuUsage(), performance.now()]; }, ${startMs}).unref();
setTimeout(() => {
  const { user, system } = process.cpuUsage(began[0]);
  const used = { cpuMs: (user + system) / 1000, ms: performance.now() - began[1] };
  require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(used));
}, ${startMs + busyMs - endMs}).unref();`,
  );
  perp(['order', 'place', 'BTC', 'buy', '0.001', '--stop-loss', '5%', '--take-profit', '5%', '--yes'], env);
  const feed = await bookFeed();
  const command = `'${process.execPath}' '${executable}' ladder BTC --for ${startMs + busyMs}ms`;
  const terminal = onTerminal(command, { ...env, PERP_MARKET_STREAM_URL: feed.url, NODE_OPTIONS: `--require ${hook}` });
  const began = performance.now();
  let text = '';
  terminal.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (performance.now() - began > startMs) text += part;
  });
  await new Promise((done) => terminal.on('close', done));
  const seconds = (performance.now() - began - startMs) / 1_000;
  feed.close();
  const { cpuMs, ms } = JSON.parse(readFileSync(out, 'utf8')) as { cpuMs: number; ms: number };
  return {
    share: (cpuMs / ms) * 100,
    frames: (text.split(frameStart).length - 1) / seconds,
    kilobytes: Buffer.byteLength(text) / 1_000 / seconds,
  };
}

interface LadderCost {
  readonly share: number;
  /** A second. */
  readonly frames: number;
  readonly kilobytes: number;
}

function onTerminal(command: string, env: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  const variables = { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  return spawn('script', ['-qec', `stty cols 120 rows 40; exec ${command}`, '/dev/null'], { env: variables });
}

/** Resolves when the terminal has shown a text. */
async function shown(terminal: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  let seen = '';
  await Promise.race([
    new Promise<void>((done) => {
      terminal.stdout.on('data', (part: Buffer) => {
        seen += part.toString();
        if (seen.includes(text)) done();
      });
    }),
    delay(30_000).then(() => Promise.reject(new Error(`never showed ${text}: ${seen.slice(-2_000)}`))),
  ]);
}

function sorted(times: readonly number[]): number[] {
  return times.toSorted((one, other) => one - other);
}

function p99(times: readonly number[]): number {
  return sorted(times)[Math.ceil(times.length * 0.99) - 1]!;
}

function median(times: readonly number[]): number {
  return sorted(times)[Math.floor(times.length / 2)]!;
}
