import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Examination, examine, type Fault } from './check.ts';
import { StoreError, storeError, translated } from './errors.ts';
import { emptiedFile } from './new-file.ts';
import { assertRegularFiles } from './opened-files.ts';
import { applicationId, isOfAnotherProgram, schema, unreadable } from './schema.ts';

/** The health of a database. */
export interface DatabaseHealth {
  /** Version of the file's tables; null if unknown. */
  format: number | null;
  /** The first problem found; null if there is none. */
  problem: StoreError | null;
  /** The result of checking every row; null for a file of another format, or one that could not be checked. */
  examination: Examination | null;
}

/**
 * Checks everything in a state file. Nothing is created, migrated or repaired; an obstacle is reported as the problem,
 * not thrown.
 */
export function databaseHealth(file: string): DatabaseHealth {
  let format: number | null = null;
  const wrong = (problem: StoreError | null) => ({ format, problem, examination: null });
  try {
    assertRegularFiles(file);
    const lost = emptiedFile(file);
    if (lost !== null) return wrong(lost);
    if (isOfAnotherProgram(file)) return wrong(storeError('foreign', file));
    using database = openForReading(file);
    // One snapshot: another process may be creating the tables.
    database.exec('BEGIN');
    const { application_id: application, user_version: version } = database
      .prepare('SELECT application_id, user_version FROM pragma_application_id, pragma_user_version')
      .get() as { application_id: number; user_version: number };
    if (application !== applicationId) return wrong(isEmpty(database) ? null : storeError('foreign', file));
    database.exec('COMMIT');
    format = version;
    const problem = unreadable(file, version);
    if (problem !== null) return wrong(problem);
    if (version < schema.version) return wrong(quickProblem(database, file));
    const examination = examine(database);
    const [fault] = examination.faults;
    const damage = fault === undefined ? null : storeError('corrupt', file, new Error(faultText(fault)));
    return { format, problem: damage, examination };
  } catch (error) {
    const known = translated(error, file);
    if (known instanceof StoreError) return wrong(known);
    throw known;
  }
}

/** A fault as text: `row ord_000000003 of table orders has been altered`. */
export function faultText({ table, row, what }: Fault): string {
  return row === null ? `table ${table}: ${what}` : `row ${row} of table ${table} ${what}`;
}

/** An older file has no checksums, so only SQLite's own check of every page is run. */
function quickProblem(database: DatabaseSync, file: string): StoreError | null {
  const reports = database.prepare('PRAGMA quick_check(1)').all().flatMap(Object.values);
  const fault = reports.find((text) => text !== 'ok');
  return fault === undefined ? null : storeError('corrupt', file, new Error(String(fault)));
}

/** A file that nothing was written to yet, as left by a perp that is just starting. */
function isEmpty(database: DatabaseSync): boolean {
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  return tables === 0;
}

/** If it is writable, it is opened for writing: only then does SQLite remove its log at the end. */
export function openForReading(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: !isWritable(file), timeout: 1_000 });
  database.exec('PRAGMA query_only = ON');
  return database;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
