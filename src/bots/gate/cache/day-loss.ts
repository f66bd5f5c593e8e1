import { tradingDayStart } from '../../../base/terms/day.ts';
import type { OpenAccount } from '../../../desk/account/account-state.ts';
import type { Marks } from '../../../desk/risk/path-account.ts';
import { dayStartEquity, equityAt, netPnl } from '../../../desk/risk/profit.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Order } from '../../../wire/contract/orders.ts';

/** One account's start of a trading day. */
interface Day {
  /** Unix ms. */
  readonly start: number;
  /** Equity from which the host counts the daily loss, USD; undefined if it has no such rule. */
  readonly fromFloor: number | undefined;
  /** Equity when it was first seen, USD; undefined if the host doesn't report it. */
  readonly firstSeen: number | undefined;
  /** Realized profit of this day's fills, fees included, USD; undefined: not read. */
  realized: number | undefined;
}

/**
 * Losses of accounts on this trading day, open positions included. The daily floor shows the equity at the start of the
 * day; an account without one has lost at least the realized losses of its fills that day.
 */
export class DayLoss {
  readonly #days = new Map<string, Day>();

  /** The service has begun another run. */
  startAnew(): void {
    this.#days.clear();
  }

  /** Takes an account as the service shows it; `time`: exchange time, Unix ms. */
  observe(account: Account, time: number): void {
    const { risk, id } = account;
    const start = tradingDayStart(risk?.observed_at ?? time);
    const known = this.#days.get(id);
    if (known !== undefined && known.start > start) return;
    const same = known?.start === start ? known : undefined;
    this.#days.set(id, {
      start,
      fromFloor: dayStartEquity(account),
      firstSeen: same?.firstSeen ?? risk?.equity ?? undefined,
      // A day that begins now has no fills yet.
      realized: same?.realized ?? (known === undefined ? undefined : 0),
    });
  }

  /** The start of the day whose fills have to be read; undefined if none do. */
  unread(account: string): number | undefined {
    const day = this.#days.get(account);
    return day === undefined || day.fromFloor !== undefined || day.realized !== undefined ? undefined : day.start;
  }

  /** The fills of the day so far. */
  read(account: string, fills: readonly Order[]): void {
    const day = this.#days.get(account);
    if (day !== undefined) day.realized = fills.reduce((sum, fill) => sum + booked(fill), 0);
  }

  filled(account: string, fill: Order): void {
    const day = this.#days.get(account);
    if (day?.realized !== undefined && (fill.settled_at ?? 0) >= day.start) day.realized += booked(fill);
  }

  /** Whether the day of an account is over, so that it has to be read again. */
  isOver(account: string, time: number): boolean {
    const day = this.#days.get(account);
    return day !== undefined && tradingDayStart(time) > day.start;
  }

  /** USD; below zero: a profit. Undefined: a mark or the day is missing. */
  lost({ account, positions }: OpenAccount, marks: Marks, time: number): number | undefined {
    const day = this.#days.get(account.id);
    if (day === undefined || this.isOver(account.id, time)) return undefined;
    const open = [...positions.values()];
    const equity = equityAt(account.balance, open, (id) => marks.get(id)?.price);
    if (equity === undefined) return undefined;
    if (day.fromFloor !== undefined) return day.fromFloor - equity;
    if (day.realized === undefined) return undefined;
    const unrealized = equity - account.balance;
    return Math.max((day.firstSeen ?? Number.NEGATIVE_INFINITY) - equity, -day.realized - unrealized);
  }
}

/** Realized profit of a fill, its fee included, USD. */
export function booked({ realized_pnl = 0, fee = 0 }: Order): number {
  return netPnl({ realized_pnl, fees: fee, funding: 0 }) ?? Number.NaN;
}
