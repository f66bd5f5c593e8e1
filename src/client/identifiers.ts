import { randomUUID } from 'node:crypto';
import { idempotencyKeyIssues } from '../contract/request.ts';
import { RequestError } from './errors.ts';

/** A fresh idempotency key: one for each thing wanted, the same for every attempt at it (API 5). */
export function newIdempotencyKey(): string {
  return randomUUID();
}

/** A fresh client order id, by which an order can be found even when no answer ever came. */
export function newClientOrderId(): string {
  return `perp-${randomUUID()}`;
}

/** The key, if it can travel as a header unchanged (API 8); RequestError otherwise. */
export function checkedIdempotencyKey(key: string): string {
  const issues = idempotencyKeyIssues(key);
  // HTTP drops spaces at the ends of a header: the service would see another key.
  if (key.trim() !== key) issues.push({ field: 'Idempotency-Key', issue: 'must not begin or end with a space' });
  if (issues.length > 0) throw new RequestError(issues);
  return key;
}
