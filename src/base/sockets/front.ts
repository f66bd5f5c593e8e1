/** The headers of an answer, their names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer that something in front of a service gave: a proxy, a gateway, a CDN. */
export interface FrontAnswer {
  /** Who spoke, and what, as a sentence without its dot. */
  readonly says: string;
  /** The user's options. */
  readonly wayOut: string;
}

const longestName = 40;

/**
 * Reads an answer that something in front of the service gave: a page, because the service speaks only JSON, or a
 * status that only proxies give. `isUnsigned`: the answer also lacks what every answer of the service has. Undefined:
 * the service may have spoken. `service` is its name.
 */
export function frontAnswer(
  status: number,
  headers: Headers,
  service = 'the service',
  isUnsigned = false,
): FrontAnswer | undefined {
  const [type] =
    one(headers['content-type'])
      ?.toLowerCase()
      .split(';')
      .map((part) => part.trim()) ?? [];
  const isPage = type !== undefined && type !== '' && !/^application\/(?:[\w.+-]+\+)?json$/.test(type);
  const isOfProxies = status === 407 || status === 511;
  if (!isPage && !isOfProxies && !(isUnsigned && status >= 300)) return undefined;
  const server = one(headers.server)
    ?.replaceAll(/[^ -~]/g, '')
    .slice(0, longestName)
    .trim();
  const who = server === undefined || server === '' ? 'Something' : `"${server}"`;
  const what = isPage ? `status ${status} and a page (${type.slice(0, longestName)})` : `status ${status}`;
  return {
    says: `${who} in front of ${service} answered with ${what}, not ${service} itself`,
    wayOut: wayOutOf(status),
  };
}

/** The way out where something else than the API answered. */
export const checkAddress = 'Check that the address is that of the API.';

function wayOutOf(status: number): string {
  if (status === 407)
    return 'The proxy requires a login: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, or ask its administrator.';
  if (status === 511) return 'The network requires a login: open any page in a browser.';
  if (status === 429 || status >= 500) return 'Try again in a moment.';
  if (status < 400 || status === 404 || status === 405) return checkAddress;
  return 'The credential is not the cause. Check the network, or ask the administrator of the proxy or firewall.';
}

/** Milliseconds that Retry-After asks for, in seconds or as a date; a date is relative to the answer's own Date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = one(headers['retry-after'])?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const moment = /^[A-Za-z]{3,9}[ ,]/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) return undefined;
  const serverNow = Date.parse(one(headers.date) ?? '');
  return Math.max(0, moment - (Number.isNaN(serverNow) ? now : serverNow));
}

function one(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value;
}
