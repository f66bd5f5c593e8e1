import { hostname } from 'node:os';
import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { variable } from '../../../base/files/folders.ts';
import { type ProxyInUse, proxyText, proxyTo } from '../../../base/sockets/proxy.ts';
import { dateTime, stretch, word } from '../../../base/text/format.ts';
import { plain } from '../../../base/text/plain-text.ts';
import type { LoginOf } from '../../../desk/credentials/kept-sessions.ts';
import type { FoundCredential } from '../../../desk/credentials/session-file.ts';
import { sessionFile } from '../../../desk/credentials/session-file.ts';
import { type HeldLock, locksOf } from '../../../desk/reading/locks.ts';
import type { DataOf } from '../../../wire/contract/operations.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Cell, fields, line, type Result, recordOf } from '../../console/output/result.ts';
import { lockRecord, lockText } from '../../console/views/ending-view.ts';
import { approvalAddress, liveLogin, loginPage, openHost } from '../login/live-host.ts';
import type { Ended } from '../login/log-out.ts';
import { dryRunResult } from '../writes/write.ts';

const login = defineCommand({
  summary: 'Log in to live through the browser',
  description:
    'Opens the approval page and stores the session in the keychain of this machine, only for the live host and the profile. If no browser ' +
    'can be opened, perp prints the address and you can paste the code. A session can trade on every account you own until it ' +
    'expires or perp logout ends it.',
  options: {
    'no-browser': { summary: 'print the address instead of opening a browser' },
    name: { value: 'DEVICE', kind: 'text', summary: 'name of the session (default: the name of this machine)' },
    'insecure-storage': {
      summary: 'store the session in a file that only you can read, for machines without a keychain',
    },
  },
  examples: [
    ['perp login', 'approve in the browser'],
    ['perp login --profile prop', 'the login of a profile (perp profile)'],
    ['perp login --no-browser', 'on a machine without a browser'],
    ['perp login --insecure-storage', 'on a server without a keychain'],
  ],
  changesMore: true,
  async run(console, input) {
    const { variables, settings } = console;
    const login = liveLogin(console);
    const { host, profile } = login;
    const page = loginPage(host, console);
    const deviceName = checkedName(input.name ?? hostname());
    if (settings.dryRun) return dryRun(page, login, deviceName);
    const place = input.insecureStorage ? 'file' : 'keychain';
    const { logIn } = await import('../login/log-in.ts');
    const kept = await logIn(console, { login, page, deviceName, opensBrowser: !input.noBrowser, place, maxWaitMs });
    if (place === 'file')
      console.note(`The credential is in ${sessionFile(variables)}; anyone who can read your files can trade with it.`);
    if (variable(variables, 'PERP_API_KEY') !== undefined)
      console.note('PERP_API_KEY is set and takes precedence over this login.');
    if (settings.environment !== 'live') {
      console.note(
        `The default environment is ${settings.environment}: add --env live, or run perp config set env live.`,
      );
    }
    const record = { environment: 'live', profile, host, name: kept.name, expires_at: kept.expiresAt, kept: place };
    return recordOf(record, () => [
      line({ text: `Logged in as ${kept.name}.`, tone: 'good' }),
      fields(['profile', profile], ['host', host], ['expires', dateTime(kept.expiresAt)], ['stored in', place]),
    ]);
  },
});

/** The simulation's page waits ten minutes for an answer, so perp does too. */
const maxWaitMs = 10 * 60_000;

function checkedName(name: string): string {
  const shown = name.trim();
  if (shown !== '' && shown.length <= 64 && !/\p{C}/u.test(shown)) return shown;
  throw usageFailure('--name must be 1 to 64 visible characters.');
}

/** The address that would be opened; port, challenge and state are created only by a real login. */
function dryRun(page: string, { host, profile }: LoginOf, deviceName: string): Result {
  const made = { challenge: 'CHALLENGE', redirectUri: 'http://127.0.0.1:PORT/callback', state: 'STATE' };
  const record = { login_url: approvalAddress(page, { ...made, deviceName }), profile, host, device_name: deviceName };
  return recordOf(record, () => [
    fields(
      ['profile', profile],
      ['approval page', page],
      ['token endpoint', `${host}/v1/auth/cli/token`],
      ['device', deviceName],
    ),
    line({ text: 'Dry run: nothing was opened or sent.', tone: 'faint' }),
  ]);
}

const logout = defineCommand({
  summary: 'Revoke the session and remove it from this machine',
  description:
    "Revokes the session (with a profile, only the profile's) before removing it, so no valid session is forgotten. If the session cannot be revoked, it is " +
    'kept and the exit status reports the failure.',
  options: { force: { summary: "remove a session that can't be revoked; it stays valid until it expires" } },
  examples: [
    ['perp logout', 'end the session on live'],
    ['perp logout --force', 'when the host no longer exists'],
  ],
  changesMore: true,
  async run(console, input) {
    const login = liveLogin(console);
    const { host, profile } = login;
    if (console.settings.dryRun) {
      await using open = await openHost(console, host);
      return dryRunResult([open.client.intend('revokeCliSession', {})]);
    }
    const { logOut } = await import('../login/log-out.ts');
    const ended = await logOut(console, login, input.force);
    if (variable(console.variables, 'PERP_API_KEY') !== undefined)
      console.note('PERP_API_KEY is still set and will be used.');
    const ofProfile = profile === undefined ? '' : ` as profile ${profile}`;
    const sessions = ended.map(({ name, place, outcome }) => ({ name, kept: place, outcome }));
    return recordOf({ profile, host, sessions }, () =>
      ended.length === 0
        ? [line(`Not logged in to ${host}${ofProfile}.`)]
        : ended.map((one) => sentence(one, ofProfile)),
    );
  },
});

