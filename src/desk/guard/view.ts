import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { outlookOf } from '../risk/outlook.ts';
import type { Marks } from '../risk/path-account.ts';
import { equityAt, netPnl } from '../risk/profit.ts';
import type { KeptPlan } from './plans.ts';

/**
 * Everything that a guard judges: the latest view of one account and its runtime. Times are the exchange's, Unix
 * ms.
 */
export interface GuardView {
  time: number;
  account: Account;
  /** Open ones; none while they are unknown. */
  positions: readonly Position[];
  /** All working orders, if a rule needs them. */
  working: readonly Order[];
  /** Running TWAPs, the policy, and the books' prices for the exits, if a rule needs them. */
  twaps: readonly TwapOrder[];
  policy: AccountTradingPolicy | undefined;
  books: Marks;
  /** Positions closed since the start of the day, newest first; none while they are unknown. */
  closed: readonly Position[];
  /** Latest fills, oldest first; at least those since the previous view, and none while they are unknown. */
  fills: readonly Order[];
  /** Latest mark of each market, by market id. */
  marks: ReadonlyMap<string, number>;
  /** The markets in the rules, by their names as written; and each market's price step, by market id. */
  markets: ReadonlyMap<string, string>;
  ticks: ReadonlyMap<string, number>;
  /** The parts of exit plans that a guard carries out, if a rule needs them. */
  plans: readonly KeptPlan[];
  /** How long each heartbeat file has not been touched, ms, by path. */
  silences: ReadonlyMap<string, number>;
  /**
   * The data that may be judged: the lists that were read, own marks on positions and the balance, and the host's
   * equity.
   */
  counts: { positions: boolean; closed: boolean; fills: boolean; marks: boolean; host: boolean };
  /** Positions are open, according to a read after all the guard's actions, although the account is locked. */
  exposed: boolean;
}

/**
 * The equity to judge, USD: the worse of the host's figure and the one at the latest marks. The host's counts if it was
 * read after the account last changed; the other, if every position has a mark that counts. Null if there is neither.
 */
export function equityOf(view: Omit<GuardView, 'plans' | 'silences' | 'exposed'>): number | null {
  const { account, counts } = view;
  const host = counts.host ? account.risk?.equity : null;
  const own = counts.marks ? equityAt(account.balance, view.positions, (market) => view.marks.get(market)) : null;
  const known = [host, own].filter((equity): equity is number => typeof equity === 'number' && Number.isFinite(equity));
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * The common move of all marks, in percent, that ends the account, as `accounts show` has it: -3.1 is a fall. Undefined
 * if there is none, because nothing is open or the sides cancel out, or while a mark is unknown.
 */
export function breachMove(
  seen: Pick<GuardView, 'account' | 'positions' | 'working' | 'twaps' | 'policy' | 'marks' | 'books'>,
): number | undefined {
  const known = new Map([...seen.marks].map(([id, price]) => [id, { at: 0, ...seen.books.get(id), price }]));
  return outlookOf(seen.account, seen, known).move();
}

/** The effect of a closed position on the balance, USD; unreported parts count as zero. */
export function resultOf(position: Position): number {
  return netPnl({ realized_pnl: 0, fees: 0, funding: 0, ...position }) ?? 0;
}

/** Whether the account can no longer trade. */
export function hasEnded({ status }: Account): boolean {
  return status === 'failed' || status === 'closed';
}
