import type { CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import { stakesOf } from './at-stake.ts';
import { pricesOf } from './entries.ts';
import type { Exposed } from './exposed.ts';
import { sideOf } from './measures.ts';
import type { Entry, Stake } from './stake.ts';

/** An account that copies another one. */
export interface Follower {
  readonly account: string;
  /** Its exposure; undefined if unknown. */
  readonly exposed: Exposed | undefined;
  /** The copied share of its lead's size. */
  readonly share: number;
}

/** The groups in which an account is copied now. */
function ledBy(copies: Exposed['copies'], account: string | undefined): CopyTradingConfiguration[] {
  return (copies ?? []).filter(({ enabled, source_account_id }) => enabled && source_account_id === account);
}

/** The ids of the accounts that copy an account now. */
export function copiersOf(copies: Exposed['copies'], account: string): string[] {
  return [...new Set(ledBy(copies, account).flatMap(({ targets }) => targets.map(({ account_id: id }) => id)))];
}

/** The accounts that copy an account now. */
export function followersOf({ account, copies, followers }: Exposed): Follower[] {
  return ledBy(copies, account?.id).flatMap(({ targets }) =>
    targets.map((target) => {
      const exposed = followers.get(target.account_id);
      const starts = (exposed?.account?.starting_balance ?? Number.NaN) / (account?.starting_balance ?? Number.NaN);
      return { account: target.account_id, exposed, share: (starts * target.multiplier_bps) / 1e4 };
    }),
  );
}

/** The part of a lead's closed size that a partial close at another average entry may hide. */
const closedMargin = 1.25;

/** A follower's exposure in a market, including the worst case of its copies. */
export function copiedStake({ exposed, share }: Follower & { exposed: Exposed }, lead: Stake): Stake {
  const own = stakesOf(exposed, [lead.market]).get(lead.market)!;
  const copies = lead.entries.map((entry) => copyOf(exposed, entry, share));
  const due = catchUp(exposed, lead, own, share);
  return { ...own, entries: [...own.entries, ...copies, ...due] };
}

function copyOf(exposed: Exposed, entry: Entry, share: number): Entry {
  const { market, side } = entry;
  const size = entry.size * share;
  const { price, from, at } = pricesOf(exposed, { market_id: market, side, size, kind: 'market' });
  return { ...entry, id: '', size, price: entry.price + (price - at), from: entry.from + (from - at), stop: undefined };
}

/**
 * A refused copy is made up for at the next one: all that the lead has added to its position counts, except the
 * follower's holdings since that was opened.
 */
function catchUp(exposed: Exposed, { market, held }: Stake, own: Stake, share: number): Entry[] {
  if (held === undefined) return [];
  const { entry_price, leverage, realized_margin_basis: closed = 0, opened_at, margin_mode } = held;
  const side = sideOf(held);
  const isCopied = own.held !== undefined && sideOf(own.held) === side && own.held.opened_at >= opened_at;
  const added = held.size + ((closed * leverage) / entry_price) * closedMargin;
  const size = added * share - (isCopied ? own.held.size : 0);
  if (size <= 0) return [];
  const prices = pricesOf(exposed, { market_id: market, side, size, kind: 'market' });
  const isIsolated = margin_mode === 'isolated';
  const entry = { id: '', market, side, size, ...prices, leverage, isIsolated };
  return [{ ...entry, stop: undefined, replaces: false, isBegun: true, isOwn: true }];
}
