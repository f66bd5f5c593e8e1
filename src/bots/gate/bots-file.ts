import { randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { isOpenToOthers } from '../../base/system/system.ts';
import { isJsonObject, parsedJson } from '../../base/terms/json-object.ts';
import { type HostEnvironment, hashSecret, newKey } from '../../wire/hosting/keys.ts';

/** A bot's key as stored: its hash only. */
export interface KeptKey {
  /** Names it in commands. */
  readonly id: string;
  readonly bot: string;
  readonly environment: HostEnvironment;
  readonly hash: string;
  /** Unix ms. */
  readonly created_at: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
}

/** When a person stopped a bot, Unix ms; under `*`: all of them. */
type Stops = Readonly<Record<string, number>>;

interface Contents {
  readonly keys: readonly KeptKey[];
  readonly stopped: Stops;
}

/** Stands for every bot. */
const everyBot = '*';

/** The gate's private folder. */
export function gateFolder(variables: Variables): string {
  return join(stateFolder(variables), 'gate');
}

/**
 * Who may use the gate, and who is stopped: one private file, which commands change while the gate runs. A change
 * counts from the next request.
 */
export class BotsFile {
  readonly #file: string;
  #read: { contents: Contents; status: Stats | undefined } | undefined;

  constructor(folder: string) {
    this.#file = join(folder, 'bots.json');
  }

  keys(): readonly KeptKey[] {
    return this.#contents().keys;
  }

  /** The key with this text; undefined if there is none. */
  key(text: string): KeptKey | undefined {
    const hash = hashSecret(text);
    return this.keys().find((key) => key.hash === hash);
  }

  /** A bot's valid key; undefined if it has none. */
  validKey(bot: string, now: number): KeptKey | undefined {
    return this.keys().find((key) => key.bot === bot && isValid(key, now));
  }

  /** Creates a bot's key and returns its text, which is stored nowhere. It ends the one before. */
  add(
    bot: string,
    environment: HostEnvironment,
    now: number,
    expires_at: number,
    prefix = 'gate_',
  ): { key: KeptKey; text: string } {
    const text = newKey(environment, prefix);
    const id = `key_${randomBytes(5).toString('hex')}`;
    const key = { id, bot, environment, hash: hashSecret(text), created_at: now, expires_at, revoked_at: null };
    this.#change(({ keys, stopped }) => ({ keys: [...keys.map((one) => ended(one, bot, now)), key], stopped }));
    return { key, text };
  }

  /** The unrevoked key with this id, or of this bot; undefined if there is none. */
  named(idOrBot: string): KeptKey | undefined {
    return this.keys().find(({ id, bot, revoked_at: at }) => at === null && (id === idOrBot || bot === idOrBot));
  }

  /** Revokes a key by its id, or a bot's; undefined if there is none to revoke. */
  revoke(idOrBot: string, now: number): KeptKey | undefined {
    const found = this.named(idOrBot);
    if (found === undefined) return undefined;
    const revoked = (one: KeptKey) => (one.id === found.id ? { ...one, revoked_at: now } : one);
    this.#change(({ keys, stopped }) => ({ keys: keys.map(revoked), stopped }));
    return found;
  }

  /** When a bot was stopped, Unix ms; undefined if it isn't. */
  stoppedSince(bot: string): number | undefined {
    const { stopped } = this.#contents();
    return stopped[everyBot] ?? (Object.hasOwn(stopped, bot) ? stopped[bot] : undefined);
  }

  /** Stops a bot, or all. */
  stop(bot: string | undefined, now: number): void {
    this.#change(({ keys, stopped }) => ({ keys, stopped: { [bot ?? everyBot]: now, ...stopped } }));
  }

  /** Undoes the stop of a bot, or of all. False if it wasn't stopped, or only by the stop of all. */
  resume(bot: string | undefined): boolean {
    const { stopped } = this.#contents();
    const isStopped = Object.hasOwn(stopped, bot ?? everyBot);
    this.#change(({ keys, stopped: now }) => {
      if (bot === undefined) return { keys, stopped: {} };
      const { [bot]: _, ...others } = now;
      return { keys, stopped: others };
    });
    return isStopped;
  }

  /** As the file is now; it is read again only after a change. */
  #contents(): Contents {
    const status = statSync(this.#file, { throwIfNoEntry: false });
    if (this.#read === undefined || !isSame(this.#read.status, status))
      this.#read = { contents: status === undefined ? { keys: [], stopped: {} } : this.#parsed(), status };
    return this.#read.contents;
  }

  #parsed(): Contents {
    const { text, status } = readRegularFile(this.#file, 16 << 20);
    if (isOpenToOthers(status.mode))
      throw damaged(`Other users can read ${this.#file}.`, `Run: chmod 600 ${this.#file}`);
    const value = parsedJson(text);
    if (!isJsonObject(value) || !Array.isArray(value.keys) || !isJsonObject(value.stopped))
      throw damaged(`${this.#file} is damaged.`, 'Remove it, and give every bot a new key.');
    return value as unknown as Contents;
  }

  #change(change: (contents: Contents) => Contents): void {
    changeFile({ file: this.#file, isSecret: true }, (write) => {
      write(`${JSON.stringify(change(this.#contents()), null, 2)}\n`);
      this.#read = undefined;
    });
  }
}

/** Whether a key counts. */
export function isValid(
  { revoked_at: revoked, expires_at: expires }: Pick<KeptKey, 'revoked_at' | 'expires_at'>,
  now: number,
): boolean {
  return revoked === null && now < expires;
}

function ended(key: KeptKey, bot: string, now: number): KeptKey {
  return key.bot === bot && key.revoked_at === null ? { ...key, revoked_at: now } : key;
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.mtimeMs === other?.mtimeMs && one?.size === other?.size;
}

function damaged(message: string, hint: string): Failure {
  return new Failure({ code: 'gate_file', message, hint });
}
