import { closeSync, existsSync, globSync, linkSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { moveFile } from '../../base/system/system.ts';
import { emptied, type StoreError, translated } from './errors.ts';
import { databaseSuffixes, syncFile, syncFolderOf } from './opened-files.ts';
import { settings } from './service-tables.ts';
import { StateDatabase } from './state-database.ts';

/** An older draft was left by a process that ended while it created a state. */
const staleMs = 60_000;

/** The error for a state whose file is empty or missing although its log exists; null otherwise. */
export function emptiedFile(path: string): StoreError | null {
  const size = sizeOf(path);
  if (size === 0) return emptied(path, 'is empty');
  if (size === null && (sizeOf(`${path}-wal`) ?? 0) > 0) return emptied(path, 'is missing, but its log is not');
  return null;
}

/**
 * Creates a database with its tables, readable only by its owner. It appears complete, so that an empty file is never a
 * new one. If another process creates it first, that one is kept.
 */
export function createWhole(path: string, createTables: (draft: StateDatabase) => void): void {
  const draft = `${path}.new-${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    removeStale(path);
    const database = new StateDatabase(draft);
    try {
      // Synced once, when it is complete.
      database.execute('PRAGMA synchronous = OFF');
      createTables(database);
      // Closing would do this too, but without reporting a failure, and only the file itself is moved.
      database.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      database.close();
    }
    syncFile(draft);
    moveToFreePlace(draft, path);
    syncFolderOf(path);
  } catch (error) {
    throw translated(error, path);
  } finally {
    remove(draft);
  }
}

/** Links do not replace a file; a file system without them leaves a short moment in which another process could. */
function moveToFreePlace(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    if (!existsSync(path)) moveFile(draft, path);
  }
}

function removeStale(path: string): void {
  for (const draft of globSync(`${path}.new-*`)) {
    const age = Date.now() - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > staleMs) rmSync(draft, { force: true });
  }
}

function remove(draft: string): void {
  for (const suffix of databaseSuffixes) {
    try {
      rmSync(draft + suffix, { force: true });
    } catch {
      // Its folder may not be a folder, which the earlier error reports.
    }
  }
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/** The path of a database copy: `default.db` gives `default.format-2.backup`. */
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
    forgetRun(draft);
    syncFile(draft);
    moveFile(draft, copy);
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

/** A restored copy is another run of the simulation, which is named when it is opened. */
function forgetRun(file: string): void {
  using database = new DatabaseSync(file);
  const has = (sql: string) => database.prepare(sql).get() !== undefined;
  if (!has("SELECT 1 FROM sqlite_schema WHERE name = 'settings'") || !has("SELECT 1 FROM settings WHERE name = 'run'"))
    return;
  database.prepare(settings.update()).run(...settings.encode({ name: 'run', value: '' }));
}

function copiedVersion(file: string): number {
  using database = new DatabaseSync(file, { readOnly: true });
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
