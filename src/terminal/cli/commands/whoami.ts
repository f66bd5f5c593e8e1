import { exitCodes } from '../../../base/failure/failure.ts';
import { type ProxyInUse, proxyText, proxyTo } from '../../../base/sockets/proxy.ts';
import { dateTime, stretch, word } from '../../../base/text/format.ts';
import { plain } from '../../../base/text/plain-text.ts';
import type { FoundCredential } from '../../../desk/credentials/session-file.ts';
import { type HeldLock, locksOf } from '../../../desk/reading/locks.ts';
import type { DataOf } from '../../../wire/contract/operations.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Cell, fields, type Result, recordOf } from '../../console/output/result.ts';
import { lockRecord, lockText } from '../../console/views/ending-view.ts';

export const command = defineCommand({
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
