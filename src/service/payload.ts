import { hashSecret } from './keys.ts';

/** What two requests must share to be the same one: their path and their body, whatever the order of its keys (API 5). */
export function payloadHash(path: unknown, body: unknown): string {
  return hashSecret(canonicalJson([path ?? null, body ?? null]));
}

/** The same text for the same JSON value. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
