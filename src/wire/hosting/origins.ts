import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from './failure.ts';
import { newRequestId } from './read-request.ts';

const loopbackOrigin = /^https?:\/\/(127\.0\.0\.1|localhost\.?|\[::1\])(:\d{1,5})?$/i;

/** Headers of answers that a page may read besides those that every page may. */
const readable = 'retry-after, x-market-source, x-request-id, x-sim-endings, x-sim-run';
/** How long a browser may remember what a page is allowed, s. */
const preflightSeconds = 600;

/**
 * Which web pages may use the service. Pages from this machine may follow streams; pages of allowed origins may also
 * call the API and read its answers (CORS). The simulation's own operations and the approval page are never shared.
 */
export class Origins {
  readonly #allowed: { readonly size: number; has(origin: string): boolean };
  readonly #option: string | undefined;

  /** Each as a browser sends it: `https://app.example.com`. `option`: the option that lists them, if there is one. */
  constructor(allowed: readonly string[] | 'any', option?: string) {
    this.#allowed = allowed === 'any' ? { size: 1, has: () => true } : new Set(allowed);
    this.#option = option;
  }

  /** Why a page may not follow a stream; null if it may. */
  refusal(origin: string | undefined): Failure | null {
    if (origin === undefined || loopbackOrigin.test(origin) || this.#allowed.has(origin)) return null;
    const others = this.#option === undefined ? '' : `, and origins named by ${this.#option},`;
    const details = [{ field: 'Origin', issue: 'is not allowed' }];
    return new Failure('forbidden', `Only pages from this machine${others} may connect.`, { details });
  }

  /** Adds the headers that let the page read the answer; true if this was only a browser's question, now answered. */
  admit({ headers, method, url = '' }: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = headers;
    if (this.#allowed.size === 0 || !(url === '/openapi.json' || /^\/v1(?:[/?]|$)/.test(url))) return false;
    response.setHeader('vary', 'origin');
    if (origin === undefined || !this.#allowed.has(origin)) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', readable);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key',
      'access-control-max-age': String(preflightSeconds),
      ...(headers['access-control-request-private-network'] === 'true' && {
        'access-control-allow-private-network': 'true',
      }),
      'x-request-id': newRequestId(),
    });
    response.end();
    return true;
  }
}

/** The origin of a page as browsers send it; null if the text is not one. */
export function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#\s@]+\/?$/i.test(text)) return null;
  try {
    const { origin } = new URL(text);
    return origin === 'null' ? null : origin;
  } catch {
    return null;
  }
}
