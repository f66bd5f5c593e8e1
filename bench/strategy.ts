/**
 * Strategies on the engine and over a client, on 345 recorded seconds of BTC, in CPU time: decisions that read a quote
 * and a position each, and that place an order each, beside a bare loop over the engine that does the same; quotes and
 * orders of a simulation in memory, beside the client that commands use in process. Each pair alternates.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultPolicy, plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import { openRecording, type Recording } from '../src/exchange/markets/recorded/recorded-source.ts';
import { Simulation } from '../src/programs/sdk/sim.ts';
import { defineStrategy } from '../src/programs/sdk/strategy/define-strategy.ts';
import { EngineRun } from '../src/programs/sdk/strategy/engine-run.ts';
import { inProcessTransport } from '../src/service/public.ts';
import { createClient } from '../src/wire/client/client.ts';
import { type Figure, median } from './measure.ts';
import { marketOrder } from './orders.ts';

const tape = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
const marketId = 'binance|BTCUSDT';
const samples = 5;
const decisionMs = 2;
const orderMs = 20;
const requests = { quotes: 4_000, orders: 1_000 };
const unlimited = { tradesPerMinute: 1e9, tradesPerHour: 1e9, tradesPerDay: 1e9, minOrderNotionalUsd: 0 };
const balance = 100_000_000;
const marketTime = Date.UTC(2026, 5, 10, 14);

/** Decisions, quotes and orders per CPU second. */
export async function strategy(): Promise<Figure[]> {
  const recording = await openRecording(tape);
  const decisions = alternated(
    () => decisionsOf(recording),
    () => bareLoop(recording, decisionMs, false),
  );
  const orders = alternated(
    () => ordersOf(recording),
    () => bareLoop(recording, orderMs, true),
  );
  recording.close();
  const overClient = await clientFigures();
  return [
    figure('strategy on the engine: decisions with a quote and a position', decisions, 200_000, 'a bare loop'),
    figure('strategy on the engine: decisions with an order', orders, 40_000, 'a bare loop'),
    figure('quotes through sim.client', overClient.quotes, 29_700, 'a command’s client in process'),
    figure('orders through sim.client', overClient.orders, 7_500, 'a command’s client in process'),
  ];
}

interface Pair {
  readonly own: number;
  readonly other: number;
}

function figure(name: string, { own, other }: Pair, atLeast: number, beside: string): Figure {
  const note = `${(own / other).toFixed(2)} x ${beside}, ${Math.round(other).toLocaleString('en-US')}`;
  return { isQuoted: true, name, value: own, unit: 'per CPU s', target: { atLeast }, note };
}

/** Medians of both sides, one after the other; the first of each warms up. */
function alternated(own: () => number, other: () => number): Pair {
  const pairs = Array.from({ length: samples + 1 }, () => ({ own: own(), other: other() })).slice(1);
  return { own: median(pairs.map((pair) => pair.own)), other: median(pairs.map((pair) => pair.other)) };
}

/** How many of something this work does per second of CPU. */
function perCpuSecond(work: () => number): number {
  const before = process.cpuUsage();
  const count = work();
  const { user, system } = process.cpuUsage(before);
  return count / ((user + system) / 1e6);
}

function decisionsOf({ source, firstTime, lastTime }: Recording): number {
  const reads = defineStrategy({
    markets: ['BTC'],
    every: {
      [`${decisionMs}ms`](bot) {
        bot.quote('BTC');
        bot.position('BTC');
      },
    },
  });
  const run = new EngineRun(reads, { source, start: firstTime });
  return perCpuSecond(() => {
    run.advance(lastTime);
    return run.looks;
  });
}

function ordersOf({ source, firstTime, lastTime }: Recording): number {
  const trades = defineStrategy({
    markets: ['BTC'],
    every: {
      [`${orderMs}ms`](bot) {
        bot.quote('BTC');
        const side = bot.position('BTC').size > 0 ? 'sell' : 'buy';
        bot.place({ market: 'BTC', side, size: 0.002 });
      },
    },
  });
  const policy = defaultPolicy();
  Object.assign(policy.limits, unlimited);
  const run = new EngineRun(trades, { source, start: firstTime, plan: 'none', policy, startingBalance: balance });
  return perCpuSecond(() => {
    run.advance(lastTime);
    return run.looks;
  });
}

/** The same without a strategy: time, a quote, and an order if wanted. */
function bareLoop({ source, firstTime, lastTime }: Recording, stepMs: number, withOrders: boolean): number {
  const exchange = new Exchange(source, emptyState(1, firstTime));
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'bench',
    plan: plans.none,
    startingBalance: balance,
  });
  if (!opened.ok || opened.account === undefined) throw new Error('no account');
  const policy = defaultPolicy();
  Object.assign(policy.limits, unlimited);
  const accountId = opened.account.id;
  exchange.execute({ kind: 'set_policy', accountId, policy });
  return perCpuSecond(() => {
    let steps = 0;
    for (let time = firstTime + stepMs; time <= lastTime; time += stepMs) {
      exchange.advance(time);
      exchange.quote(marketId);
      const side = exchange.position(accountId, marketId) === null ? 'buy' : 'sell';
      if (withOrders) {
        exchange.execute({ ...marketOrder(accountId, side, 0.002), marketId });
        exchange.takeChanges();
      }
      steps += 1;
    }
    return steps;
  });
}

async function clientFigures(): Promise<{ quotes: Pair; orders: Pair }> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  await using simulation = await Simulation.open({ seed: 1, start: marketTime, plan: 'none', balance });
  const opened = await inProcessTransport({
    stateDir: folder,
    seed: 1,
    startTime: marketTime,
    clock: 'manual',
    plan: 'none',
  });
  try {
    const command = createClient({ transport: opened.transport, keepsKeys: true });
    const [account] = await simulation.client.listAccounts();
    const limits = { trades_per_minute: 1e9, trades_per_hour: 1e9, trades_per_day: 1e9 };
    await simulation.setPolicy(account!.id, { limits });
    await command.call('simSetPolicy', { body: { account_id: account!.id, limits } });
    const order = (side: 'buy' | 'sell') =>
      ({ account_id: account!.id, market_id: marketId, side, size: 0.001, leverage: 1, margin_mode: 'cross' }) as const;
    const side = (turn: number) => (turn % 2 === 0 ? 'buy' : 'sell');
    const quotes = await pairOf(
      requests.quotes,
      () => simulation.client.getMarketQuote({ market_id: marketId }),
      () => command.call('getMarketQuote', { path: { market_id: marketId } }),
    );
    const orders = await pairOf(
      requests.orders,
      (turn) => simulation.client.createOrder(order(side(turn))),
      (turn) => command.call('createOrder', { body: order(side(turn)) }),
    );
    return { quotes, orders };
  } finally {
    opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function pairOf(
  count: number,
  own: (turn: number) => Promise<unknown>,
  other: (turn: number) => Promise<unknown>,
): Promise<Pair> {
  const rateOf = async (work: (turn: number) => Promise<unknown>) => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < count; turn++) await work(turn);
    const { user, system } = process.cpuUsage(before);
    return count / ((user + system) / 1e6);
  };
  const pairs: Pair[] = [];
  for (let sample = -1; sample < samples; sample++) {
    const pair = { own: await rateOf(own), other: await rateOf(other) };
    if (sample >= 0) pairs.push(pair);
  }
  return { own: median(pairs.map((pair) => pair.own)), other: median(pairs.map((pair) => pair.other)) };
}
