import { PerpError } from '../client/errors.ts';
import type { Client } from '../client/types.ts';
import type { Asked, Refused } from './actor.ts';
import type { OrderIds } from './side.ts';

/** Sends what a strategy asked for; resolves with what was refused. Anything but a refusal is thrown. */
export async function sendAsked(
  client: Client,
  accountId: string,
  all: readonly Asked[],
  ids: OrderIds,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const asked of all) {
    try {
      await sendOne(client, accountId, asked, ids);
    } catch (error) {
      const { status = 0, code, message, orderId } = error instanceof PerpError ? error : {};
      const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 429;
      if (!isRefusal && code !== 'unavailable' && code !== 'never_accepted') throw error;
      if (asked.kind === 'place' && orderId !== undefined) ids.accept(asked.clientId, orderId);
      refused.push({
        asked,
        code: code === 'never_accepted' ? 'not_found' : code!,
        message: message!,
        hasRecord: orderId !== undefined,
      });
    }
  }
  return refused;
}

async function sendOne(client: Client, account_id: string, asked: Asked, ids: OrderIds): Promise<void> {
  if (asked.kind === 'place') {
    const { id } = await client.createOrder({ ...asked.body, account_id });
    ids.accept(asked.clientId, id);
    return;
  }
  const order_id = ids.idOf(asked.order);
  if (order_id === undefined)
    throw new PerpError({ code: 'never_accepted', message: `The order ${asked.order} was never accepted.` });
  if (asked.kind === 'cancel') await client.cancelOrder({ order_id });
  else await client.modifyOrder({ order_id, ...asked.change });
}
