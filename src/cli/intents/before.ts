import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Intent } from '../../client/intent.ts';

/** Writes whose reading back needs to know how the resource was, and how it is read. */
const reads: Readonly<Record<string, (client: Client, intent: Intent) => Promise<{ data: unknown }>>> = {
  modifyOrder: readOrder,
  updateAttachedExits: readOrder,
  setPositionIsolatedMargin: (client, { path }) =>
    client.call('getPosition', { path: { position_id: path.position_id! } }),
  saveCopyTradingConfigurations: (client) => client.call('listCopyTradingConfigurations', {}),
};

/**
 * The resource as it is before a write that has no idempotency key, where reading back alone could not tell its effect
 * from what was there before. Undefined where none is needed, and where the service refuses: the write will hear why.
 */
export async function resourceBefore(client: Client, intent: Intent): Promise<unknown> {
  try {
    return (await reads[intent.operationId]?.(client, intent))?.data;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function readOrder(client: Client, { path }: Intent): Promise<{ data: unknown }> {
  return client.call('getOrder', { path: { order_id: path.order_id! } });
}
