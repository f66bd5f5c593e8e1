import type { Order } from '../../contract/orders.ts';
import { isNotFound } from '../../ground/failure/failure.ts';
import type { Session } from '../session/session.ts';
import { settleAccount } from './account.ts';
import { missing } from './unknown.ts';

/** Finds an order by its id, or by its client order id. */
export async function resolveOrder(session: Session, text: string): Promise<Order> {
  await settleAccount(session);
  const order = await findOrder(session, text);
  (await session.access()).intents.saw(order);
  return order;
}

/** The working orders of an account, read once per run. */
export function workingOrders(session: Session, account_id: string): Promise<readonly Order[]> {
  return session.memory.once(`working orders of ${account_id}`, async () => {
    const { data } = await session.call('listOrders', { query: { account_id, status: 'working' } });
    return data;
  });
}

async function findOrder(session: Session, text: string): Promise<Order> {
  try {
    return (await session.call('getOrder', { path: { order_id: text } })).data;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const named = canBeClientId(text)
    ? (await session.call('listOrders', { query: { client_order_id: text } })).data[0]
    : undefined;
  if (named !== undefined) return named;
  throw await missing(session, 'order', text);
}

/** The service rejects any other client order id in a query. */
function canBeClientId(text: string): boolean {
  return text.length <= 128 && !/\p{Cc}/u.test(text);
}
