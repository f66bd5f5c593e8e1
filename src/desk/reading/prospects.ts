import type { Account, AccountTradingPolicy, CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import type { Quote } from '../../wire/contract/markets.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { type Acting, actingIn, actingOf, actingText } from '../account/acting.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { type AskedQuote, fetchQuote, marksOf, withTicks } from '../resolve/quote.ts';
import { type Holdings, type Outlook, outlookOf } from '../risk/outlook.ts';
import type { Marks } from '../risk/path-account.ts';
import { attempt, noted, rowsOf, type Session } from '../session/session.ts';
import { withOneR } from './one-r.ts';

/** Open positions with their marks, and their account's end. */
interface Prospects {
  readonly marks: Marks;
  readonly outlook: Outlook;
}

/**
 * Fetches in parallel the inputs of the risk of an account's positions. These figures are optional: if they can't be
 * fetched, a note says so.
 */
export async function prospectsOf(
  session: Session,
  account: Account | Promise<Account>,
  holdings: Holdings,
  begun?: Promise<Marks>,
): Promise<Prospects> {
  const [known, marks] = await Promise.all([
    noted(session, 'The floors', Promise.resolve(account), undefined),
    noted(session, 'The marks', exitMarks(session, holdings, begun), new Map() as Marks),
  ]);
  const outlook = await withOneR(session, outlookOf(known, holdings, marks), { ...holdings, marks });
  return { marks, outlook };
}

/** Inputs of {@link prospectOf}. */
export interface Prospect extends Holdings, Prospects {
  readonly twaps: readonly TwapOrder[];
  /** Sources of automatic orders in the account. */
  readonly acting: readonly Acting[];
}

/** An account whose end is requested. */
interface Asked {
  readonly account: Account | Promise<Account>;
  readonly positions: Promise<readonly Position[]>;
  /** How much time counts, too, ms. */
  readonly within?: number | undefined;
}

/**
 * Reads, in parallel, the inputs for an account's end, besides its account and positions, which are already being read.
 */
export async function prospectOf(
  session: Session,
  account_id: string,
  { account, positions, within }: Asked,
): Promise<Prospect> {
  // It may fail before it is awaited below.
  Promise.resolve(account).catch(() => {});
  const [open, working, twaps, policy, copies] = await Promise.all([
    positions,
    workingNow(session, account_id),
    twapsNow(session, account_id),
    policyOf(session, account_id),
    noted(session, 'Copying', copiesNow(session), []),
  ]);
  const holdings = { positions: open, working, twaps, policy, within };
  const acting = actingOf(account_id, { twaps, working, copies });
  return { ...holdings, acting, ...(await prospectsOf(session, account, holdings)) };
}

/** The account's policy; undefined, with a note, if it can't be read. */
export async function policyOf(session: Session, account_id: string): Promise<AccountTradingPolicy | undefined> {
  const read = session.call('getAccountTradingPolicy', { path: { account_id } }).then(({ data }) => data);
  return noted(session, 'The trading policy', read, undefined);
}

/** The same as of this command; the lines of a batch read it at most once a second. */
export function recentPolicy(session: Session, account_id: string): Promise<AccountTradingPolicy | undefined> {
  return session.memory.recent(`policy of ${account_id}`, () => policyOf(session, account_id));
}

/**
 * The marks of every market in which an account holds or works something, with their ticks, and the prices for its
 * exits where they would take from the book. `known`: marks that have been read already; `quoted`: reads a quote, by
 * default as of now.
 */
export async function exitMarks(
  session: Session,
  holdings: Holdings,
  known: Marks | Promise<Marks> = new Map(),
  quoted: (market_id: string, asked: AskedQuote) => Promise<Quote> = (id, asked) => fetchQuote(session, id, asked),
): Promise<Marks> {
  const quotes = exitQuotesOf(holdings);
  const begun = await known;
  const missing = [...quotes].flatMap(([id, { isTaken }]) => (!begun.has(id) || isTaken ? [id] : []));
  const quoteOf = (_: Session, id: string) => quoted(id, quotes.get(id)!.asked);
  const read = missing.length === 0 ? new Map() : await marksOf(session, missing, quoteOf);
  return quotes.size === 0 ? begun : withTicks(session, Promise.resolve(new Map([...begun, ...read])));
}

/** The quote of a market that the end of an account depends on. */
interface ExitQuote {
  /** Possible sizes of its exits and entries; if there are none, the best prices are enough. */
  readonly asked: AskedQuote;
  /** Something would take from the book, so a mark alone isn't enough. */
  readonly isTaken: boolean;
}

/** Quotes needed of every market in which an account holds or works something. */
export function exitQuotesOf(holdings: Closable): Map<string, ExitQuote> {
  const { positions, working = [], twaps = [] } = holdings;
  const entries = working.filter(({ reduce_only: reduces }) => !reduces);
  const ids = new Set([...positions, ...entries, ...twaps].map(({ market_id }) => market_id));
  const taking = new Set(working.filter(({ trigger_price: at }) => at !== undefined).map(({ market_id }) => market_id));
  for (const { market_id, attached_stop_loss_price: stop } of entries) if (stop !== undefined) taking.add(market_id);
  for (const { market_id } of twaps) taking.add(market_id);
  // Only the quote of a size includes the fee of a fill.
  const sized = new Set([...taking, ...entries.map(({ market_id }) => market_id)]);
  const account = positions[0]?.account_id ?? working[0]?.account_id;
  const quotes = new Map<string, ExitQuote>();
  for (const id of ids)
    quotes.set(id, { asked: sized.has(id) ? { ...closingOf(id, holdings), account } : {}, isTaken: taking.has(id) });
  return quotes;
}

/** An account's holdings in a market, as far as it may have to close them. */
interface Closable {
  readonly positions: readonly (Pick<Position, 'market_id' | 'side' | 'size'> & { readonly account_id?: string })[];
  readonly working?: readonly Order[] | undefined;
  readonly twaps?: readonly TwapOrder[] | undefined;
}

/** The most that might have to leave a market at once: its position plus every entry of its side. */
export function closingOf(
  marketId: string,
  { positions, working = [], twaps = [] }: Closable,
): { side: 'buy' | 'sell'; size: number } {
  const position = positions.find(({ market_id }) => market_id === marketId);
  const entries = [
    ...working.filter(({ reduce_only: reduces }) => !reduces),
    ...twaps.map(({ market_id, side, total_size, filled_size }) => ({
      market_id,
      side,
      size: total_size - filled_size,
    })),
  ].filter(({ market_id }) => market_id === marketId);
  const isLong = position === undefined ? entries[0]?.side !== 'sell' : position.side === 'long';
  const same = entries.filter(({ side }) => (side === 'buy') === isLong);
  const size = same.reduce((sum, one) => sum + one.size, position?.size ?? 0);
  return { side: isLong ? 'sell' : 'buy', size: Number(size.toPrecision(15)) };
}

/** The current state of an account. */
export async function accountNow(session: Session, account_id: string): Promise<Account> {
  return (await session.call('getAccount', { path: { account_id } })).data;
}

/** The working orders of an account, for the cover of its positions; undefined if they can't be fetched. */
export function workingNow(session: Session, account_id: string): Promise<readonly Order[] | undefined> {
  const read = session.call('listOrders', { query: { account_id, status: 'working' } }).then(({ data }) => data);
  return noted(session, 'The exits', read, undefined);
}

/** The running TWAPs of an account; none if they can't be fetched. */
export function twapsNow(session: Session, account_id: string): Promise<readonly TwapOrder[]> {
  const read = session.call('listActiveTwapOrders', { query: { account_id } }).then(({ data }) => data);
  const running = read.then((all) => all.filter(({ status }) => status === 'running'));
  return noted(session, 'The TWAPs', running, []);
}

/** The same as of this command, before a write; the lines of a batch read them at most once a second. */
export function twapsBefore(session: Session, account_id: string): Promise<readonly TwapOrder[]> {
  return session.memory.recent(`TWAPs of ${account_id}`, () => twapsNow(session, account_id));
}

/** The groups in which accounts are copied; none where the host has no copying, or not for this credential. */
export async function copiesNow(session: Session): Promise<readonly CopyTradingConfiguration[]> {
  try {
    const { data } = await attempt(session, 'listCopyTradingConfigurations', {});
    return rowsOf(data.map((group) => ({ id: group?.config_id, ...group })));
  } catch (error) {
    const { status } = error as { status?: unknown };
    if (status === 403 || status === 404 || status === 405) return [];
    throw error;
  }
}

/** The same of this command; the lines of a batch read them at most once a second. */
export function recentCopies(session: Session): Promise<readonly CopyTradingConfiguration[]> {
  return session.memory.recent('copies', () => noted(session, 'Copying', copiesNow(session), []).catch(() => []));
}

/** Activity in an account, or in one of its markets, besides a write. */
async function actingBeside(session: Session, account_id: string): Promise<Acting[]> {
  const [twaps, working, copies] = await Promise.all([
    twapsBefore(session, account_id),
    noted(session, 'The working orders', workingOrders(session, account_id), []),
    recentCopies(session),
  ]);
  return actingOf(account_id, { twaps, working, copies });
}

/** After a write in a market, notes automatic activity there, and the command that ends it. */
export async function noteActing(session: Session, account_id: string, market_id: string): Promise<void> {
  if (session.settings.dryRun) return;
  for (const one of actingIn(market_id, await actingBeside(session, account_id))) session.note(actingText(one));
}
