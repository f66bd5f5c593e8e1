import { hash } from 'node:crypto';
import { rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { formerPlacesOf, placeOf, stateFolder, type Variables } from '../../base/files/folders.ts';
import { checkedLine, readChecked, renameFormer } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { assert } from '../../base/terms/invariants.ts';
import { isReduction } from '../../base/terms/order-types.ts';
import { dateTime } from '../../base/text/format.ts';
import type { Client } from '../../wire/client/client.ts';
import { ApiError } from '../../wire/client/client-errors.ts';
import type { Intent } from '../../wire/client/intent.ts';
import { type Prove, proving } from '../../wire/client/proven-send.ts';
import type { Destination } from '../intents/note.ts';
import { placesOf } from '../intents/places.ts';

/** A lock on one account: perp refuses anything that adds exposure. Times are the exchange's, Unix ms. */
export interface TradingLock {
  account: string;
  since: number;
  until: number;
  why: string;
}

/**
 * Folder of an environment's locks; it exists only while there are locks, so one check of the folder is enough without
 * them.
 */
export function lockFolder(variables: Variables, destination: Destination): string {
  return join(guardFolder(variables, destination), locksName);
}

/** The folders in which an account of this environment may be locked. */
export function lockFolders(variables: Variables, destination: Destination): string[] {
  return guardFolders(variables, destination).map((folder) => join(folder, locksName));
}

const locksName = 'locks';

/** The folder of all guard files; it exists once one has been stored. */
function guardsFolder(variables: Variables): string {
  return join(stateFolder(variables), 'guard');
}

/** Locks an account. An existing lock that ends later is kept. */
export function lockAccount(folder: string, lock: TradingLock): void {
  // Beside the folder, which must be empty without locks.
  const shared = { file: fileOf(folder, lock.account), turns: `${folder}.lock` };
  changeFile(shared, (write) => {
    const known = readLock(folder, lock.account);
    if (known !== undefined && known !== 'damaged' && known.until >= lock.until) return;
    assert(known === undefined || known === 'damaged' || lock.until > known.until, 'lock-grows', lock.account);
    write(checkedLine(JSON.stringify(lock)));
  });
}

/** Removes an account's lock; false if there was none. */
export function unlockAccount(folder: string, account: string): boolean {
  const known = readLock(folder, account) !== undefined;
  rmSync(fileOf(folder, account), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Other accounts are locked, or none were.
  }
  return known;
}

/** An account's lock, whether or not it has ended; undefined if there is none. */
export function readLock(folder: string, account: string): TradingLock | 'damaged' | undefined {
  return readChecked(fileOf(folder, account)) as TradingLock | 'damaged' | undefined;
}

/** The refusal of a write that adds exposure (exit 5). A damaged lock holds until it is removed. */
function lockedFailure(account: string, lock: TradingLock | 'damaged'): Failure {
  const isDamaged = lock === 'damaged';
  return new Failure({
    code: 'guard_lock',
    message: isDamaged
      ? `Account ${account} is locked, and its lock file is damaged. Nothing was sent.`
      : `Account ${account} is locked until ${dateTime(lock.until)}: ${lock.why}. Nothing was sent.`,
    hint: 'Closing, canceling and --reduce-only still work; perp guard unlock ends the lock.',
    details: isDamaged ? { account_id: account } : { account_id: account, since: lock.since, until: lock.until },
  });
}

function fileOf(folder: string, account: string): string {
  return join(folder, `${accountFile(account)}.lock`);
}

/** All guard files of one environment: a folder below the state folder. */
export function guardFolder(variables: Variables, destination: Destination): string {
  const [folder, ...formers] = guardFolders(variables, destination);
  const own = ownFolders(variables, destination);
  for (const former of formers) if (own.includes(former)) renameFormer(former, folder);
  return folder;
}

/**
 * The folder of a place, and others in which an account of it may be locked: by a guard that reached it in another way,
 * and by one of an earlier version, which named the folder by the address as written.
 */
export function guardFolders(variables: Variables, destination: Destination): [folder: string, ...others: string[]] {
  const folders = placesOf(variables, destination).flatMap((place) => {
    const [, state, side] = /^sim (.+) (live|test)$/.exec(place) ?? [];
    if (state !== undefined) return [folderOf(variables, ['sim', null, side === 'live' ? state : `${state} ${side}`])];
    if (place === destination.environment) return [];
    const other = destination.environment === 'sandbox' ? 'live' : 'sandbox';
    const own = destination.environment === 'sim' ? 'live' : destination.environment;
    return [own, other].map((environment) => folderOf(variables, [environment, place, null]));
  });
  return [...new Set([...folders, ...ownFolders(variables, destination)])] as [string, ...string[]];
}

/** The folders that this destination had in earlier versions. */
function ownFolders(variables: Variables, { environment, baseUrl, state }: Destination): string[] {
  const names = baseUrl === undefined ? [null] : [placeOf(baseUrl), ...formerPlacesOf(baseUrl)];
  return names.map((name) => folderOf(variables, [environment, name, state ?? null]));
}

function folderOf(variables: Variables, name: readonly (string | null)[]): string {
  return join(guardsFolder(variables), hash('sha256', JSON.stringify(name), 'hex').slice(0, 16));
}

/** An account's name for files; its id may be any text. */
export function accountFile(account: string): string {
  return hash('sha256', account, 'hex').slice(0, 16);
}

interface LockCheck {
  variables: Variables;
  destination: Destination;
  client: Client;
  /** Wall time, Unix ms, for a host that does not report the exchange's. */
  now(): number;
}

/**
 * Proves that a write adds no exposure in a locked account, including through copies, in the same turn in which it is
 * sent. Throws a failure if it would now. Without any guard, this costs one file system check, and without any lock one
 * more. With one, it asks the exchange for the time, the copy groups and, for an amendment, the order.
 */
export async function exposureProof(intent: Intent, lockCheck: LockCheck): Promise<Prove> {
  const { variables, destination, client, now } = lockCheck;
  const folders = () => lockFolders(variables, destination).filter(mayHoldLocks);
  const isGuarded = () => mayHoldLocks(guardsFolder(variables));
  const isLocked = isGuarded() && folders().length > 0;
  if (!isLocked)
    return proving(() => (isGuarded() && folders().length > 0 ? lockedMeanwhile(intent, folders()) : undefined));
  const accounts = await exposedAccounts(intent, client);
  if (accounts.length === 0) return proving();
  const times = new Map<string, number>();
  const refusal = (account: string) => refusalOf(account, folders(), times.get(account));
  for (const account of [...accounts, ...(await followersOf(accounts, client))]) {
    if (folders().some((folder) => readLock(folder, account) !== undefined))
      times.set(account, await timeOf(account, client, now));
    const why = refusal(account);
    if (why !== undefined) throw why;
    for (const folder of folders())
      if (isOver(readLock(folder, account), times.get(account))) unlockAccount(folder, account);
    if (!times.has(account)) times.set(account, Number.NEGATIVE_INFINITY);
  }
  return proving(() => [...times.keys()].map(refusal).find((why) => why !== undefined));
}

function refusalOf(account: string, folders: readonly string[], time: number | undefined): Failure | undefined {
  const locks = folders.map((folder) => readLock(folder, account));
  const lock = locks.find((one) => one !== undefined && !isOver(one, time));
  return lock === undefined ? undefined : lockedFailure(account, lock);
}

/** Whether a lock has ended at the exchange's time; a damaged one never does. */
function isOver(lock: TradingLock | 'damaged' | undefined, time: number | undefined): boolean {
  return lock !== undefined && lock !== 'damaged' && time !== undefined && time >= lock.until;
}

/** A guard has locked an account while this write was prepared: whether that affects another account wasn't checked. */
function lockedMeanwhile(intent: Intent, folders: readonly string[]): Failure | undefined {
  if (!mayAdd(intent)) return undefined;
  const [account] = texts(wantedBy(intent).account_id);
  const own = account === undefined ? undefined : refusalOf(account, folders, undefined);
  return (
    own ??
    new Failure({
      code: 'lock_unchecked',
      message: 'A guard has just locked an account. Nothing was sent.',
      hint: 'Try again; perp guard status shows what is locked.',
      retryable: true,
    })
  );
}

/** Whether a write may add exposure anywhere, by its kind and fields alone. */
function mayAdd(intent: Intent): boolean {
  const { operationId } = intent;
  const wanted = wantedBy(intent);
  if (operationId === 'createOrder') return !isReduction(wanted);
  if (operationId === 'createTwapOrder' || operationId === 'createScaledOrder') return wanted.reduce_only !== true;
  return operationId === 'modifyOrder' || operationId === 'saveCopyTradingConfigurations';
}

/** A folder that can't be read may hold a lock. */
function mayHoldLocks(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function wantedBy({ body = '{}' }: Intent): Fields {
  return JSON.parse(body) as Fields;
}

/** The accounts to which a write itself may add exposure. An order may, unless it is reduce-only. */
async function exposedAccounts(intent: Intent, client: Client): Promise<string[]> {
  if (!mayAdd(intent)) return [];
  const { account_id, groups = [] } = wantedBy(intent);
  if (intent.operationId === 'saveCopyTradingConfigurations') return (groups as Fields[]).flatMap(copyAccounts);
  if (intent.operationId !== 'modifyOrder') return texts(account_id);
  const order = await orderOf(intent.path.order_id ?? '', client);
  return order === undefined || order.reduce_only ? [] : [order.account_id];
}

function copyAccounts({ enabled, targets }: Fields): string[] {
  if (enabled !== true || !Array.isArray(targets)) return [];
  return targets.flatMap((target: Fields) => texts(target.account_id));
}

/** The accounts that copy these, directly or through another account. Fails if the groups can't be read. */
async function followersOf(leads: readonly string[], client: Client): Promise<string[]> {
  const groups = (await copyGroups(client)).filter(({ enabled }) => enabled);
  const reached = new Set(leads);
  for (const lead of reached)
    for (const { source_account_id: source, targets } of groups)
      if (source === lead) for (const { account_id } of targets) reached.add(account_id);
  return [...reached].slice(leads.length);
}

async function copyGroups(client: Client) {
  try {
    return (await client.call('listCopyTradingConfigurations', {})).data;
  } catch (error) {
    // A host without copy trading. A credential that may not see the groups doesn't show them.
    if (error instanceof ApiError && [404, 405, 410, 501].includes(error.status)) return [];
    throw new Failure(
      {
        code: 'lock_unchecked',
        message: `An account is locked, and perp could not check whether it copies this one: ${(error as Error).message}. Nothing was sent.`,
        hint: 'Try again; perp guard unlock ends the lock.',
        retryable: true,
      },
      { cause: error },
    );
  }
}

async function orderOf(
  order_id: string,
  client: Client,
): Promise<{ account_id: string; reduce_only: boolean } | undefined> {
  try {
    return (await client.call('getOrder', { path: { order_id } })).data;
  } catch (error) {
    // The host will refuse the amendment for the same reason.
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

async function timeOf(account_id: string, client: Client, now: () => number): Promise<number> {
  const { data, headers } = await client.call('getAccount', { path: { account_id } });
  const answeredAt = Date.parse(headers.date ?? '');
  return data.risk?.observed_at ?? (Number.isNaN(answeredAt) ? now() : answeredAt);
}

function texts(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}
