import { hash } from 'node:crypto';

/**
 * Identifies a request by its path and body, whatever the order of the body's keys (API 5). 192 bits of a hash, so
 * collisions are infeasible.
 */
export function requestHash(path: unknown, body: unknown): string {
  return hash('sha256', canonicalText([path ?? null, body ?? null]), 'base64url').slice(0, 32);
}

/** The same text for equal JSON values, and only for those. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null';
}

/** An object becomes the list of its members, sorted by name, with a mark that distinguishes it from any list. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const members: unknown[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members.push(name, inOrder(member));
  }
  return { members };
}
