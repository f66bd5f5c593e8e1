import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { translated } from '../store/errors.ts';
import { assertRegularFile } from '../store/opened-files.ts';

const acquireTimeoutMs = 300;

/**
 * The right to serve a state, held by at most one process (simulation 9.1). Node has no file locks, but SQLite does: an
 * exclusive transaction on an empty database ends with the process, however it dies, so there is nothing to clean up.
 */
export class ServeLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The lock, or null while another process holds it. */
  static acquire(file: string): ServeLock | null {
    assertRegularFile(file);
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: acquireTimeoutMs });
    try {
      // Nothing is ever written, not even a journal file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ServeLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return null;
      throw translated(error, file);
    }
  }

  /** Whether some process holds it now. */
  static isHeld(file: string): boolean {
    if (!existsSync(file)) return false;
    assertRegularFile(file);
    const database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    try {
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw translated(error, file);
    } finally {
      database.close();
    }
  }

  release(): void {
    this.#database.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}
