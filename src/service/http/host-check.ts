import type { IncomingMessage } from 'node:http';
import { Failure } from '../failure.ts';

/** Names that this machine has for itself; any other Host is a page that rebound its own name to us (simulation 8). */
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** Why a request's Host is refused, null when it is not. HTTP/1.0 may leave it out: no browser could be made to. */
export function hostRefusal({ headers: { host }, httpVersion }: IncomingMessage): Failure | null {
  if (host === undefined)
    return httpVersion === '1.0' ? null : new Failure('invalid_request', 'HTTP/1.1 demands a Host header.');
  if (ownHost.test(host)) return null;
  return new Failure('forbidden', 'This service answers to 127.0.0.1, localhost and [::1] only.');
}
