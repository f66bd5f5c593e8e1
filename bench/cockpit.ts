/**
 * Trading by hand: from a key to the first byte of its order, against a loop that does nothing else, and what the ladder
 * costs while a recorded market plays. Both programs run on a real terminal, made by script(1).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from './measure.ts';
import { benchFolder, executable, perp, server } from './served.ts';

const extract = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
const keys = 60;
/** A key works again after 0.7 s; two keys take turns. */
const everyMs = 400;
const busyMs = 12_000;
const frameStart = '\u001b[?2026h';

export async function cockpit(): Promise<Figure[]> {
  const { folder, env, remove } = benchFolder();
  const reset = ['sim', 'reset', '--plan', 'none', '--books', extract, '--state', 'tape', '--yes'];
  perp(reset, env);
  for (const window of ['minute', 'hour', 'day'])
    perp(['sim', 'policy', `--trades-per-${window}`, '1000000000', '--state', 'tape'], env);
  const { api_key: key } = JSON.parse(
    perp(['sim', 'keys', 'create', '--scope', 'trade', '--state', 'tape', '--json'], env),
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
    const bare = await bareLoop(wire, host);
    const own = await armedKeys(wire, host);
    const busy = await ladderCost(folder, host);
    const ratio = p99(own) / p99(bare);
    return [
      {
        isQuoted: true,
        name: "armed key to its order's first byte, p99 / a bare loop",
        value: ratio,
        unit: 'x',
        target: { atMost: 3 },
        note: `${p99(own).toFixed(2)} ms; median ${median(own).toFixed(2)} and ${median(bare).toFixed(2)} ms`,
      },
      {
        isQuoted: true,
        name: 'perp ladder on a recorded market, share of a core',
        value: busy.share,
        unit: '%',
        target: { atMost: 8 },
        note: `${busy.frames.toFixed(1)} frames/s`,
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

/** A program that reads a key and sends a request, over a connection that stays open. */
const bareProgram = `
const agent = new (require('node:http').Agent)({ keepAlive: true });
process.stdin.setRawMode(true).on('data', () => {
  const request = require('node:http').request(process.env.PERP_BASE_URL + '/v1/orders', { method: 'POST', agent });
  request.on('response', (answer) => answer.resume()).on('error', () => {});
  request.end('{}');
});
console.log('ready');`;

async function bareLoop(wire: Wire, env: NodeJS.ProcessEnv): Promise<number[]> {
  const terminal = onTerminal(`'${process.execPath}' -e "${bareProgram.replaceAll('"', '\\"')}"`, env);
  await shown(terminal, 'ready');
  const times = await pressed(wire, terminal);
  terminal.kill();
  return times;
}

async function armedKeys(wire: Wire, env: NodeJS.ProcessEnv): Promise<number[]> {
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
  const times = await pressed(wire, terminal);
  terminal.stdin.write('q');
  await delay(200);
  terminal.kill();
  return times;
}

/** From each key to its order, ms. */
async function pressed(wire: Wire, terminal: ChildProcessWithoutNullStreams): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < keys; at++) {
    const next = wire.next();
    const began = performance.now();
    terminal.stdin.write(at % 2 === 0 ? 'b' : 's');
    const arrived = await Promise.race([next, delay(5_000)]);
    if (arrived === undefined) throw new Error(`key ${at} sent nothing`);
    times.push(arrived - began);
    await delay(everyMs);
  }
  // The first ones open connections and load code.
  return times.slice(5);
}

async function ladderCost(folder: string, env: NodeJS.ProcessEnv): Promise<{ share: number; frames: number }> {
  const [hook, out] = [join(folder, 'usage.cjs'), join(folder, 'usage.json')];
  writeFileSync(
    hook,
    `const began = process.cpuUsage();
process.on('exit', () => {
  const { user, system } = process.cpuUsage(began);
  require('node:fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify({ cpuMs: (user + system) / 1000 }));
});`,
  );
  const command = `'${process.execPath}' '${executable}' ladder BTC --for ${busyMs}ms`;
  const terminal = onTerminal(command, { ...env, NODE_OPTIONS: `--require ${hook}` });
  let text = '';
  terminal.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await new Promise((done) => terminal.on('close', done));
  const { cpuMs } = JSON.parse(readFileSync(out, 'utf8')) as { cpuMs: number };
  return { share: (cpuMs / busyMs) * 100, frames: (text.split(frameStart).length - 1) / (busyMs / 1_000) };
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
