import { isThisMachine } from '../../base/sockets/unreached.ts';

/** The URL of a host: https, or http on this machine, without query. Throws a TypeError that says what is wrong. */
export function hostUrl(address: string): URL {
  const url = urlOf(address, 'the address', 'https', 'http');
  if (url.search !== '' || url.hash !== '') throw new TypeError('the address must not contain a query or fragment');
  if (isExposed(url, 'http'))
    throw new TypeError(`http:// would send the credential unencrypted to ${url.hostname}: use https://`);
  return url;
}

/** The origin of a stream host: wss, or ws on this machine. Throws a TypeError that says what is wrong. */
export function streamOrigin(address: string): string {
  const url = urlOf(address, 'the address of a stream', 'wss', 'ws');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new TypeError('the address of a stream must be an origin: scheme, host and port, without a path');
  if (isExposed(url, 'ws')) throw new TypeError(`ws:// to ${url.hostname} is not encrypted: use wss://`);
  return `${url.protocol}//${url.host}`;
}

function urlOf(address: string, name: string, secure: string, plain: string): URL {
  const url = URL.parse(address);
  if (url === null) throw new TypeError(`not a valid address: ${JSON.stringify(address)}`);
  if (url.protocol !== `${secure}:` && url.protocol !== `${plain}:`)
    throw new TypeError(`${name} must begin with ${secure}:// or ${plain}://`);
  if (url.username !== '' || url.password !== '')
    throw new TypeError('the address must not contain a user or password');
  return url;
}

function isExposed({ protocol, hostname }: URL, plain: string): boolean {
  return protocol === `${plain}:` && !isThisMachine(hostname);
}
