import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ValidationIssue } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { idempotencyKeyIssues, parseQuery, readBody } from '../contract/request.ts';
import type { Route, Router } from '../contract/target.ts';
import type { WireRequest } from '../contract/wire.ts';
import { Failure, invalid } from './failure.ts';
import type { HostEnvironment } from './keys.ts';

/** The transport's findings about a body that it discarded. */
export interface BodyProblems {
  /** It was larger than any operation accepts, or was not text. */
  bodyProblem?: 'too_large' | 'not_utf8' | undefined;
}

/** The operation that a request names; throws a 404 if there is none. */
export function routeOf(router: Router<Operation>, { method, target }: WireRequest): Route {
  const found = router.find(method, target.split('?', 1)[0]!);
  if (found.operation !== null) return found;
  const headers = found.methods.length > 0 ? { allow: found.methods.join(', ') } : {};
  throw new Failure('not_found', `There is no operation ${method} on this path.`, { headers });
}

/**
 * Reads a request: its query and body with their defaults, the body as it was `sent`, and its key. Throws 413, 415, then
 * 400 with every invalid field of query, header and body.
 */
export function readRequest(
  operation: Operation,
  request: WireRequest,
  { bodyProblem }: BodyProblems,
  search: URLSearchParams,
) {
  const { headers, body: text = '' } = request;
  if (bodyProblem === 'too_large' || isLonger(text, operation.maxBodyBytes))
    throw new Failure('payload_too_large', `The body may have at most ${operation.maxBodyBytes} bytes.`);
  const isPlainJson = isJsonType(headers['content-type']) && (headers['content-encoding'] ?? 'identity') === 'identity';
  const isNoText = bodyProblem === 'not_utf8';
  if ((text !== '' || isNoText) && !isPlainJson)
    throw new Failure('unsupported_media_type', 'The body must be sent as application/json, in UTF-8, not compressed.');
  if (isNoText) throw invalid([{ field: 'body', issue: 'is not UTF-8' }]);
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

/** One line of the request log, without headers, bodies or queries. */
export interface RequestLine {
  environment: HostEnvironment;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
  /** The error that was answered, as the wire has it. */
  error?: object | undefined;
}

/** The names under which a host answers. */
export interface HostNames {
  /** As in a Host header, in lower case, without the port. */
  has(name: string): boolean;
  readonly inWords: string;
}

/** This machine's own names; any other Host is a page that rebound its name to this address (simulation 8.1). */
export const ownNames: HostNames = {
  has: (name) => name === '127.0.0.1' || name === 'localhost' || name === 'localhost.' || name === '[::1]',
  inWords: '127.0.0.1, localhost and [::1]',
};

/** Headers that decide how a request is read; each must have one value. */
const single: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
]);

/** Why a request is refused for its headers, or null: a foreign Host, a repeated header, an unknown coding. */
export function headerRefusal(request: IncomingMessage, names: HostNames): Failure | null {
  const repeated = repeatedHeader(request);
  if (repeated !== null) return new Failure('invalid_request', `The header ${repeated} is given more than once.`);
  const { host, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return new Failure('invalid_request', 'The only supported Transfer-Encoding is chunked.');
  // HTTP/1.0 may omit it: no browser uses HTTP/1.0.
  if (host === undefined)
    return request.httpVersion === '1.0' ? null : new Failure('invalid_request', 'HTTP/1.1 requires a Host header.');
  if (names.has(host.toLowerCase().replace(/:\d{1,5}$/, ''))) return null;
  return new Failure('forbidden', `This service only answers to ${names.inWords}.`);
}

/** For a header sent twice, Node keeps the first or joins both, but a proxy may have read the other. */
function repeatedHeader({ rawHeaders, headers }: IncomingMessage): string | null {
  // Usually no header repeats: then there are as many lines as names.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return null;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (single.has(name) && seen.has(name)) return rawHeaders[index]!;
    seen.add(name);
  }
  return null;
}

/** No operation accepts more. */
const maxBodyBytes = 256 * 1024;

/** A body as received: text, or why there is none; `aborted` needs no answer. */
export type Body = { text: string } | { problem: 'too_large' | 'not_utf8' | 'aborted' };

const none: Body = { text: '' };

/** Reads a request's whole body, but keeps no more of it than any operation accepts. */
export async function receivedBody(request: IncomingMessage): Promise<Body> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return none;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
      else resolve({ problem: 'too_large' });
    });
    request.on('end', () => {
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      resolve(isUtf8(whole) ? { text: whole.toString('utf8') } : { problem: 'not_utf8' });
    });
    request.on('close', () => resolve({ problem: 'aborted' }));
  });
}
