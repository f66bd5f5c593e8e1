import type { Order } from '../../contract/orders.ts';
import { quantity, word } from '../../ground/text/format.ts';
import { workingOrders } from '../resolve/holdings.ts';
import type { Session } from '../session/session.ts';

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
