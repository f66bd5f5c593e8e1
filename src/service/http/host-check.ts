/** Names that this machine has for itself; any other Host is a page that rebound its own name to us (simulation 8). */
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

export function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && ownHost.test(host);
}
