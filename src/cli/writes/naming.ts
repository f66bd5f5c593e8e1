import { hash } from 'node:crypto';
import type { KnownOperationId, RequestOf } from '../../contract/operations.ts';

const longestClientOrderId = 128;

/**
 * Gives an order without a client order id one derived from its idempotency key. Then the order can be looked up if no
 * answer came, a service that has forgotten the key still refuses a duplicate, and the same key always makes the same
 * request.
 */
export function named<Id extends KnownOperationId>(id: Id, request: RequestOf<Id>, key: string): RequestOf<Id> {
  if (id !== 'createOrder' && id !== 'closePosition') return request;
  const { body } = request as { body: { client_order_id?: string | undefined } };
  if (body.client_order_id !== undefined) return request;
  return { ...request, body: { ...body, client_order_id: clientOrderIdFor(key) } };
}

function clientOrderIdFor(key: string): string {
  const name = `perp-${key}`;
  return name.length <= longestClientOrderId ? name : `perp-${hash('sha256', key, 'hex')}`;
}
