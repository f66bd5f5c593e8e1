import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { isWindows, type System } from '../system/system.ts';
import { withoutEnd } from '../text/plain-text.ts';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable's value; set but empty counts as unset. */
export function variable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === '' ? undefined : value;
}

/** Folder of the config file: PERP_CONFIG_DIR, or the XDG location (on Windows: roaming application data). */
export function configFolder(variables: Variables, system?: Pick<System, 'platform'>): string {
  return place(variables, system, 'PERP_CONFIG_DIR', 'XDG_CONFIG_HOME', 'APPDATA', '.config');
}

/** Folder of the simulations, pending writes and completion data: PERP_STATE_DIR, or the XDG location. */
export function stateFolder(variables: Variables, system?: Pick<System, 'platform'>): string {
  return place(variables, system, 'PERP_STATE_DIR', 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state');
}

/** Where recordings are kept until they are complete. */
export function draftFolder(variables: Variables): string {
  return join(stateFolder(variables), 'unfinished');
}

function place(
  variables: Variables,
  system: Pick<System, 'platform'> | undefined,
  own: string,
  xdg: string,
  windows: string,
  fallback: string,
): string {
  const chosen = variable(variables, own);
  if (chosen !== undefined) return chosen;
  // A relative one would mean another folder wherever perp runs; XDG says to ignore it.
  const base = absolute(variable(variables, isWindows(system) ? windows : xdg));
  if (base !== undefined) return join(base, 'perp');
  const home = homeFolder(variables);
  if (home !== undefined) return join(home, fallback, 'perp');
  throw new Failure({
    code: 'no_home',
    message: `There is no home folder: HOME is not set, and the system knows none for this user.`,
    hint: `Set HOME, or ${own}, to a folder that you own.`,
  });
}

function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

/** The home folder: HOME, or what the system has for this user; undefined if there is none. */
export function homeFolder(variables: Variables): string | undefined {
  const chosen = absolute(variable(variables, 'HOME'));
  if (chosen !== undefined) return chosen;
  try {
    return absolute(isWindows() ? homedir() : userInfo().homedir);
  } catch {
    // A user without an entry, as in some containers.
    return undefined;
  }
}

/** Where a command can go: to a host for real, to a host for trying things out, or to a simulation. */
export const environments = ['live', 'sandbox', 'sim'] as const;
/** Where commands go: `sim`, `sandbox` or `live`. */
export type EnvironmentName = (typeof environments)[number];

/**
 * The variable and config key of a stream's address, per environment; live and sandbox share one market-data stream.
 */
export const streamAddresses = {
  live: {
    market: ['PERP_MARKET_STREAM_URL', 'live.market_stream_url'],
    account: ['PERP_ACCOUNT_STREAM_URL', 'live.account_stream_url'],
  },
  sandbox: {
    market: ['PERP_MARKET_STREAM_URL', 'live.market_stream_url'],
    account: ['PERP_SANDBOX_ACCOUNT_STREAM_URL', 'sandbox.account_stream_url'],
  },
} as const;

const everyLoopback =
  /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]|(?:.+\.)?localhost)$/;

/** Path endings without meaning: a slash, and the `/v1` with which every API path begins. */
export const pathEnd = /(?:\/v1)?\/?$/;

/**
 * The name of a service, however its address is written: scheme, host, port and path, without case, trailing dots and
 * slashes and a final `/v1`, and with one name for this machine. Locks, kept writes, logins and copies of fills belong
 * to a place, not to an address.
 */
export function placeOf(address: string): string {
  const { pathname } = new URL(address);
  const path = pathname
    .replace(/%[0-9a-f]{2}/gi, readable)
    .replace(/\/{2,}/g, '/')
    .replace(pathEnd, '');
  // A character that was read may make a step up of what was none.
  return originOf(address) + (path.includes('/.') ? new URL(path, 'http://host').pathname.replace(pathEnd, '') : path);
}

/** The names under which earlier versions kept what belongs to a place, besides its own. */
export function formerPlacesOf(address: string): string[] {
  return [...new Set([originOf(address), address])].filter((name) => name !== placeOf(address));
}

function originOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  const name = withoutEnd(hostname, '.');
  const host = everyLoopback.test(name) ? '127.0.0.1' : name;
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** A character that needs no escape is itself; the escape of another one in capitals. */
function readable(coded: string): string {
  const character = String.fromCharCode(Number.parseInt(coded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : coded.toUpperCase();
}

/** Whether two addresses, or the absence of any, name the same place. */
export function isSamePlace(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return URL.canParse(one) && URL.canParse(other) && placeOf(one) === placeOf(other);
}
