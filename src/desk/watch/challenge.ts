import { nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { OpenAccount } from '../account/account-state.ts';
import { accountLater } from '../risk/outlook.ts';
import type { Marks, Sized } from '../risk/path-account.ts';
import type { LiveModel } from './live-model.ts';
import { type FloorRoom, heldIn, type Standing, standingOf, sumOfKnown } from './standing.ts';

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
export type Challenge = ReturnType<typeof challengeOf>;

/** Fills that are read when the screen opens. */
const readFills = 100;

/** Computes an account's state in its challenge at the prices on the screen. */
export function challengeOf(state: OpenAccount, model: LiveModel) {
  const { account } = state;
  const open = [...state.positions.values()];
  const standing = standingOf(state, model);
  const held = heldIn(state, model);
  // 1R of all open positions together.
  const unit = held.length === 0 ? undefined : sumOfKnown(held.map(({ risk }) => risk.unit));
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
    /** Equity since the start of the trading day, USD. */
    dayPnl: dayPnlOf(state, standing),
    /** Fills since the start of the trading day; `isAll`: there were no more. */
    dayFills: dayFillsOf(state, model),
    /** USD that open positions pay until the trading day ends, at these prices. */
    carry: open.length === 0 ? undefined : carryAhead(account, open, model.marks(open), model),
    /** The uncovered size, by position. */
    uncovered: held.flatMap(({ position: { symbol }, cover: { uncovered: size } }) =>
      size > 0 ? [{ symbol, size }] : [],
    ),
  };
}

/** The severity of this used share of an allowance. */
export function severityOf(used: number | undefined): Severity {
  return used === undefined ? 0 : (shares.filter((share) => used >= share).length as Severity);
}

/** The daily floor implies the equity at the start of the day. */
function dayPnlOf({ account }: OpenAccount, { equity, daily }: Standing): number | undefined {
  const pct = account.risk?.requirements.daily_loss_pct;
  if (equity === undefined || daily === undefined || typeof pct !== 'number') return undefined;
  return equity - (daily.at + (account.starting_balance * pct) / 100);
}

/** USD that positions pay until the trading day ends, at these marks; undefined if one is missing. */
export function carryAhead(
  account: Account,
  open: readonly Sized[],
  marks: Marks,
  { time }: LiveModel,
): number | undefined {
  if (time === 0 || account.risk === undefined || open.some(({ market_id }) => !marks.has(market_id))) return undefined;
  const now = { ...account, risk: { ...account.risk, observed_at: time } };
  return accountLater(now, open, marks, nextTradingDayStart(time) - time)?.ahead.carry;
}

function dayFillsOf({ account }: OpenAccount, model: LiveModel) {
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

/** Reports each alarm once, no matter how often its share of a floor is crossed again. */
export class NewAlarms {
  readonly #told = new Set<string>();

  /** Whether there is an unreported alarm of these accounts. */
  areDue(accounts: Iterable<OpenAccount>, model: LiveModel): boolean {
    return this.#due(accounts, model).length > 0;
  }

  /** Marks the alarms of these accounts as reported; returns whether one of them is new. */
  tell(accounts: Iterable<OpenAccount>, model: LiveModel): boolean {
    const due = this.#due(accounts, model);
    for (const key of due) this.#told.add(key);
    return due.length > 0;
  }

  #due(accounts: Iterable<OpenAccount>, model: LiveModel): string[] {
    return [...accounts].flatMap((state) => alarmsOf(state, model)).filter((key) => !this.#told.has(key));
  }
}
