import { randomUUID } from 'node:crypto';
import { RequestError } from './errors.ts';

/** A fresh idempotency key: one for each thing wanted, the same for every attempt at it (API 5). */
export function newIdempotencyKey(): string {
  return randomUUID();
}

/** A fresh client order id, by which an order can be found even when no answer ever came. */
export function newClientOrderId(): string {
  return `perp-${randomUUID()}`;
}

/** The key, if it can travel as a header unchanged: 1 to 128 printable ASCII characters, no space at either end (API 8). */
export function checkedIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(key)) return key;
  throw new RequestError([{ field: 'Idempotency-Key', issue: 'must be 1 to 128 printable characters' }]);
}
