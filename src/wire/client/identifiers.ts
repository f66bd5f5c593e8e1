import { hash, randomUUID } from 'node:crypto';
import { idempotencyKeyIssues } from '../contract/request.ts';
import { RequestError } from './client-errors.ts';

/** A new idempotency key: one for each intended write, the same for every attempt at it (API 5). */
export function newIdempotencyKey(): string {
  return randomUUID();
}

/** The key, if a header carries it unchanged (API 8); RequestError otherwise. */
export function checkedIdempotencyKey(key: string): string {
  const issues = idempotencyKeyIssues(key);
  // HTTP drops spaces at either end of a header, so the service would see another key.
  if (key.trim() !== key) issues.push({ field: 'Idempotency-Key', issue: 'must not begin or end with a space' });
  if (issues.length > 0) throw new RequestError(issues);
  return key;
}

/** Only these fields are needed to name an order. */
interface Named {
  body?: unknown;
}

/**
 * Gives an order or a close without a client order id one derived from its idempotency key. Then the order can be
 * looked up if no answer came, a service that has forgotten the key may still refuse a duplicate, and the same key
 * always makes the same request.
 */
export function named<Request extends Named>(operationId: string, request: Request, key: string): Request {
  if (operationId !== 'createOrder' && operationId !== 'closePosition') return request;
  const body = request.body as { client_order_id?: string | undefined };
  if (body.client_order_id !== undefined) return request;
  return { ...request, body: { ...body, client_order_id: clientOrderIdFor(key) } };
}

const longestClientOrderId = 128;

/** The client order id of the order that is placed under an idempotency key: `perp-KEY`. */
export function clientOrderIdFor(key: string): string {
  const name = `perp-${key}`;
  return name.length <= longestClientOrderId ? name : `perp-${hash('sha256', key, 'hex')}`;
}

/** Whether a client order id names one write only, because perp drew its key. */
export function isDrawnName(clientOrderId: string): boolean {
  return /^perp-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(clientOrderId);
}
