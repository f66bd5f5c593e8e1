import { exactJson } from '../../base/terms/json-object.ts';
import type { WireRequest } from '../contract/wire.ts';

/** Accepts an HTTP answer only within the size limit, and only if it does not repeat an earlier one. */
export class AnswerReader {
  readonly maxBytes: number;
  /** Request ids of the latest answers, each with its request line. */
  readonly #seen = new Map<string, string>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * Why these headers can't belong to the answer to this request; undefined if they can. Every answer has its own
   * X-Request-Id; an id seen before means that a connection delivered an answer twice and everything after it is one
   * answer late. Only a GET of the same address may legitimately repeat one, from a cache.
   */
  objection(request: WireRequest, headers: Record<string, string>): string | undefined {
    const id = headers['x-request-id'];
    if (id === undefined) return undefined;
    const line = `${request.method} ${request.target}`;
    const earlier = this.#seen.get(id);
    if (earlier !== undefined && !(request.method === 'GET' && earlier === line))
      return `an earlier answer was repeated (${id})`;
    this.#seen.set(id, line);
    if (this.#seen.size > 64) this.#seen.delete(this.#seen.keys().next().value!);
    return undefined;
  }
}

/**
 * The parsed JSON of a body; undefined when it is empty, of another content type, not JSON, nested too deeply, or
 * larger than `maxBytes` once it is unpacked.
 */
export function decodeBody(headers: Record<string, string>, chunks: readonly Buffer[], maxBytes: number): unknown {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type.trim())) return undefined;
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  try {
    const text = unpacked(bytes, headers['content-encoding'], maxBytes).toString('utf8');
    // Some servers begin a text with a byte order mark.
    return exactJson(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** The bytes of a body that a proxy has packed although nobody asked for that; throws if they can't be unpacked. */
function unpacked(bytes: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && (encoding === undefined || /^identity$/i.test(encoding.trim()))) return bytes;
  // Loading it takes milliseconds, and it is hardly ever needed.
  const { brotliDecompressSync, inflateSync, unzipSync } = process.getBuiltinModule('node:zlib');
  const most = { maxOutputLength: maxBytes };
  if (/^br$/i.test(encoding?.trim() ?? '')) return brotliDecompressSync(bytes, most);
  return isGzip ? unzipSync(bytes, most) : inflateSync(bytes, most);
}

/** Headers from names and values in turn, as received; the values of repeated ones are joined as in HTTP. */
export function headersOf(received: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < received.length; at += 2) {
    const name = received[at]!.toLowerCase();
    const value = received[at + 1]!;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
