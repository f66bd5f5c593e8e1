import { orderKindOf } from '../../base/terms/order-types.ts';
import { marketName, quantity, word } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { coverOf, withoutCanceled } from '../account/means.ts';
import { workingNow } from '../reading/prospects.ts';
import { workingOrders } from '../resolve/holdings.ts';
import type { Session } from '../session/session.ts';
import { type Aftermath, changedAftermath, positionsNow } from './aftermath.ts';

/** After an account's stops have been canceled, notes which parts of its positions have no stop. */
export async function noteUncovered(session: Session, account_id: string, canceled: readonly Order[]): Promise<void> {
  const markets = new Set(canceled.filter(mayBeStop).map(({ market_id }) => market_id));
  if (markets.size === 0) return;
  const isGone = isAmong(canceled);
  const after = (await canceledAftermath(session, account_id, isGone)) ?? (await readStanding(session, account_id));
  if (after.positions === undefined || after.working === undefined) return;
  const left = withoutCanceled(after.working, isGone);
  for (const position of after.positions.filter(({ market_id }) => markets.has(market_id))) {
    const { uncovered } = coverOf(position, left, after.outlook);
    const name = `${word(position.side)} ${quantity(position.size)} ${marketName(position.market_id, position.symbol)}`;
    if (uncovered > 0) session.note(`${quantity(uncovered)} of ${name} has no stop now.`);
  }
}

/** Whether an order is one of these. */
export function isAmong(orders: readonly Order[]): (order: Order) => boolean {
  const ids = new Set(orders.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

/** The account after these orders were canceled, as read beside the cancellation; undefined if it wasn't. */
export function canceledAftermath(
  session: Session,
  account_id: string,
  isCanceled: (order: Order) => boolean,
): Promise<Aftermath | undefined> {
  return changedAftermath(session, account_id, ({ working }) => ({ working: withoutCanceled(working, isCanceled) }));
}

async function readStanding(session: Session, account_id: string): Promise<Partial<Aftermath>> {
  const [positions, working] = await Promise.all([positionsNow(session, account_id), workingNow(session, account_id)]);
  return { positions, working };
}

function mayBeStop({ reduce_only, mode }: Order): boolean {
  const { fires } = orderKindOf(mode) ?? {};
  return reduce_only && (fires === 'against' || fires === 'directed');
}

const legs = { attached_take_profit_price: 'take-profit', attached_stop_loss_price: 'stop-loss' } as const;

/**
 * Reads the working entries before exits are canceled; the returned function then reports which entries lost a leg as a
 * result (simulation 4). Only in text output: JSON results are the API's own.
 */
export async function legsBefore(session: Session, canceled: readonly Order[]): Promise<() => Promise<string[]>> {
  const exit = canceled.find(({ reduce_only }) => reduce_only);
  if (exit === undefined || session.settings.output !== 'table') return async () => [];
  const { account_id } = exit;
  const working = async () => (await session.call('listOrders', { query: { account_id, status: 'working' } })).data;
  const before = await workingOrders(session, account_id);
  return async () => {
    // The cancellation is done even if this can't be read.
    const now = new Map((await working().catch(() => [])).map((order) => [order.id, order]));
    return before.flatMap((order) => lostBy(order, now.get(order.id)));
  };
}

function lostBy(before: Order, now: Order | undefined): string[] {
  if (now === undefined) return [];
  return Object.entries(legs).flatMap(([field, name]) => {
    const at = before[field as keyof typeof legs];
    if (typeof at !== 'number' || typeof now[field as keyof typeof legs] === 'number') return [];
    const text =
      `${now.id} (${word(now.mode)} ${quantity(now.size)} ${word(now.symbol)}) is still working but lost its ${name} ` +
      `at ${quantity(at)}; further fills will not have one.`;
    return [text];
  });
}
