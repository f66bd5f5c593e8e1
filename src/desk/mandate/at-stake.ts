import type { CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import { changeOf } from './changes.ts';
import { entriesIn, entryOf, pricesOf, stopsOf } from './entries.ts';
import type { Exposed } from './mandate.ts';
import { type Change, changed, type Entry, type Stake, sideOf } from './stake.ts';

/** If the writes in progress may end in more ways than this, they aren't distinguished. */
const mostWays = 64;

/** An account's exposure in each of its markets and in some more, whether or not each write in progress is done. */
export function stakesOf(exposed: Exposed, also: readonly string[]): Map<string, Stake> {
  const { positions = [], working = [], twaps = [] } = exposed;
  const changes = changesUnderWay(exposed);
  const markets = new Set([
    ...[...positions, ...working, ...twaps].map(({ market_id }) => market_id),
    ...changes.flatMap((change) => change.markets),
    ...also,
  ]);
  return new Map([...markets].map((market) => [market, stakeIn(exposed, market, changes)]));
}

function stakeIn(exposed: Exposed, market: string, changes: readonly Change[]): Stake {
  const { positions = [], working = [], marks } = exposed;
  const held = positions.find(({ market_id }) => market_id === market);
  const begin: Stake = {
    market,
    mark: marks.get(market),
    held,
    entries: entriesIn(exposed, market),
    stops: [held === undefined ? [] : stopsOf(working, held)],
    dropsLegs: false,
  };
  return changes
    .filter(({ markets, isEverywhere }) => isEverywhere === true || markets.includes(market))
    .reduce((stake, change) => changed(stake, change, true), begin);
}

function changesUnderWay(exposed: Exposed): Change[] {
  const own = exposed.pending.filter(({ account }) => account === exposed.account?.id);
  return own.map((write) => changeOf(exposed, write));
}

/**
 * The unknown facts about an account, in words; undefined if everything that a judgment in this market needs is known.
 */
export function unknownOf(exposed: Exposed, markets: readonly string[]): string | undefined {
  const { account, positions, working, twaps, copies, marks } = exposed;
  if (account === undefined) return 'the account';
  if (positions === undefined) return 'its positions';
  if (working === undefined) return 'its working orders';
  if (twaps === undefined) return 'its TWAPs';
  if (copies === undefined) return 'the list of accounts that copy it';
  const changes = changesUnderWay(exposed);
  if (changes.some(({ mayAdd }) => mayAdd === true)) return 'the effect of a pending write';
  if (2 ** changes.filter(({ stops }) => stops !== undefined).length > mostWays) return 'the outcome of pending writes';
  const bare = markets.find((market) => !(Number(marks.get(market)?.price) > 0));
  return bare === undefined ? undefined : `the mark of ${bare}`;
}

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

/** The groups in which an account leads or follows. */
export function groupsOf(copies: readonly CopyTradingConfiguration[], account: string): CopyTradingConfiguration[] {
  return copies.filter(
    ({ source_account_id: lead, targets }) =>
      lead === account || targets.some(({ account_id }) => account_id === account),
  );
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
  const copied = { market_id: market, side, size, leverage, margin_mode };
  return [entryOf(copied, prices, { isBegun: true, isOwn: true })];
}
