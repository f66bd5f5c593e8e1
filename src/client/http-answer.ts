import type { WireRequest } from '../contract/wire.ts';

/** What of an HTTP answer is accepted: its size, and that it is not an earlier one come again. */
export class AnswerReader {
  readonly maxBytes: number;
  /** Request ids of the latest answers, with the request line that each belongs to. */
  readonly #seen = new Map<string, string>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * Why these headers cannot begin the answer to this request, if so. Every answer carries its own X-Request-Id; one
   * seen before means that a connection delivered an answer twice and everything after it is one answer late. A GET of
   * the same address may repeat it honestly, from a cache.
   */
  objection(request: WireRequest, headers: Record<string, string>): string | undefined {
    const id = headers['x-request-id'];
    if (id === undefined) return undefined;
    const line = `${request.method} ${request.target}`;
    const earlier = this.#seen.get(id);
    if (earlier !== undefined && !(request.method === 'GET' && earlier === line))
      return `an earlier answer came again (${id})`;
    this.#seen.set(id, line);
    if (this.#seen.size > 64) this.#seen.delete(this.#seen.keys().next().value!);
    return undefined;
  }
}

/** The parsed JSON of a body; undefined when it is empty, of another content type, or not JSON. */
export function decodeBody(headers: Record<string, string>, chunks: readonly Buffer[]): unknown {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type.trim())) return undefined;
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** One value per header; repeated ones joined as HTTP joins them. */
export function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
