import { usageFailure } from '../../base/failure/failure.ts';
import { toMoney } from '../../base/terms/decimal.ts';
import type { SimulationPayment } from '../../wire/contract/simulation-history.ts';
import { exchangeTime, pastMoment } from '../resolve/time.ts';
import type { Session } from '../session/session.ts';
import type { PastTime } from '../values/times.ts';
import { type AccountRecords, changeOf, fillOf, foldHistory, type Ms, type Payment } from './records.ts';

/** The complete history of an account up to now. */
export type History = Awaited<ReturnType<typeof historyOf>>;

/** How often to read again if the account changed in the meantime. */
const maxReadings = 3;
const largestPage = 2_000;

/** Reads an account's history: from the ledger of the simulation, or from the fills and positions of a host. */
export async function readHistory(session: Session, accountId: string): Promise<History> {
  if (session.settings.environment !== 'sim') {
    const { readHost } = await import('./read-host.ts');
    return historyOf(session, await readHost(session, accountId));
  }
  for (let reading = 1; ; reading += 1) {
    const history = await historyOf(session, await readSimulation(session, accountId));
    if (history.unexplained === 0n || reading === maxReadings) return history;
  }
}

async function historyOf(session: Session, records: AccountRecords) {
  const { account, fills, payments, approximations } = records;
  const folded = foldHistory(fills, payments);
  const hasDeposit = payments.some(({ kind }) => kind === 'deposit');
  const openingBalance = hasDeposit ? 0n : toMoney(account.starting_balance);
  const changes = folded.bookings.reduce((sum, booking) => sum + changeOf(booking), 0n);
  return {
    ...folded,
    account,
    /** The account's creation. */
    from: account.created_at,
    to: Math.max(account.created_at, account.risk?.observed_at ?? (await exchangeTime(session))),
    /** The balance before the first booking. */
    openingBalance,
    /** The part of the balance that is not explained by the opening balance and all bookings: 0 in the simulation. */
    unexplained: toMoney(account.balance) - openingBalance - changes,
    /** As sentences; empty in the simulation. */
    approximations,
  };
}

async function readSimulation(session: Session, accountId: string): Promise<AccountRecords> {
  const query = { account_id: accountId };
  const fills = await allPages((page) => session.call('simListFills', { query: { ...query, ...page } }), fillOf);
  const paid = (page: object) => session.call('simListPayments', { query: { ...query, ...page } });
  const payments = await allPages(paid, paymentOf);
  const { data: account } = await session.call('getAccount', { path: { account_id: accountId } });
  return { account, fills: fills.reverse(), payments: payments.reverse(), approximations: [] };
}

interface PageOf<Row> {
  data: Row[];
  has_more: boolean;
  next_cursor?: string | undefined;
}

/** Page by page, because a generator that yields a hundred thousand single items takes as long as reading them. */
async function allPages<Row, Item>(
  read: (page: { limit: number; cursor?: string }) => Promise<{ body: PageOf<Row> }>,
  itemOf: (row: Row) => Item,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await read({ limit: largestPage, ...(cursor !== undefined && { cursor }) });
    for (const row of body.data) items.push(itemOf(row));
    if (!body.has_more) return items;
    cursor = body.next_cursor;
  }
}

function paymentOf({ kind, amount, time, order_id, market_id }: SimulationPayment): Payment {
  return { kind, amount: toMoney(amount), time, orderId: order_id ?? null, marketId: market_id ?? null };
}

/** The requested range, limited to the account's history. */
export function rangeOf(
  history: Pick<History, 'from' | 'to'>,
  { from, to }: { from: PastTime | undefined; to: PastTime | undefined },
): { from: Ms; to: Ms } {
  const range = {
    from: from === undefined ? history.from : Math.max(history.from, pastMoment(from, history.to, 'from')),
    to: to === undefined ? history.to : Math.min(history.to, pastMoment(to, history.to, 'to')),
  };
  if (range.from <= range.to) return range;
  throw usageFailure('There is nothing between --from and --to.', 'The account is younger, or --from is after --to.');
}
