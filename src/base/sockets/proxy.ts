import { isThisMachine, unreached } from './unreached.ts';

/** Names and values of environment variables. */
type Variables = Readonly<Record<string, string | undefined>>;

/** The proxy that leads to a host. */
export interface ProxyInUse {
  /** The variable that names it. */
  variable: string;
  /** Its address, without user and password. */
  address: string;
  /** The Authorization header for it, if any. */
  authorization: string | undefined;
}

/** Why a proxy gives no connection. Nothing was sent to the host behind it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** False if trying again can't help. */
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}

const forPlain = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];
/** Variables that name a proxy; the first one that is set applies. */
const variablesOf: Readonly<Record<string, readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY'],
  'wss:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY'],
  'http:': forPlain,
  'ws:': forPlain,
};

/**
 * The proxy that leads to this address, by the variables; undefined: none does. This machine is never reached by one.
 * Throws a ProxyError for one that can't be used.
 */
export function proxyTo(address: string, variables: Variables = process.env): ProxyInUse | undefined {
  const { protocol, hostname, port } = new URL(address);
  const secure = protocol === 'https:' || protocol === 'wss:';
  const isLeftOut = isThisMachine(hostname) || isInNoProxy(hostname, Number(port || (secure ? 443 : 80)), variables);
  if (isLeftOut) return undefined;
  const variable = variablesOf[protocol]?.find((name) => Boolean(variables[name]?.trim()));
  return variable === undefined ? undefined : proxyOf(variable, variables[variable]!.trim());
}

/** Whether NO_PROXY names this host, a domain above it, or all (`*`), each perhaps with a port. */
function isInNoProxy(hostname: string, port: number, { no_proxy: lower, NO_PROXY: upper }: Variables): boolean {
  const host = bare(hostname);
  return (lower ?? upper ?? '').split(/[,\s]+/).some((entry) => {
    // An IPv6 address with a port stands in brackets.
    const [, whole = entry, its] = /^(\[.+\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    const name = bare(whole.toLowerCase());
    if (name === '' || (its !== undefined && Number(its) !== port)) return false;
    const domain = name.replace(/^\*?\./, '');
    return name === '*' || host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
  });
}

/** Without the brackets of an IPv6 address, and the dot that may end a name. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/(?<=.)\.$/, '');
}

function proxyOf(variable: string, text: string): ProxyInUse {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  // Its text is not shown: it may have a password.
  if (url === null || url.hostname === '')
    throw new ProxyError(`${variable} is not the address of a proxy: write it as http://host:port`, false);
  const { protocol, username, password, host } = url;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new ProxyError(`${variable} names a proxy with ${protocol}, but perp supports only http: and https:`, false);
  const user = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const authorization = username === '' && password === '' ? undefined : `Basic ${user}`;
  return { variable, address: `${protocol}//${host}`, authorization };
}

/** A part of a URL as it was meant; one with its own percent sign is as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A proxy in words: where it is, and what names it. */
export function proxyText({ address, variable }: ProxyInUse): string {
  return `${address} (${variable})`;
}

/** A proxy answered a request for a connection with this status. */
export function refused(proxy: ProxyInUse, host: string, status: number): ProxyError {
  const { variable, authorization } = proxy;
  const whom =
    authorization === undefined
      ? `it requires a user and a password: add them to ${variable}, as in http://user:password@host:port`
      : `it does not accept the user and password of ${variable}`;
  const reason =
    status === 407 ? whom : status === 403 ? 'it does not allow this host' : 'it did not open the connection';
  const retryable = status >= 500 || status === 408 || status === 429;
  return new ProxyError(`${begun(proxy, host)}: ${reason} (status ${status})`, retryable);
}

/** A proxy could not be reached. */
export function outOfReach(proxy: ProxyInUse, host: string, error: unknown): ProxyError {
  const { reason, retryable } = unreached(error);
  return new ProxyError(`${begun(proxy, host)}: ${reason}`, retryable);
}

function begun(proxy: ProxyInUse, host: string): string {
  return `no connection to ${host} through the proxy ${proxyText(proxy)}`;
}
