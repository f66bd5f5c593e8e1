import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { translated } from './errors.ts';
import { syncFile, syncFolderOf } from './opened-files.ts';
import type { StateDatabase } from './state-database.ts';

/** Where a copy of a database is kept: `default.db` gives `default.format-2.backup`. */
export function backupFile(file: string, label: string): string {
  return `${file.replace(/\.db$/, '')}.${label}.backup`;
}

/**
 * Copies a database, as it is now, into its own file: on disk when this returns, readable only by its owner. It
 * replaces an earlier copy; if the disk is full, the earlier copy is kept.
 */
export function backUp(database: StateDatabase, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  try {
    rmSync(draft, { force: true });
    // SQLite accepts an empty file and keeps its mode.
    closeSync(openSync(draft, 'wx', 0o600));
    const version = versionOf(database);
    database.execute(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    // Another process may have migrated it in the meantime; that process then has the copy of the older version.
    if (copiedVersion(draft) !== version) return;
    syncFile(draft);
    renameSync(draft, copy);
    syncFolderOf(copy);
  } catch (error) {
    throw translated(error, copy);
  } finally {
    rmSync(draft, { force: true });
  }
}

function versionOf(database: StateDatabase): number {
  return Number(database.prepare('PRAGMA user_version').row()![0]);
}

function copiedVersion(file: string): number {
  using database = new DatabaseSync(file, { readOnly: true });
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
