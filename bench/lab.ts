/**
 * Sweeps on 345 s of Binance's BTC: a decision each 100 ms, an order each second. The lab, with one worker and with
 * two, against a bare loop over the engine that decides and orders the same; CPU time of all processes, and memory
 * after few and many runs.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultStartingBalance, plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import { openRecording, type Recording } from '../src/exchange/markets/recorded/recorded-source.ts';
import { type Figure, median } from './measure.ts';
import { marketOrder } from './orders.ts';
import { benchFolder, executable } from './served.ts';

const tape = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
const runs = 1_000;
const fewRuns = 10;
const pairs = 2;
const bareRuns = 100;
const marketId = 'binance|BTCUSDT';
const decisionMs = 100;
const orderMs = 1_000;

const text = `{
  markets: ['BTC'],
  every: {
    '100ms'(bot) {
      const { mid } = bot.quote('BTC');
      if (mid === null && bot.position('BTC').size > 1) bot.log('never');
    },
    '1s'(bot) {
      if (bot.position('BTC').size === 0) bot.place({ market: 'BTC', side: 'buy', size: 0.01 });
      else bot.close('BTC');
    },
  },
}`;

interface Measured {
  seconds: number;
  /** Of all processes. */
  cpuSeconds: number;
  /** The most that any process had, MB. */
  peakMb: number;
}

/** Seconds for 1,000 runs on two workers, the gain of the second, what the lab costs beyond a bare loop, memory. */
export async function lab(): Promise<Figure[]> {
  const { folder, env, remove } = benchFolder();
  try {
    const strategy = join(folder, 'strategy.mjs');
    writeFileSync(
      strategy,
      `import { defineStrategy } from 'perp/strategy';\nexport default defineStrategy(${text});\n`,
    );
    let files = 0;
    const sweep = (count: number, jobs: number) => {
      const out = join(folder, `${++files}.sqlite`);
      const argv = ['lab', 'run', strategy, '--books', tape, '--plan', 'none', '--prove', 'none', '--out', out];
      return measured([executable, ...argv, '--seeds', `1..${count}`, '-j', String(jobs), '--json'], env);
    };
    await sweep(fewRuns, 1);
    const bare: number[] = [];
    const gains: number[] = [];
    const costs: number[] = [];
    let all: Measured | undefined;
    for (let pair = 0; pair < pairs; pair += 1) {
      bare.push((await bareCpuSeconds(bareRuns)) / bareRuns);
      const one = await sweep(runs, 1);
      all = await sweep(runs, 2);
      gains.push(one.seconds / all.seconds);
      costs.push(all.cpuSeconds / runs);
    }
    const few = await sweep(fewRuns, 2);
    if (all === undefined) throw new Error('no pair');
    return [
      {
        isQuoted: true,
        name: `${runs.toLocaleString('en-US')} trials of 345 recorded seconds, two workers`,
        value: all.seconds,
        unit: 's',
        target: { atMost: 60 },
        note: `${all.cpuSeconds.toFixed(1)} s of CPU`,
      },
      { isQuoted: true, name: 'two workers instead of one', value: median(gains), unit: 'x', target: { atLeast: 1.8 } },
      {
        isQuoted: true,
        name: 'a trial in the lab, beyond a bare loop',
        value: (median(costs) / median(bare) - 1) * 100,
        unit: '%',
        target: { atMost: 15 },
        note: 'CPU of all processes, their start included',
      },
      {
        isQuoted: true,
        name: `memory after ${runs.toLocaleString('en-US')} trials, compared with ${fewRuns}`,
        value: all.peakMb / few.peakMb,
        unit: 'x',
        target: { atMost: 1.2 },
        note: `${few.peakMb.toFixed(0)} and ${all.peakMb.toFixed(0)} MB, the largest process`,
      },
    ];
  } finally {
    remove();
  }
}

/** The same decisions and orders by a loop over the engine, in this process: no strategy, no record, no file. */
async function bareCpuSeconds(count: number): Promise<number> {
  const recording = await openRecording(tape);
  for (let time = 0; time < 5; time += 1) bareLoop(recording);
  const began = process.cpuUsage();
  for (let time = 0; time < count; time += 1) bareLoop(recording);
  const { user, system } = process.cpuUsage(began);
  recording.close();
  return (user + system) / 1e6;
}

function bareLoop({ source, firstTime, lastTime }: Recording): void {
  const exchange = new Exchange(source, emptyState(1, firstTime));
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'bench',
    plan: plans.none!,
    startingBalance: defaultStartingBalance,
  });
  if (!opened.ok || opened.account === undefined) throw new Error('no account');
  const accountId = opened.account.id;
  for (let time = Math.ceil(firstTime / decisionMs) * decisionMs; time <= lastTime; time += decisionMs) {
    exchange.advance(time);
    exchange.quote(marketId);
    if (time % orderMs !== 0) continue;
    const reduceOnly = exchange.position(accountId, marketId) !== null;
    const order = marketOrder(accountId, reduceOnly ? 'sell' : 'buy', 0.01);
    if (!exchange.execute({ ...order, reduceOnly }).ok) throw new Error('an order was refused');
    exchange.takeChanges();
  }
  exchange.advance(lastTime);
}

/** Runs a program to its end; children that it has waited for are part of its CPU time. */
async function measured(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Measured> {
  const began = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peakMb = 0;
  const poll = setInterval(() => {
    for (const pid of [child.pid!, ...childrenOf(child.pid!)]) peakMb = Math.max(peakMb, residentMb(pid));
  }, 100);
  const before = childCpuSeconds();
  const code = await new Promise((ended) => child.on('close', ended));
  clearInterval(poll);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${String(code)}`);
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: childCpuSeconds() - before, peakMb };
}

/** Of all processes that this one has waited for, and those that they have. */
function childCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]!.split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function residentMb(pid: number): number {
  return (Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * 4096) / 1e6;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1').trim();
  } catch {
    return '';
  }
}
