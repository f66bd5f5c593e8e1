import { hash } from 'node:crypto';

/**
 * What two requests must share to be the same one: their path and their body, whatever the order of its keys (API 5).
 * 192 bits of a hash: nobody can make two requests that share them.
 */
export function requestHash(path: unknown, body: unknown): string {
  return hash('sha256', canonicalText([path ?? null, body ?? null]), 'base64url').slice(0, 32);
}

/** The same text for the same JSON value, and only for it. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null';
}

/** Objects become the list of their members in the order of their names, marked so that no list looks alike. */
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
