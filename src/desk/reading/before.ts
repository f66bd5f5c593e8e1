import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { accountId, accountRisk } from '../resolve/account.ts';
import { beginPositions, positionsOf, workingOrders } from '../resolve/holdings.ts';
import { marksOf, recentQuote, withTicks } from '../resolve/quote.ts';
import type { Marks } from '../risk/path-account.ts';
import type { Session } from '../session/session.ts';
import { twapsBefore } from './prospects.ts';

/** An account as read alongside the first reads of a write. */
export type Before = Awaited<ReturnType<typeof readBefore>>;

/** The reads that a write has begun. */
interface Begun {
  readonly before: Promise<Before>;
  readonly marks: Promise<Marks>;
  /** Whether the account was read before the write was sent, so that it can't show the write's effect. */
  isBefore: boolean;
}

const begun = new WeakMap<Session, Begun>();

/** The reads that this session's write has begun; undefined if there are none. */
export function readsBeside(session: Session): Begun | undefined {
  return begun.get(session);
}

/** Whether the result of this write shows figures of its account. The lines of a batch share what they read instead. */
export function showsFigures({ settings, memory }: Session): boolean {
  return settings.output !== 'table' && !settings.dryRun && !memory.sharesReads;
}

/**
 * Starts the reads for a write's JSON result alongside its other reads, so that it costs no further round trip. Without
 * an account, it is the one in use.
 */
export function beginAftermath(
  session: Session,
  { account_id, market_id }: Partial<Pick<Order, 'account_id' | 'market_id'>> = {},
): void {
  if (!showsFigures(session)) return;
  const id = account_id === undefined ? accountId(session) : Promise.resolve(account_id);
  const positions = id.then((account) => positionsOf(session, account));
  const before = readBefore(session, id);
  const marks = Promise.all([
    marksOf(session, market_id === undefined ? [] : [market_id], recentQuote),
    positions.then((held) => {
      const others = held.map((one) => one.market_id).filter((one) => one !== market_id);
      return marksOf(session, others, recentQuote);
    }),
  ]).then((both): Marks => new Map(both.flatMap((some) => [...some])));
  const reads: Begun = { before, marks: withTicks(session, marks).catch((): Marks => new Map()), isBefore: false };
  before.then(
    () => {
      reads.isBefore = !sent.has(session);
    },
    () => {},
  );
  begun.set(session, reads);
}

async function readBefore(session: Session, id: Promise<string>) {
  const [account, positions, working, twaps] = await Promise.all([
    id.then((account) => accountRisk(session, account)),
    id.then((account) => positionsOf(session, account)),
    id.then((account) => workingOrders(session, account)),
    id.then((account) => twapsBefore(session, account)),
  ]);
  /** `twaps`: running ones. */
  return { account, positions: positions as readonly Position[], working, twaps };
}

const sent = new WeakSet<Session>();

/** Starts reading the account in use before the write's account is known. */
export function beginAccount(session: Session): void {
  if (!showsFigures(session)) return;
  beginPositions(session);
  readBefore(session, accountId(session)).catch(() => {});
}

/** The same for an order. Under a separate key, it may be one of an earlier run, which these reads already show. */
export function beginOrderAftermath(session: Session, where: Pick<Order, 'account_id' | 'market_id'>): void {
  if (session.settings.idempotencyKey === undefined) beginAftermath(session, where);
}

/** How long a write waits for nearly finished reads, so that they need not be repeated after it, ms. */
const almostReadMs = 25;

/** Call it when a write is sent: later reads may show its effect. */
export async function isSending(session: Session): Promise<void> {
  const reads = begun.get(session);
  if (reads !== undefined && !reads.isBefore) {
    const late = Promise.withResolvers<void>();
    // In this process, nothing else can delay them.
    const { isInProcess } = await session.access();
    const timer = isInProcess ? undefined : setTimeout(late.resolve, almostReadMs);
    await Promise.race([reads.before.catch(() => {}), late.promise]);
    clearTimeout(timer);
  }
  sent.add(session);
}
