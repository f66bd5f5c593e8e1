import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.ts';

/** This machine's own names; any other Host is a page that rebound its name to this address (simulation 8.1). */
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

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
export function headerRefusal(request: IncomingMessage): Failure | null {
  const repeated = repeatedHeader(request);
  if (repeated !== null) return new Failure('invalid_request', `The header ${repeated} is given more than once.`);
  const { host, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return new Failure('invalid_request', 'The only supported Transfer-Encoding is chunked.');
  // HTTP/1.0 may omit it: no browser uses HTTP/1.0.
  if (host === undefined)
    return request.httpVersion === '1.0' ? null : new Failure('invalid_request', 'HTTP/1.1 requires a Host header.');
  if (ownHost.test(host)) return null;
  return new Failure('forbidden', 'This service only answers to 127.0.0.1, localhost and [::1].');
}

/** For a header sent twice, Node keeps the first or joins both, but a proxy may have read the other. */
function repeatedHeader({ rawHeaders, headers }: IncomingMessage): string | null {
  // Usually none is: then there are as many lines as names.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return null;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (single.has(name) && seen.has(name)) return rawHeaders[index]!;
    seen.add(name);
  }
  return null;
}
