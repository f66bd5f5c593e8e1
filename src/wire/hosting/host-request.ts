import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failure } from './failure.ts';
import type { HostEnvironment } from './keys.ts';

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
export async function readBody(request: IncomingMessage): Promise<Body> {
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
