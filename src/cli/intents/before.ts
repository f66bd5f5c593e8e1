import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Intent } from '../../client/intent.ts';

/** How to read the resource that a write without an idempotency key changes. */
const reads: Readonly<Record<string, (client: Client, path: Intent['path']) => Promise<{ data: unknown }>>> = {
  modifyOrder: readOrder,
  updateAttachedExits: readOrder,
  cancelOrder: readOrder,
  setPositionIsolatedMargin: (client, path) => client.call('getPosition', { path: named('position_id', path) }),
  cancelTwapOrder: (client, path) => client.call('getTwapOrder', { path: named('twap_order_id', path) }),
  cancelScaledOrder: (client, path) => client.call('getScaledOrder', { path: named('scaled_order_id', path) }),
  saveCopyTradingConfigurations: (client) => client.call('listCopyTradingConfigurations', {}),
  disableCopyTradingConfiguration: (client) => client.call('listCopyTradingConfigurations', {}),
  acknowledgeCopyTradingStop: (client, path) =>
    client.call('getAccountTradingPolicy', { path: named('account_id', path) }),
};

/**
 * The resource as it is before a write that has no idempotency key: reading back alone can't tell what the write did
 * from what was there before. Undefined where none is needed, and where the service refuses: the write will hear why.
 */
export async function resourceBefore(client: Client, { operationId, path }: Intent): Promise<unknown> {
  try {
    return (await reads[operationId]?.(client, path))?.data;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function readOrder(client: Client, path: Intent['path']): Promise<{ data: unknown }> {
  return client.call('getOrder', { path: named('order_id', path) });
}

function named<Name extends string>(name: Name, path: Intent['path']): { [name in Name]: string } {
  return { [name]: path[name]! } as { [name in Name]: string };
}
