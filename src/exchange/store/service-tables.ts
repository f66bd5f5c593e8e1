import type { Environment, Ms } from '../engine/model.ts';
import { Query, Writer } from './query.ts';
import type { StateDatabase } from './state-database.ts';
import { Table } from './table.ts';

/** A command as it was executed, in order: replaying the command log gives the same state. */
export interface CommandRow {
  sequence: number;
  /** Exchange time of the command. */
  time: Ms;
  /** `commandText` of the command. */
  command: string;
}

/**
 * The outcome of a request with an idempotency key (simulation 8.3). Kept until the state is reset, so a key is never
 * reused before that.
 */
export interface IdempotencyRecord {
  owner: string;
  operation: string;
  key: string;
  payloadHash: string;
  /** The kind and id of the resource that the request created; null if it created none. */
  resourceKind: string | null;
  resourceId: string | null;
  /** HTTP status of the first answer. */
  status: number;
  /** Data that a replay needs besides the resource: a refusal, the results of a bulk operation. */
  outcome: unknown;
  createdAt: Ms;
}

/** The scope of a credential: read, or also trade. */
type Scope = 'read' | 'trade';

/** An API key or a command-line session; only the hash of its secret is stored. */
export interface KeyRecord {
  hash: string;
  owner: string;
  environment: Environment;
  scope: Scope;
  name: string;
  kind: 'key' | 'session';
  createdAt: Ms;
  /** null: never. */
  expiresAt: Ms | null;
  revokedAt: Ms | null;
}

/** A one-time authorization code of the command-line login, bound to its PKCE challenge. */
export interface CodeRecord {
  hash: string;
  /** S256 challenge, base64url. */
  challenge: string;
  owner: string;
  deviceName: string;
  expiresAt: Ms;
  usedAt: Ms | null;
  /** Hash of the session that it was exchanged for. */
  sessionHash: string | null;
}

/** The versions of perp's rules under which a part of the command log was written: from a number until the next row. */
export interface VersionsRecord {
  /** Number of the first command in the command log that may have been written under them. */
  journalFrom: number;
  rules: number;
  catalog: number;
  prices: number;
}

/** Settings of a state: its source of books, its clock. */
export interface SettingRecord {
  name: string;
  value: string;
}

/** The table of every command that the state has carried out, in order. */
export const commandLog = new Table<CommandRow>({
  name: 'journal',
  columns: { sequence: 'int', time: 'int', command: 'text' },
  key: ['sequence'],
  assigned: 'sequence',
});

/** The table of the rules, catalog and prices that apply from a command on. */
export const versions = new Table<VersionsRecord>({
  name: 'versions',
  columns: { journalFrom: 'int', rules: 'int', catalog: 'int', prices: 'int' },
  key: ['journalFrom'],
});

/** The table of outcomes by owner, operation and idempotency key. */
export const idempotency = new Table<IdempotencyRecord>({
  name: 'idempotency',
  columns: {
    owner: 'text',
    operation: 'text',
    key: 'text',
    payloadHash: 'text',
    resourceKind: 'text?',
    resourceId: 'text?',
    status: 'int',
    outcome: 'json?',
    createdAt: 'int',
  },
  key: ['owner', 'operation', 'key'],
  withoutRowid: true,
});

/** The table of API keys and sessions, by the hash of their secret. */
export const keys = new Table<KeyRecord>({
  name: 'keys',
  columns: {
    hash: 'text',
    owner: 'text',
    environment: 'text',
    scope: 'text',
    name: 'text',
    kind: 'text',
    createdAt: 'int',
    expiresAt: 'int?',
    revokedAt: 'int?',
  },
  key: ['hash'],
  withoutRowid: true,
});

/** The table of authorization codes of browser logins. */
export const codes = new Table<CodeRecord>({
  name: 'codes',
  columns: {
    hash: 'text',
    challenge: 'text',
    owner: 'text',
    deviceName: 'text',
    expiresAt: 'int',
    usedAt: 'int?',
    sessionHash: 'text?',
  },
  key: ['hash'],
  withoutRowid: true,
});

/** The table of a state's own settings, by name. */
export const settings = new Table<SettingRecord>({
  name: 'settings',
  columns: { name: 'text', value: 'text' },
  key: ['name'],
  withoutRowid: true,
});

/** Settings that every state needs. */
export const neededSettings = ['source', 'clock', 'initial_time', 'cursor_secret'] as const;
/** A setting that every state has. */
export type NeededSetting = (typeof neededSettings)[number];

/** Keys, command-line sessions and authorization codes, identified by the hashes of their secrets (simulation 8.1). */
export class Credentials {
  readonly #database: StateDatabase;
  readonly #keyByHash: Query<KeyRecord>;
  readonly #everyKey: Query<KeyRecord>;
  readonly #codeByHash: Query<CodeRecord>;
  readonly #keys: Writer<KeyRecord>;
  readonly #codes: Writer<CodeRecord>;

  constructor(database: StateDatabase) {
    this.#database = database;
    this.#keyByHash = new Query(database, keys, 'WHERE hash = ?');
    this.#everyKey = new Query(database, keys, 'ORDER BY hash');
    this.#codeByHash = new Query(database, codes, 'WHERE hash = ?');
    this.#keys = new Writer(database, keys);
    this.#codes = new Writer(database, codes);
  }

  addKey(key: KeyRecord): void {
    this.#database.within(() => this.#keys.add(key));
  }

  /** In any state: the caller checks `expiresAt` and `revokedAt`. */
  key(hash: string): KeyRecord | null {
    return this.#keyByHash.one(hash);
  }

  /** Every key and session, newest first; of one owner or environment if given. */
  keys({ owner, environment }: { owner?: string; environment?: Environment } = {}): KeyRecord[] {
    return this.#everyKey
      .all()
      .filter(
        (key) => (owner === undefined || key.owner === owner) && (environment ?? key.environment) === key.environment,
      )
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Writes another state of a key that exists. */
  changeKey(key: KeyRecord): void {
    this.#keys.put(key);
  }

  /** Revokes it permanently; false if it was already revoked or does not exist. */
  revokeKey(hash: string, time: Ms): boolean {
    return this.#database.within(() => {
      const key = this.key(hash);
      if (key === null || key.revokedAt !== null) return false;
      this.#keys.put({ ...key, revokedAt: time });
      return true;
    });
  }

  addCode(code: CodeRecord): void {
    this.#database.within(() => this.#codes.add(code));
  }

  code(hash: string): CodeRecord | null {
    return this.#codeByHash.one(hash);
  }

  /** Marks the code used, for a session; true for only one caller in all processes, and only before it expires. */
  useCode(hash: string, sessionHash: string, time: Ms): boolean {
    return this.#database.within(() => {
      const code = this.code(hash);
      if (code === null || code.usedAt !== null || code.expiresAt <= time) return false;
      this.#codes.put({ ...code, usedAt: time, sessionHash });
      return true;
    });
  }

  /** Deletes codes that expired before `time`; they can no longer be exchanged. */
  dropExpiredCodes(time: Ms): void {
    this.#database.within(() => {
      const { changes } = this.#database.prepare('DELETE FROM codes WHERE expires_at <= ?').run(time);
      this.#database.gain(codes.name, -changes);
    });
  }
}
