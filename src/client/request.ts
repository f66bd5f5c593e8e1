import type { Operation } from '../contract/operation.ts';
import { type Issue, RequestError } from './errors.ts';

/** What a caller gives for one operation, before it is typed by the contract. */
export interface Arguments {
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** A request line and a body, ready to be sent as often as it takes. */
export interface FormedRequest {
  target: string;
  path: Record<string, string>;
  body: string | undefined;
}

/** Forms the request of an operation; RequestError names every field that cannot be written down. */
export function formRequest(operation: Operation, given: Arguments): FormedRequest {
  const issues: Issue[] = [];
  const path: Record<string, string> = {};
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.path?.[name];
    const segment = typeof value === 'string' ? pathSegment(value) : undefined;
    if (segment === undefined) issues.push({ field: name, issue: 'must be text that can stand in a path' });
    else path[name] = value!;
    return segment ?? '';
  });
  const query = queryText(given.query ?? {}, issues);
  const body = given.body === undefined ? undefined : bodyText(given.body, issues);
  if (issues.length > 0) throw new RequestError(issues);
  return { target: query === '' ? filled : `${filled}?${query}`, path, body };
}

/** Encodes one segment; undefined for one that would name another resource (empty, `.`, `..`) or isn't valid text. */
function pathSegment(value: string): string | undefined {
  if (value === '' || value === '.' || value === '..' || !value.isWellFormed()) return undefined;
  return encodeURIComponent(value);
}

function queryText(query: Readonly<Record<string, unknown>>, issues: Issue[]): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
    if (isPlain) pairs.append(name, String(value));
    else issues.push({ field: name, issue: 'must be text, a finite number or a boolean' });
  }
  return pairs.toString();
}

/** JSON text, refusing what JSON would silently turn into null. */
function bodyText(body: unknown, issues: Issue[]): string | undefined {
  return JSON.stringify(body, function finite(this: unknown, name: string, value: unknown) {
    if (typeof value === 'number' && !Number.isFinite(value))
      issues.push({ field: name, issue: 'must be a finite number' });
    return value;
  });
}
