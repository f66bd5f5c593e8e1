import { nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import type { OpenAccount } from '../account/account-state.ts';
import { accountLater } from '../risk/outlook.ts';
import type { Mark } from '../risk/path-account.ts';
import type { LiveModel } from './live-model.ts';
import { type FloorRoom, heldIn, type Standing, standingOf } from './standing.ts';

/** The used share of an allowance: less than half, half, 80%, 95%. */
export type Severity = 0 | 1 | 2 | 3;
const shares = [0.5, 0.8, 0.95] as const;

/** A floor and the used share of its allowance. */
export interface Gauge extends FloorRoom {
  readonly name: 'daily loss' | 'drawdown';
  /** The share of the allowance that is used, 0 to 1; undefined if the allowance or equity is not known. */
  readonly used: number | undefined;
  readonly severity: Severity;
  /** The room in multiples of 1R of the open positions; undefined unless 1R of each is known. */
  readonly roomInR: number | undefined;
}

/** The state of an account in its challenge. Unknown values are undefined. */
export interface Challenge {
  readonly standing: Standing;
  readonly gauges: readonly Gauge[];
  /** Equity since the start of the trading day, USD. */
  readonly dayPnl: number | undefined;
  /** Fills since the start of the trading day; `isAll`: there were no more. */
  readonly dayFills: { readonly count: number; readonly isAll: boolean } | undefined;
  /** USD that open positions pay until the trading day ends, at these prices. */
  readonly carry: number | undefined;
  /** The uncovered size, by position. */
  readonly uncovered: readonly { readonly symbol: string; readonly size: number }[];
}

/** Fills that are read when the screen opens. */
const readFills = 100;

/** Computes an account's state in its challenge at the prices on the screen. */
export function challengeOf(state: OpenAccount, model: LiveModel): Challenge {
  const { account } = state;
  const standing = standingOf(state, model);
  const covers = heldIn(state, model).map(({ position: { symbol }, cover: { uncovered }, risk: { unit } }) => ({
    symbol,
    uncovered,
    unit,
  }));
  const unit = riskUnit(covers);
  const { requirements } = account.risk ?? {};
  const gauge = (name: Gauge['name'], floor: FloorRoom | undefined, pct: number | null | undefined): Gauge[] => {
    if (floor === undefined) return [];
    const allowance = typeof pct === 'number' && pct > 0 ? (account.starting_balance * pct) / 100 : undefined;
    const isKnown = floor.room !== undefined && allowance !== undefined;
    const used = isKnown ? Math.min(1, Math.max(0, 1 - floor.room! / allowance!)) : undefined;
    const roomInR = floor.room === undefined || unit === undefined ? undefined : floor.room / unit;
    return [{ ...floor, name, used, severity: severityOf(used), roomInR }];
  };
  return {
    standing,
    gauges: [
      ...gauge('daily loss', standing.daily, requirements?.daily_loss_pct),
      ...gauge('drawdown', standing.drawdown, requirements?.max_drawdown_pct),
    ],
    dayPnl: dayPnlOf(state, standing),
    dayFills: dayFillsOf(state, model),
    carry: carryOf(state, model),
    uncovered: covers.flatMap(({ symbol, uncovered: size }) => (size > 0 ? [{ symbol, size }] : [])),
  };
}

/** The severity of this used share of an allowance. */
export function severityOf(used: number | undefined): Severity {
  return used === undefined ? 0 : (shares.filter((share) => used >= share).length as Severity);
}

/** The size that a position's stops leave uncovered, and its loss at them. */
interface Covered {
  readonly symbol: string;
  readonly uncovered: number;
  readonly unit: number | undefined;
}

/** 1R of all open positions together; undefined without any, or if one is unknown. */
function riskUnit(covers: readonly Covered[]): number | undefined {
  const units = covers.map(({ unit }) => unit);
  if (units.length === 0 || units.includes(undefined)) return undefined;
  return units.reduce<number>((sum, one) => sum + one!, 0);
}

/** The daily floor implies the equity at the start of the day. */
function dayPnlOf({ account }: OpenAccount, { equity, daily }: Standing): number | undefined {
  const pct = account.risk?.requirements.daily_loss_pct;
  if (equity === undefined || daily === undefined || typeof pct !== 'number') return undefined;
  return equity - (daily.at + (account.starting_balance * pct) / 100);
}

function carryOf({ account, positions }: OpenAccount, model: LiveModel): number | undefined {
  if (positions.size === 0 || model.time === 0 || account.risk === undefined) return undefined;
  const open = [...positions.values()];
  const marks = new Map(
    open.flatMap(({ market_id }): [string, Mark][] => {
      const price = model.mid(market_id);
      const category = model.market(market_id)?.category;
      return price === undefined ? [] : [[market_id, { price, at: model.time, tick: undefined, category }]];
    }),
  );
  if (open.some(({ market_id }) => !marks.has(market_id))) return undefined;
  const now = { ...account, risk: { ...account.risk, observed_at: model.time } };
  return accountLater(now, open, marks, nextTradingDayStart(model.time) - model.time)?.ahead.carry;
}

function dayFillsOf({ account }: OpenAccount, model: LiveModel): Challenge['dayFills'] {
  if (!model.areFillsKnown || model.time === 0) return undefined;
  const from = tradingDayStart(model.time);
  const own = model.fills.filter(({ account_id }) => account_id === account.id);
  const count = own.findIndex(({ settled_at, requested_at }) => (settled_at ?? requested_at) < from);
  return count < 0 ? { count: own.length, isAll: own.length < readFills } : { count, isAll: true };
}

/**
 * An account's important alerts, each under a key by which it is announced once: that it has ended, the shares of each
 * floor, of the daily one on each day, and the guard's lock.
 */
export function alarmsOf(state: OpenAccount, model: LiveModel): string[] {
  const { id, status } = state.account;
  if (status !== 'active') return [`${id} ${status}`];
  const day = model.time === 0 ? 0 : tradingDayStart(model.time);
  const reached = challengeOf(state, model).gauges.flatMap(({ name, severity }) =>
    ([1, 2, 3] as const)
      .filter((one) => one <= severity)
      .map((one) => `${id} ${name} ${one}${name === 'daily loss' ? ` ${day}` : ''}`),
  );
  const lock = model.locks.get(id);
  const until = lock === undefined || lock === 'damaged' ? lock : lock.until;
  return until === undefined ? reached : [...reached, `${id} lock ${until}`];
}
