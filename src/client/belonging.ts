import type { WireResponse } from '../contract/wire.ts';
import { isRecord } from './errors.ts';
import type { Intent } from './intent.ts';

/** Operations whose answer is the very resource that the path names, and the name it has there. */
const resourceNamedByPath: Readonly<Record<string, string>> = {
  getAccount: 'account_id',
  getPosition: 'position_id',
  replacePositionExitOrders: 'position_id',
  setPositionIsolatedMargin: 'position_id',
  getOrder: 'order_id',
  modifyOrder: 'order_id',
  cancelOrder: 'order_id',
  updateAttachedExits: 'order_id',
  getTwapOrder: 'twap_order_id',
  cancelTwapOrder: 'twap_order_id',
  getScaledOrder: 'scaled_order_id',
  cancelScaledOrder: 'scaled_order_id',
};

/**
 * Why an answer belongs to another request than this one, if it does: a connection on which an answer was delivered
 * twice hands every later request the answer of the one before. Compares only what both sides state.
 */
export function mismatch(intent: Intent, answer: WireResponse): string | undefined {
  const data = isRecord(answer.body) ? answer.body.data : undefined;
  if (answer.status >= 300 || !isRecord(data)) return undefined;
  const pathName = resourceNamedByPath[intent.operationId];
  const expected = pathName === undefined ? undefined : intent.path[pathName];
  if (expected !== undefined && typeof data.id === 'string' && data.id !== expected) return foreign(data.id, expected);
  const given = data.client_order_id;
  if (intent.clientOrderId !== undefined && typeof given === 'string' && given !== intent.clientOrderId) {
    return foreign(given, intent.clientOrderId);
  }
  return undefined;
}

function foreign(got: string, expected: string): string {
  return `the answer is about ${JSON.stringify(got)}, not ${JSON.stringify(expected)}: it belongs to another request`;
}
