import type { Order } from '../../contract/orders.ts';
import type { Context } from '../context.ts';
import { isNotFound } from '../context.ts';
import { unknownId } from './unknown.ts';

/** The order of that id, else of that client order id. */
export async function resolveOrder(context: Context, text: string): Promise<Order> {
  try {
    return (await context.call('getOrder', { path: { order_id: text } })).data;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const named = canBeClientId(text)
    ? (await context.call('listOrders', { query: { client_order_id: text } })).data[0]
    : undefined;
  if (named !== undefined) return named;
  throw unknownId(context, 'order', `There is no order ${JSON.stringify(text)}.`, text, 'perp order list shows yours.');
}

/** The service refuses to look for any other. */
function canBeClientId(text: string): boolean {
  return text.length <= 128 && !/\p{Cc}/u.test(text);
}
