import { randomUUID } from 'node:crypto';
import { idempotencyKeyIssues } from '../contract/request.ts';
import { RequestError } from './errors.ts';

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
