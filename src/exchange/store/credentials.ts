import type { Environment, Ms } from '../engine/model.ts';
import { Query, Writer } from './query.ts';
import { type CodeRecord, codes, type KeyRecord, keys } from './service-tables.ts';
import type { StateDatabase } from './state-database.ts';

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
