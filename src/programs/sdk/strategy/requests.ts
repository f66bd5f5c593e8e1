import type { Client } from '../client/client-types.ts';
import { ownError, PerpError } from '../client/errors.ts';
import { neverAccepted } from './actor.ts';
import type { Asked, OrderIds, Refused } from './side.ts';

/** Sends what a strategy asked for; resolves with what was refused, or could not be sent. */
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
      // A request that may have happened, or never will, ends the run.
      if (!(error instanceof PerpError) || error.outcome === 'unknown' || error.status === 401 || error.status === 403)
        throw error;
      const { code, message, orderId } = error;
      if (asked.kind === 'place' && orderId !== undefined) ids.accept(asked.clientId, orderId);
      refused.push({ asked, code, message, hasRecord: orderId !== undefined });
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
  if (order_id === undefined) throw ownError({ code: 'not_found', message: neverAccepted(asked.order) });
  if (asked.kind === 'cancel') await client.cancelOrder({ order_id });
  else await client.modifyOrder({ order_id, ...asked.change });
}
