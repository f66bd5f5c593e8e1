import { join } from 'node:path';
import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { formerPlacesOf, placeOf, stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { isJsonObject, jsonObjectIn } from '../../base/terms/json-object.ts';
import { hideSecret, withoutEnd } from '../../base/text/plain-text.ts';
import { Keychain, KeychainError, keychainFailure } from './keychain.ts';
import {
  checkSessionFile,
  type FoundCredential,
  parseSession,
  readSessionFile,
  removeFromSessionFile,
  type Session,
  sessionFile,
  sessionText,
  writeSessionFile,
} from './session-file.ts';

/** A session and where it is stored. */
export interface KeptSession extends Session {
  readonly place: Place;
}

/** A live host's address, as it is shown and called. */
export function hostOf(baseUrl: string): string {
  return withoutEnd(new URL(baseUrl).href, '/');
}

/** The owner of sessions: a live host, and a profile or none. */
export interface LoginOf {
  readonly host: string;
  readonly profile: string | undefined;
}

/**
 * The sessions of one profile, or of none, on one live host. They are stored under the host's place, so a session is
 * used only for the host that issued it, however its address is written; one that was stored under the address itself
 * is found, too. Methods reject with KeychainError, or a Failure about the file.
 */
export class KeptSessions {
  readonly host: string;
  readonly profile: string | undefined;
  readonly #variables: Variables;
  readonly #keychain: Keychain;
  /** The names under which sessions are stored; new ones use the first. */
  readonly #names: readonly [string, ...string[]];

  constructor({ host, profile }: LoginOf, variables: Variables) {
    this.host = host;
    this.profile = profile;
    const place = placeOf(host);
    // No address of a place has a fragment.
    const names = [place, ...formerPlacesOf(host)] as [string, ...string[]];
    this.#names = profile === undefined ? names : (names.map((name) => `${name}#${profile}`) as [string, ...string[]]);
    this.#variables = variables;
    this.#keychain = new Keychain(variables);
  }

  /** The session to use: from the file, or else from the keychain. */
  async find(): Promise<KeptSession | undefined> {
    return (await this.in('file')) ?? (await this.in('keychain'));
  }

  async in(place: Place): Promise<KeptSession | undefined> {
    for (const name of this.#names) {
      const session = place === 'file' ? readSessionFile(this.#variables, name) : await this.#readKeychain(name);
      if (session === undefined) continue;
      hideSecret(session.apiKey);
      return { ...session, place };
    }
    return undefined;
  }

  /** Checks that a place can store anything at all. */
  async check(place: Place): Promise<void> {
    if (place === 'file') checkSessionFile(this.#variables);
    else await this.#keychain.check();
  }

  async keep(session: Session, place: Place): Promise<void> {
    const [name, ...olderNames] = this.#names;
    if (place === 'file') writeSessionFile(this.#variables, name, session);
    else await this.#keychain.write(itemOf(name), sessionText(session));
    for (const older of olderNames) await this.#removeFrom(place, older);
  }

  async remove(place: Place): Promise<void> {
    for (const name of this.#names) await this.#removeFrom(place, name);
  }

  /** The record of the last login. */
  record() {
    return this.#names.map((name) => loginRecord(this.#variables, name)).find((record) => record !== undefined);
  }

  /** Records a login, or removes the record; ignores a read-only state folder. */
  remember(session: KeptSession | undefined): void {
    try {
      recordLogin(this.#variables, this.#names, session);
    } catch {
      // The credential is what matters, and it is stored elsewhere.
    }
  }

  async #removeFrom(place: Place, name: string): Promise<void> {
    if (place === 'file') removeFromSessionFile(this.#variables, name);
    else await this.#keychain.remove(itemOf(name));
  }

  async #readKeychain(name: string): Promise<Session | undefined> {
    const text = await this.#keychain.read(itemOf(name));
    return text === undefined ? undefined : parseSession(text);
  }
}

function itemOf(name: string): string {
  return `live ${name}`;
}

/** Where a session's credential is stored. */
export type Place = 'keychain' | 'file';

/** A login without its credential: enough to tell a missing login from none at all. */
export interface LoginRecord {
  readonly name: string;
  /** Unix ms. */
  readonly expiresAt: number;
  readonly place: Place;
}

type Records = Record<string, { name: string; expires_at: number; kept: Place }>;

/** The last login on a host; undefined if there is none, or it can't be read. */
function loginRecord(variables: Variables, host: string): LoginRecord | undefined {
  const record = readRecords(variables)[host];
  if (record === undefined) return undefined;
  const { name, expires_at: expiresAt, kept: place } = record;
  if (typeof name !== 'string' || typeof expiresAt !== 'number' || (place !== 'keychain' && place !== 'file'))
    return undefined;
  return { name, expiresAt, place };
}

/** Records a login under the first of its names, or removes the record. Throws file system errors. */
function recordLogin(variables: Variables, names: readonly string[], login: LoginRecord | undefined): void {
  if (login === undefined && names.every((name) => readRecords(variables)[name] === undefined)) return;
  changeFile({ file: recordFile(variables) }, (write) => {
    const others = Object.entries(readRecords(variables)).filter(([name]) => !names.includes(name));
    const next: Records = Object.fromEntries(others);
    if (login !== undefined) next[names[0]!] = { name: login.name, expires_at: login.expiresAt, kept: login.place };
    write(Object.keys(next).length === 0 ? null : `${JSON.stringify(next, null, 2)}\n`);
  });
}

function readRecords(variables: Variables): Records {
  try {
    const records = jsonObjectIn(readRegularFile(recordFile(variables)).text) ?? {};
    return Object.values(records).every(isJsonObject) ? (records as Records) : {};
  } catch {
    return {};
  }
}

/** The logins of a profile that are recorded, by the place of their host. */
export function loginsOf(variables: Variables, profile: string): Map<string, LoginRecord> {
  const ending = `#${profile}`;
  const places = Object.keys(readRecords(variables)).filter((name) => name.endsWith(ending));
  const found = places.map((name) => [name.slice(0, -ending.length), loginRecord(variables, name)] as const);
  return new Map(found.flatMap(([place, record]) => (record === undefined ? [] : [[place, record] as const])));
}

function recordFile(variables: Variables): string {
  return join(stateFolder(variables), 'logins.json');
}

/**
 * The login of a profile, or of none, on a host, as a credential; undefined if there is none. Throws a Failure if there
 * is one and the keychain does not return it, or the file that stores it can't be trusted.
 */
export async function keptLogin(
  baseUrl: string,
  profile: string | undefined,
  variables: Variables,
): Promise<FoundCredential | undefined> {
  const sessions = new KeptSessions({ host: hostOf(baseUrl), profile }, variables);
  const session = await sessions.find().catch((error: unknown) => {
    throw error instanceof KeychainError ? unreachable(error, sessions) : error;
  });
  if (session === undefined) {
    const record = sessions.record();
    if (record?.place === 'keychain')
      throw new Failure({
        code: 'unauthorized',
        message: `The login ${record.name} is not in the keychain: it was removed, or the keychain is locked.`,
        hint: 'Unlock the keychain and try again, or run perp login.',
      });
    return undefined;
  }
  const { apiKey, name, expiresAt, place } = session;
  const found = { text: apiKey, source: place, session: { name, expiresAt } };
  if (place === 'keychain') return { ...found, from: 'the keychain' };
  // perp login has reported that the file isn't encrypted.
  return { ...found, from: sessionFile(variables) };
}

function unreachable(error: KeychainError, sessions: KeptSessions): Failure {
  const where = sessions.profile === undefined ? 'live' : `profile ${sessions.profile} on live`;
  const failure = keychainFailure(error, 'return the login');
  if (sessions.record() !== undefined) return failure;
  return new Failure({
    ...failure.facts,
    exit: exitCodes.notAllowed,
    code: 'unauthorized',
    message: `No API key for ${where}, and no login was found. ${failure.message}`,
  });
}
