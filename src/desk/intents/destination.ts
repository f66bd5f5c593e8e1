import { type EnvironmentName, isSamePlace } from '../../ground/files/folders.ts';
import { withoutCredentials } from '../../ground/text/plain-text.ts';

/** Where an access leads, as far as the opened service or host says; a setting alone never makes one. */
export interface Destination {
  environment: EnvironmentName;
  /** For a host. */
  baseUrl?: string | undefined;
  /** For the simulation: the name of its state, served or not. */
  state?: string | undefined;
  /** For the simulation: where its prices come from: `synthetic`, `tape of 2024-08-08`, `live books`. */
  prices?: string | undefined;
}

/** The source of a simulation's prices in words; `firstTime` is the first moment of a recording, Unix ms. */
export function pricesInWords(source: string, firstTime: number | null): string {
  if (source === 'live') return 'live books';
  if (source !== 'recorded') return source;
  return firstTime === null ? 'tape' : `tape of ${new Date(firstTime).toISOString().slice(0, 10)}`;
}

/**
 * The name of a destination: `SIM default, synthetic`, `SANDBOX`, `LIVE api.example.com acc_1`. Only a live one names
 * the account.
 */
export function destinationName({ environment, baseUrl, state, prices }: Destination, account?: string): string {
  if (environment === 'sandbox') return 'SANDBOX';
  if (environment === 'live') {
    const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
    return withoutCredentials(['LIVE', host, account].filter((part) => part !== undefined).join(' '));
  }
  return `SIM${state === undefined ? '' : ` ${state}`}${prices === undefined ? '' : `, ${prices}`}`;
}

/**
 * The name with its account, for people: `SIM default, synthetic, account acc_1`. Live stands between stars, which are
 * seen without colors, too: `*** LIVE api.example.com acc_1 ***`.
 */
export function destinationText(destination: Destination, account?: string): string {
  const name = destinationName(destination, account);
  if (destination.environment === 'live') return `*** ${name} ***`;
  return account === undefined ? name : withoutCredentials(`${name}, account ${account}`);
}

/** Where the requests of a command go, and their account if they all concern the same one. */
export interface Where {
  readonly destination: Destination;
  readonly account: string | undefined;
}

/** The account that an answer or a request names. */
export function accountIn(...parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    const account = (part as { account_id?: unknown } | null | undefined)?.account_id;
    if (typeof account === 'string') return account;
  }
  return undefined;
}

/** The account that a request names. */
export function accountOf({ path, query, body }: { path?: unknown; query?: unknown; body?: unknown }) {
  return accountIn(body, path, query);
}

/** Whether two writes go to the same place. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  return one.environment === other.environment && isSamePlace(one.baseUrl, other.baseUrl) && one.state === other.state;
}
