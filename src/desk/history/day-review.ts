import { netOf } from '../../base/margin/notional.ts';
import { nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { moneyToNumber } from '../../base/terms/decimal.ts';
import { usd } from '../../base/text/format.ts';
import type { GuardState } from '../guard/guard-state.ts';
import { dayKey } from '../guard/rule.ts';
import { conditionOf, kindOf, type Rule } from '../guard/rules.ts';
import type { FloorsAt } from './equity.ts';
import type { History } from './read-history.ts';
import { type Money, type Ms, rMultipleOf, type Trip } from './records.ts';
import { type EquityHistory, resultsOf } from './results.ts';

/** A rule of the day, and whether it was kept; null: unknown. */
export interface KeptRule {
  readonly rule: string;
  readonly kept: boolean | null;
  readonly says: string;
}

/** The outcome of a trading day. Amounts in USD. */
export type DayReview = ReturnType<typeof reviewDay>;

/** The part of a history that is one trading day. */
export function dayRange(history: Pick<History, 'from' | 'to'>, at: Ms): { from: Ms; to: Ms } {
  const from = tradingDayStart(at);
  return { from: Math.max(from, history.from), to: Math.min(history.to, nextTradingDayStart(at) - 1) };
}

/** A loss beyond this many R is more than its stop, fees and an ordinary gap explain. */
const mostLost = 1.25;

/** The guard's report of a day. */
export interface GuardRecord {
  readonly rules: readonly Rule[];
  readonly state: GuardState | undefined;
}

/** Adds up a trading day and says which of its rules were kept. */
export function reviewDay(
  history: History,
  range: { from: Ms; to: Ms },
  riskOf: (trip: Trip) => Money | null,
  equity: EquityHistory | undefined,
  guard: GuardRecord,
) {
  const { total, figures, ended } = resultsOf(history, range, riskOf);
  const opened = history.trips.filter(({ openedAt }) => openedAt >= range.from && openedAt <= range.to);
  return {
    /** Unix ms. */
    ...range,
    fills: total.fills,
    trips: total.trips,
    won: total.won,
    lost: total.lost,
    /** Realized, net of fees and carry. */
    net: moneyToNumber(netOf(total)),
    fees: moneyToNumber(total.fees),
    carry: moneyToNumber(total.funding),
    /** The sum of the multiples of trips whose risk is known, and their number. */
    r: figures.totalR,
    trips_with_r: figures.tripsWithR,
    rules: [...floorRules(equity), stopRule(opened, riskOf), lossRule(ended, riskOf), ...guardRules(guard, range)],
  };
}

/** How near equity came to each floor, at the moments of its curve. */
function floorRules(equity: EquityHistory | undefined): KeptRule[] {
  const rooms = (which: keyof FloorsAt) =>
    (equity?.points ?? []).flatMap(({ equity: at }, index) => {
      const floor = equity!.floors[index]?.[which];
      return floor === undefined || floor === null ? [] : [moneyToNumber(at - floor)];
    });
  return (['dailyLoss', 'maximumDrawdown'] as const).flatMap((which) => {
    const all = rooms(which);
    if (all.length === 0) return [];
    const least = Math.min(...all);
    const rule = which === 'dailyLoss' ? 'daily loss' : 'drawdown';
    const says = least > 0 ? `never less than ${usd(least)} above the floor` : 'the floor was touched';
    return [{ rule, kept: least > 0, says }];
  });
}

function stopRule(opened: readonly Trip[], riskOf: (trip: Trip) => Money | null): KeptRule {
  const bare = opened.filter((trip) => riskOf(trip) === null).length;
  const says = opened.length === 0 ? 'nothing was opened' : `${opened.length - bare} of ${opened.length} did`;
  return { rule: 'every position begins with a stop', kept: bare === 0, says };
}

function lossRule(ended: readonly Trip[], riskOf: (trip: Trip) => Money | null): KeptRule {
  const multiples = ended.flatMap((trip) => rMultipleOf(trip, riskOf(trip)) ?? []);
  const worst = Math.min(...multiples);
  const rule = 'no loss is larger than its risk';
  if (multiples.length === 0) return { rule, kept: null, says: 'no ended trip has a known risk' };
  const text = `${worst < 0 ? '' : '+'}${worst.toFixed(2)}R`;
  return { rule, kept: worst >= -mostLost, says: worst < 0 ? `the largest was ${text}` : 'there was no loss' };
}

/** The guard's rules about a day, from the guard's own notes. */
function guardRules({ rules, state }: GuardRecord, { from, to }: { from: Ms; to: Ms }): KeptRule[] {
  const day = tradingDayStart(from);
  return rules
    .filter((rule) => kindOf(rule).isDaily)
    .map((rule) => {
      const hasFired = state?.fired.includes(dayKey(rule, day)) ?? false;
      const hasSeen = state?.time !== undefined && state.time !== null && state.time >= to - toleranceMs;
      return {
        rule: `guard: ${rule.kind}`,
        kept: hasFired ? false : hasSeen ? true : null,
        says: hasFired ? `it fired: ${conditionOf(rule)}` : hasSeen ? 'it did not fire' : 'no guard ran until the end',
      };
    });
}

/** A guard looks at least this often. */
const toleranceMs = 60_000;
