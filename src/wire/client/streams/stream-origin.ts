import { isThisMachine } from '../../../base/sockets/unreached.ts';

/** The origin of a stream host: wss, or ws on this machine. Throws a TypeError that says what is wrong. */
export function streamOrigin(address: string): string {
  const url = URL.parse(address);
  if (url === null) throw new TypeError(`not a valid address: ${JSON.stringify(address)}`);
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:')
    throw new TypeError('the address of a stream must begin with wss:// or ws://');
  if (url.username !== '' || url.password !== '')
    throw new TypeError('the address must not contain a user or password');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new TypeError('the address of a stream must be an origin: scheme, host and port, without a path');
  if (url.protocol === 'ws:' && !isThisMachine(url.hostname))
    throw new TypeError(`ws:// to ${url.hostname} is not encrypted: use wss://`);
  return `${url.protocol}//${url.host}`;
}