function sentence({ name, outcome }: Ended, ofProfile: string) {
  if (outcome === 'revoked')
    return line({ text: `Logged out ${name}${ofProfile}; the session is revoked.`, tone: 'good' });
  if (outcome === 'was_invalid') return line(`Logged out ${name}${ofProfile}; the session was no longer valid.`);
  return line({
    text: `Removed ${name}${ofProfile} without revoking it; the session stays valid until it expires.`,
    tone: 'warn',
  });
}

const whoami = defineCommand({
  summary: 'Show the environment, host and credential in use',
  description: 'Checks the credential with the host. The credential itself is not shown.',
  examples: [
    ['perp whoami --env live', 'session, expiry, scopes'],
    ['perp whoami --json', 'for scripts'],
  ],
  async run(console) {
    return console.settings.environment === 'sim' ? inSimulation(console) : onHost(console);
  },
});

/** The simulation has a single user: anyone who can read its files. */
async function inSimulation(console: Console): Promise<Result> {
  const { state } = await console.access();
  const { data: api } = await console.call('getApiInformation', {});
  const { data } = await console.call('listAccounts', {});
  const locks = await locksOf(console, data);
  const record = {
    environment: 'sim',
    profile: console.settings.profile,
    api,
    state,
    credential: null,
    scopes: ['read', 'trade'],
    accounts: data.length,
    locks: lockRecords(locks),
    verified: true,
  };
  return recordOf(record, () => [
    fields(
      ['environment', 'sim'],
      ['profile', console.settings.profile],
      ['simulation', state],
      ['API', `${word(api.name)} ${word(api.version)}`],
      ['credential', 'none needed'],
      ['scopes', 'read, trade'],
      ['accounts', String(data.length)],
      ...lockFields(locks),
    ),
  ]);
}

async function onHost(console: Console): Promise<Result> {
  const { environment, profile, baseUrl } = console.settings;
  const { credential } = await console.access();
  const found = await credential!();
  const check = await checked(console);
  const proxy = proxyInUse(console);
  const record = {
    environment,
    profile,
    host: baseUrl,
    proxy: proxy === undefined ? null : { address: proxy.address, variable: proxy.variable },
    api: check.api,
    source: found.source,
    credential: masked(found.text),
    name: found.session?.name,
    expires_at: found.session?.expiresAt,
    scopes: scopes(found),
    accounts: check.accounts,
    locks: lockRecords(check.locks),
    verified: check.problem === undefined,
  };
  const blocks = () => [
    fields(
      ['environment', environment],
      ['profile', profile],
      ['host', baseUrl ?? ''],
      proxy === undefined ? undefined : ['proxy', proxyText(proxy)],
      check.api === undefined ? undefined : ['API', `${check.api.name} ${check.api.version}`],
      ['credential', `${record.credential} (from ${found.from})`],
      found.session === undefined ? undefined : ['session', found.session.name],
      found.session === undefined ? undefined : ['expires', expiry(found.session.expiresAt, console.outside.now())],
      ['scopes', record.scopes?.join(', ') ?? 'unknown (the API does not report the scopes of keys)'],
      check.accounts === undefined ? undefined : ['accounts', String(check.accounts)],
      ...lockFields(check.locks),
      check.problem === undefined ? undefined : ['not verified', { text: check.problem, tone: 'warn' }],
    ),
  ];
  return recordOf(record, blocks, check.problem === undefined ? exitCodes.done : exitCodes.unavailable);
}

/** The proxy that leads to the host; the check reports one that can't be used. */
function proxyInUse({ settings: { baseUrl }, variables }: Console): ProxyInUse | undefined {
  try {
    return baseUrl === undefined ? undefined : proxyTo(baseUrl, variables);
  } catch {
    return undefined;
  }
}

function lockRecords(locks: ReadonlyMap<string, HeldLock>): object[] {
  return [...locks].map(([account_id, lock]) => ({ account_id, ...lockRecord(lock) }));
}

function lockFields(locks: ReadonlyMap<string, HeldLock>): (readonly [string, Cell])[] {
  return [...locks].map(([id, lock]) => ['locked', { text: `${id} ${lockText(lock)}`, tone: 'warn' }] as const);
}

interface Check {
  api?: DataOf<'getApiInformation'>;
  accounts?: number;
  /** The guard's locks, by account id. */
  locks: ReadonlyMap<string, HeldLock>;
  problem?: string;
}

/** Whether the host accepts the credential. A refusal is an error; no answer leaves it unverified. */
async function checked(console: Console): Promise<Check> {
  try {
    const { data: api } = await console.call('getApiInformation', {});
    const { data } = await console.call('listAccounts', {});
    return { accounts: data.length, api, locks: await locksOf(console, data) };
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ConnectionError' || name === 'NoAnswerError') return { problem: plain(message), locks: new Map() };
    throw error;
  }
}

/** The part that shows the kind of credential, without the secret. */
export function masked(credential: string): string {
  const prefix = /^(?:[a-z]{1,12}_){0,3}(?:live|test)_/.exec(credential)?.[0] ?? '';
  return `${prefix}...`;
}

/** A session can trade on every account of its owner (API 5); the API does not report the scopes of keys. */
function scopes({ session }: FoundCredential): string[] | undefined {
  return session === undefined ? undefined : ['read', 'trade'];
}

function expiry(at: number, now: number): string {
  return at > now ? `${dateTime(at)} (in ${stretch(at - now)})` : `${dateTime(at)} (expired)`;
}
export const words = { login, logout, whoami };
