import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs, nextTradingDayStart, tradingDayStart } from '../../../src/base/terms/day.ts';
import {
  type Draws,
  ends,
  Fold,
  type Start,
  type Trade,
  type TradeStep,
  tableOfTrades,
} from '../../../src/desk/statistics/fold.ts';
import type { Rates } from '../../../src/exchange/engine/defaults.ts';
import { Scenario } from '../../exchange/engine/scenario.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from '../../exchange/engine/scripted-source.ts';
import { seed } from '../../seed.ts';
import { numbersOf } from './traders.ts';

/**
 * The rules of paths are the exchange's: random lists of trades, played through the engine, end on the same day by the
 * same rule as the fold says. Each trade has a market of its own, so that trades overlap; a mark jumps to the worst
 * inside a step and a millisecond later to its end.
 */

const begin = Date.parse('2024-03-08T05:00:00Z');
const entry = 1_000;
const rates: Rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 24 } };

/** A price that a trade's market takes at a time, and the worst before it. */
interface Move {
  readonly time: number;
  readonly worst: number;
  readonly mid: number;
}

interface Plan {
  readonly side: 'long' | 'short';
  readonly lots: number;
  readonly opened: number;
  readonly closed: number;
  readonly moves: readonly Move[];
}

/** Trades over some days, some of them overlapping; `drift`: how often a move is a gain. */
function drawPlans(number: () => number): Plan[] {
  const drift = 0.3 + 0.55 * number();
  let opened = begin;
  return Array.from({ length: 4 + Math.floor(number() * 8) }, (): Plan => {
    // Never on a full hour, where carry and midnights are.
    const minutes = (most: number) => (1 + Math.floor(number() * most)) * 60_000 * 7 + 11_111;
    opened += minutes(180);
    const side = number() < 0.5 ? 'long' : 'short';
    const sign = side === 'long' ? 1 : -1;
    let [time, mid] = [opened, entry];
    const moves = Array.from({ length: 1 + Math.floor(number() * 4) }, (): Move => {
      time += minutes(90);
      const before = mid;
      mid += sign * (number() < drift ? 1 : -1) * Math.floor(number() * 25);
      const lowest = sign > 0 ? Math.min(before, mid) : Math.max(before, mid);
      return { time, worst: lowest - sign * Math.floor(number() * number() * 20), mid };
    });
    return { side, lots: 20 + Math.floor(number() * 130), opened, closed: time + minutes(5), moves };
  });
}

/** What a trade does to equity: half the spread and a fee at both ends, moves, and carry at each full hour. */
function tradeOf({ side, lots, opened, closed, moves }: Plan, before: number): Trade {
  const sign = side === 'long' ? 1 : -1;
  const fee = (price: number) => (price * lots * 3) / 10_000;
  const steps: (TradeStep & { readonly order: number })[] = [];
  const add = (time: number, change: number, worst = change) =>
    steps.push({ after: time - opened, change, worst: Math.min(0, worst), order: steps.length });
  const [bought, sold] = [entry + sign, moves.at(-1)!.mid - sign];
  add(opened, -lots - fee(bought));
  let mid = entry;
  for (const move of moves) {
    add(move.time, sign * (move.mid - mid) * lots, sign * (move.worst - mid) * lots);
    mid = move.mid;
  }
  for (let hour = Math.ceil(opened / hourMs) * hourMs; hour < closed; hour += hourMs) {
    const at = moves.findLast(({ time }) => time < hour)?.mid ?? entry;
    add(hour, -(at * lots * 24) / 10_000 / 24);
  }
  add(closed, -lots - fee(sold));
  steps.sort((one, other) => one.after - other.after || one.order - other.order);
  return { gap: opened - before, steps };
}

function played(plans: readonly Plan[], minimumTradingDays: number): { end: string; day: number } {
  const ids = plans.map((_, at) => `binance|T${at}`);
  const book = (time: number, market: string, mid: number): ScriptedEvent => ({
    time,
    market,
    bids: [[mid - 1, 10_000]] as Level[],
    asks: [[mid + 1, 10_000]] as Level[],
  });
  const script = plans.flatMap(({ moves }, at) => [
    book(begin, ids[at]!, entry),
    ...moves.flatMap(({ time, worst, mid }) => [book(time - 1, ids[at]!, worst), book(time, ids[at]!, mid)]),
  ]);
  script.sort((one, other) => one.time - other.time);
  const source = new ScriptedSource(
    script,
    ids.map((marketId, at) => definition({ marketId, symbol: `T${at}`, coin: `T${at}` })),
  );
  const scenario = new Scenario(source, {
    plan: 'select',
    at: begin,
    rates,
    minimumTradingDays,
    policy: ({ limits }) => void Object.assign(limits, { maxBookStalenessMs: 1e12 }),
  });
  const acts = plans
    .flatMap((plan, at) => [
      { time: plan.opened, at, opens: true },
      { time: plan.closed, at, opens: false },
    ])
    .sort((one, other) => one.time - other.time);
  for (const { time, at, opens } of acts) {
    scenario.to(time);
    if (scenario.account().status !== 'active') break;
    const { side, lots } = plans[at]!;
    const way = (side === 'long') === opens ? 'buy' : 'sell';
    scenario.place(way, lots, { marketId: ids[at]!, leverage: 50, reduceOnly: !opens });
  }
  const { status, breachRuleId, endedAt } = scenario.account();
  if (status === 'active') return { end: 'undecided', day: 0 };
  return { end: status === 'passed' ? 'passed' : breachRuleId!, day: tradingDayStart(endedAt!) };
}

function folded(plans: readonly Plan[], minimumDays: number): { end: string; day: number } {
  const trades = plans.map((plan, at) => tradeOf(plan, plans[at - 1]?.opened ?? begin));
  const midnights: number[] = [];
  for (let time = begin; midnights.length < 30; midnights.push(time)) time = nextTradingDayStart(time);
  const start: Start = {
    time: begin,
    equity: 100_000,
    dayStart: 100_000,
    daysTraded: 0,
    hasTradedToday: false,
    midnights: Float64Array.from(midnights),
    open: [],
  };
  let at = -1;
  const inOrder: Draws = { next: () => (++at < plans.length ? at : -1), chance: () => 0 };
  const rules = { dailyLoss: 3_000, drawdownFloor: 97_000, target: 109_000, minimumDays };
  const { end, time } = new Fold(tableOfTrades(trades), rules, start).run(inOrder, { fixed: 1, share: 0 });
  return { end: ends[end], day: end === 0 ? 0 : tradingDayStart(time) };
}

test('300 random lists of trades end in the engine on the day and by the rule that the fold says', () => {
  const number = numbersOf(seed);
  const seen = new Map<string, number>();
  for (let list = 0; list < 300; list += 1) {
    const plans = drawPlans(number);
    const minimumDays = Math.floor(number() * 4);
    const expected = played(plans, minimumDays);
    assert.deepEqual(folded(plans, minimumDays), expected, `list ${list}: ${JSON.stringify(plans)}`);
    seen.set(expected.end, (seen.get(expected.end) ?? 0) + 1);
  }
  // Each rule decided often enough to be tried.
  for (const end of ends) assert.ok((seen.get(end) ?? 0) >= 15, `${end}: ${seen.get(end)} of 300`);
});
