import { hash } from 'node:crypto';
import { codeText, type FailureFacts } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { newIdempotencyKey } from '../../wire/client/form-request.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { follow } from '../reading/account-changes.ts';
import { showsFigures } from '../reading/before.ts';
import { withOneR } from '../reading/one-r.ts';
import { explained } from '../resolve/unknown.ts';
import { outlookOf } from '../risk/outlook.ts';
import { attempt, rowsOf, type Session } from '../session/session.ts';
import { Flattening, type FlattenProblem, isToCancel } from './flattening.ts';
import { type AccountFigures, accountFigures, type Closing, whatClosed } from './write-figures.ts';

/** An account's open positions and working orders. */
export interface Standing {
  twaps: readonly TwapOrder[];
  orders: readonly Order[];
  positions: readonly Position[];
  /** Why a list could not be read: it is empty here, and unknown. */
  unread: readonly { what: 'positions' | 'orders' | 'twaps'; facts: FailureFacts }[];
}

/** A step of flattening that failed. */
interface FlattenFailure {
  what: 'account' | FlattenProblem['what'];
  id: string;
  code: string;
  message: string;
}

/** The result of flattening an account, and what is left; ids are the API's. */
export interface Flattened {
  account_id: string;
  canceled: { twaps: string[]; ladders: string[]; orders: string[] };
  /** The closing orders, as last read. */
  closed: Closing[];
  /** A list is null if it could not be read; null as a whole if none could. */
  left: { twaps: string[] | null; orders: string[] | null; positions: string[] | null } | null;
  failures: FlattenFailure[];
  interrupted: boolean;
  /** A write got no answer, so it may still be carried out. */
  outcome_unknown: boolean;
  computed?: AccountFigures;
}

/** How long to wait for delayed market orders to close their positions, ms. */
const maxWaitMs = 5_000;

/**
 * Reads an account's open positions and working orders; an order whose cancellation is queued counts as canceled. A
 * list that can't be read hides no other. Throws if none can be read.
 */
export async function standingOf(session: Session, account_id: string): Promise<Standing> {
  const lists = [
    attempt(session, 'listOpenPositions', { query: { account_id } }),
    attempt(session, 'listOrders', { query: { account_id, status: 'working' } }),
    attempt(session, 'listActiveTwapOrders', { query: { account_id } }),
  ] as const;
  const [positions, orders, twaps] = await Promise.allSettled(lists);
  const names = ['positions', 'orders', 'twaps'] as const;
  const unread = [positions, orders, twaps].flatMap((read, nth) =>
    read.status === 'rejected' ? [{ what: names[nth]!, facts: factsOf(read.reason) }] : [],
  );
  if (positions.status === 'rejected' && unread.length === lists.length)
    throw await explained(session, { query: { account_id } }, positions.reason);
  const rows = <Row extends { id: string }>(read: PromiseSettledResult<{ data: readonly Row[] }>) =>
    read.status === 'fulfilled' ? rowsOf(read.value.data) : [];
  return { positions: rows(positions), orders: rows(orders).filter(isToCancel), twaps: rows(twaps), unread };
}

/** The ladders that have working rungs. */
export function laddersOf({ orders }: Pick<Standing, 'orders'>): string[] {
  return [...new Set(orders.flatMap(({ scaled_order_id: id }) => id ?? []))];
}

/** Whether nothing is open or working, as far as every list says. */
export function isNothing({ twaps, orders, positions, unread }: Standing): boolean {
  return twaps.length + orders.length + positions.length + unread.length === 0;
}

/**
 * Stops every TWAP, closes every position and cancels every ladder and order, one by one, until nothing is left or the
 * rest keeps failing. A position that can't be closed keeps its exits. Nothing is thrown once a write has been sent.
 * Safe to repeat at any time.
 */
export async function flatten(session: Session, account_id: string): Promise<Flattened> {
  const prefix = session.settings.idempotencyKey ?? newIdempotencyKey();
  // The same position under the same key gives the same key, so a repeated run closes only what is new.
  const keyOf = (action: string, id: string, nth: number) =>
    hash('sha256', [prefix, action, account_id, id, nth].join('\n'), 'hex');
  const run = new Flattening(session, account_id, { positions: 'all', orders: true, keyOf, isPatient: false });
  await run.run().catch(async (error: unknown) => {
    throw await explained(session, { query: { account_id } }, error);
  });
  return await resultOf(session, account_id, run);
}

async function resultOf(session: Session, account_id: string, run: Flattening): Promise<Flattened> {
  const { aborted } = session.signal;
  const { closed, canceled, left, troubles } = run;
  const pending = aborted ? [] : [...closed.values()].filter(({ status }) => status === 'pending');
  const [account, ...followed] = await Promise.all([
    aborted ? undefined : accountAfter(session, account_id),
    ...pending.map((order) => follow(session, order, maxWaitMs)),
  ]);
  for (const { order } of followed) closed.set(order.id, order);
  const ids = (rows: readonly { id: string }[] | undefined) => rows?.map(({ id }) => id) ?? null;
  const known = { twaps: ids(left.twaps), orders: ids(left.orders), positions: ids(left.positions) };
  return {
    account_id,
    canceled: { twaps: [...canceled.twap], ladders: [...canceled.ladder], orders: [...canceled.order] },
    closed: await Promise.all([...closed.values()].map((order) => whatClosed(session, order))),
    left: Object.values(known).some((list) => list !== null) ? known : null,
    failures: run.isDone
      ? []
      : troubles.map(({ what, id, facts }) => ({
          what,
          id,
          code: facts.ruleId ?? codeText(facts.code),
          message: facts.message,
        })),
    interrupted: aborted,
    // Items missing from a list that was read afterward have happened, or no longer can.
    outcome_unknown: run.isUnknown && !run.isDone,
    ...(showsFigures(session) ? { computed: await figuresOf(session, run, account) } : {}),
  };
}

/** The account once it is flat, for the room in a JSON result, in one attempt; undefined if it can't be read. */
async function accountAfter(session: Session, account_id: string): Promise<Account | undefined> {
  if (!showsFigures(session)) return undefined;
  return attempt(session, 'getAccount', { path: { account_id } }).then(
    ({ data }) => data,
    () => undefined,
  );
}

async function figuresOf(
  session: Session,
  { left: { positions, orders } }: Flattening,
  account: Account | undefined,
): Promise<AccountFigures> {
  const marks = new Map();
  const left = { positions: positions ?? [], working: orders };
  const outlook = await withOneR(session, outlookOf(account, left, marks), { ...left, marks });
  return accountFigures({ positions, working: orders, marks, outlook });
}
