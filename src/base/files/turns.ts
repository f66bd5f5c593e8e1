import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makePrivateFolder } from './private-files.ts';

/**
 * Turns at something that several processes write. As with `holdFile`, SQLite's lock ends with its process, however it
 * dies; this one stays open, so a turn costs some microseconds.
 */
export class Turns implements Disposable {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;

  /** `file`: an empty one for the lock, created if absent. Throws system and SQLite errors. */
  constructor(file: string, waitMs = 5_000) {
    makePrivateFolder(dirname(file));
    try {
      closeSync(openSync(file, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    this.#database = new DatabaseSync(file, { timeout: waitMs });
    this.#database.exec('PRAGMA journal_mode = MEMORY');
    this.#begin = this.#database.prepare('BEGIN EXCLUSIVE');
    this.#end = this.#database.prepare('COMMIT');
  }

  /** Does something while no other process has its turn; throws SQLite's error if another one does not end its own. */
  take<T>(work: () => T): T {
    this.#begin.run();
    try {
      return work();
    } finally {
      this.#end.run();
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
