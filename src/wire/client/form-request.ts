import { hash, randomUUID } from 'node:crypto';
import type { Operation } from '../contract/operation.ts';
import { idempotencyKeyIssues } from '../contract/request.ts';
import { isPathValue, pathNames } from '../contract/target.ts';
import { validate } from '../contract/validate.ts';
import { CredentialError, RequestError } from './client-errors.ts';
import type { FormedRequest } from './intent.ts';

/** The input to one operation, before it is typed by the contract. */
export interface Arguments {
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/**
 * Forms the request of an operation. RequestError names every field that its schema does not allow. Rules between
 * fields are left to the service, which may add rules.
 */
export function formRequest(operation: Operation, given: Arguments): FormedRequest {
  const path = Object.fromEntries(pathNames(operation).map((name) => [name, given.path?.[name] ?? '']));
  const { query = {}, body } = given;
  const issues = [
    ...Object.keys(path).flatMap((name) => (isPathValue(path[name]!) ? [] : [{ field: name, issue: notInPath }])),
    ...(operation.query === null ? [] : validate(operation.query, query)),
    ...(operation.body === null ? [] : validate(operation.body, body)),
  ];
  if (issues.length > 0) throw new RequestError(issues);
  const resource = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
  const parameters = operation.query === null ? '' : queryText(query);
  return {
    target: parameters === '' ? resource : `${resource}?${parameters}`,
    path,
    body: operation.body === null ? undefined : JSON.stringify(body),
  };
}

const notInPath = 'must be text that a path can contain';

function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.toString();
}

/**
 * The environment that a key's prefix names, ending in `live_` or `test_` (API 5); undefined when the key doesn't say,
 * which is possible for a session credential.
 */
export function credentialEnvironment(key: string): 'live' | 'test' | undefined {
  const found = /(?:^|[^A-Za-z0-9])(live|test)_/.exec(key);
  return found?.[1] as 'live' | 'test' | undefined;
}

/** Why no header can carry a credential, said after its name; null if one can. */
export function credentialProblem(credential: string): string | null {
  if (credential === '') return 'is empty';
  return /^[\x21-\x7e]+$/.test(credential) ? null : 'contains spaces, line breaks or non-ASCII characters';
}

/**
 * The Authorization header of a credential. Throws a CredentialError, which never shows it, if a header can't carry it.
 */
export function authorization(credential: string): string {
  const problem = credentialProblem(credential);
  if (problem !== null) throw new CredentialError(`the credential ${problem}`);
  return `Bearer ${credential}`;
}

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
