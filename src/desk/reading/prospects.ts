import type { Account } from '../../contract/accounts.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { type Marks, type Outlook, outlookOf } from '../risk/outlook.ts';
import type { Session } from '../session/session.ts';
import { marksOf } from './marks.ts';

/** Open positions with their marks, and what ends their account. */
export interface Prospects {
  readonly marks: Marks;
  readonly outlook: Outlook;
}

/**
 * Fetches in parallel what the risk of an account's positions depends on. These figures are optional: if they can't be
 * fetched, a note says so.
 */
export async function prospectsOf(
  session: Session,
  account: Account | Promise<Account>,
  positions: readonly Position[],
  begun?: Promise<Marks>,
): Promise<Prospects> {
  const held = positions.map(({ market_id }) => market_id);
  const [known, marks] = await Promise.all([
    noted(session, 'The floors', Promise.resolve(account), undefined),
    noted(session, 'The marks', begun ?? marksOf(session, held), new Map() as Marks),
  ]);
  return { marks, outlook: outlookOf(known, positions, marks) };
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

/** A read of additional figures: if it fails, a note says so. */
export async function noted<T, U>(session: Session, what: string, read: Promise<T>, without: U): Promise<T | U> {
  try {
    return await read;
  } catch (error) {
    // Ctrl-C ends the command.
    if (session.signal.aborted) throw error;
    session.note(`${what} could not be fetched: ${factsOf(error).message}`);
    return without;
  }
}
