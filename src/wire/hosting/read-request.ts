import { hash } from 'node:crypto';
import type { ValidationIssue } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { idempotencyKeyIssues, parseQuery, readBody } from '../contract/request.ts';
import type { Route, Router } from '../contract/target.ts';
import type { WireRequest } from '../contract/wire.ts';
import { Failure, invalid } from './failure.ts';

/** The transport's findings about a body that it discarded. */
export interface BodyProblems {
  /** It was larger than any operation accepts. */
  isBodyTooLarge?: boolean | undefined;
  /** It was not text. */
  isBodyNotUtf8?: boolean | undefined;
}

/** The operation that a request names; throws a 404 if there is none. */
export function routeOf(router: Router<Operation>, { method, target }: WireRequest): Route {
  const found = router.find(method, target.split('?', 1)[0]!);
  if (found.operation !== null) return found;
  const headers = found.methods.length > 0 ? { allow: found.methods.join(', ') } : {};
  throw new Failure('not_found', `There is no operation ${method} on this path.`, { headers });
}

/** A request as its operation reads it. */
interface ReadRequest {
  query: unknown;
  /** With its defaults. */
  body: unknown;
  /** The body as it was sent. */
  sent: unknown;
  idempotencyKey: string;
}

/** Reads a request. Throws 413, 415, then 400 with every invalid field of query, header and body. */
export function readRequest(
  operation: Operation,
  request: WireRequest,
  problems: BodyProblems,
  search: URLSearchParams,
): ReadRequest {
  const { isBodyTooLarge = false, isBodyNotUtf8 = false } = problems;
  const { headers, body: text = '' } = request;
  if (isBodyTooLarge || isLonger(text, operation.maxBodyBytes))
    throw new Failure('payload_too_large', `The body may have at most ${operation.maxBodyBytes} bytes.`);
  const isPlainJson = isJsonType(headers['content-type']) && (headers['content-encoding'] ?? 'identity') === 'identity';
  if ((text !== '' || isBodyNotUtf8) && !isPlainJson)
    throw new Failure('unsupported_media_type', 'The body must be sent as application/json, in UTF-8, not compressed.');
  if (isBodyNotUtf8) throw invalid([{ field: 'body', issue: 'is not UTF-8' }]);
  const issues: ValidationIssue[] = [];
  let query: unknown = null;
  if (operation.query !== null) {
    const reading = parseQuery(operation, search);
    if (reading.ok) query = reading.value;
    else issues.push(...reading.issues);
  }
  const idempotencyKey = headers['idempotency-key'];
  if (operation.idempotent) issues.push(...idempotencyKeyIssues(idempotencyKey));
  let body: unknown = null;
  let sent: unknown;
  if (operation.body !== null) {
    const reading = readBody(operation, text);
    if (reading.ok) ({ value: body, sent } = reading);
    else issues.push(...reading.issues);
  }
  // Clients send `{}` if no body is needed (simulation 8.1).
  else if (!/^(\{\s*\})?$/.test(text.trim()))
    issues.push({ field: 'body', issue: 'must be empty: this operation takes no body' });
  if (issues.length > 0) throw invalid(issues);
  return { query, body, sent, idempotencyKey: idempotencyKey ?? '' };
}

/** UTF-8 has at most three bytes for each UTF-16 unit, so most texts need no counting. */
function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}

/** The query parameters of a target. */
export function searchOf(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return start < 0 ? new URLSearchParams() : new URLSearchParams(target.slice(start + 1));
}

/**
 * The text between two semicolons; semicolons in a quoted string do not count, and an unclosed string runs to the end.
 */
const parameters = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^;"])+/g;

/**
 * Whether a body of this Content-Type is JSON in UTF-8 (API 4.5). Unknown parameters are ignored, since
 * `application/json` defines none (RFC 8259, 11); a charset, if given, must be UTF-8.
 */
export function isJsonType(contentType = ''): boolean {
  if (contentType === 'application/json') return true;
  const [mediaType] = contentType.split(';', 1);
  if (mediaType!.trim().toLowerCase() !== 'application/json') return false;
  return (contentType.slice(mediaType!.length).match(parameters) ?? []).every(isNoOtherCharset);
}

function isNoOtherCharset(parameter: string): boolean {
  const [name, value = ''] = parameter.split(/=(.*)/s, 2);
  return name!.trim().toLowerCase() !== 'charset' || /^utf-?8$/i.test(unquoted(value.trim()));
}

function unquoted(value: string): string {
  const quoted = /^"(.*)"$/s.exec(value)?.[1];
  return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1');
}

/*
 * Ids distinguish requests and are not secret: a random part for the process, then a count, in the form of a UUID. The
 * cryptographic generator is not loaded for them: loading it would be a tenth of the time that a command takes.
 */
const words = [8, 4, 3, 3].map((digits) =>
  Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0'),
);
const drawn = `${words[0]}-${words[1]}-4${words[2]}-a${words[3]}-`;
let count = Math.floor(Math.random() * 2 ** 40);

/** An id that no other request has. */
export function newRequestId(): string {
  count++;
  return drawn + count.toString(16).padStart(12, '0');
}

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
