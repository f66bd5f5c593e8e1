import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { applicationId, isOfAnotherProgram } from './application-id.ts';
import { StoreError, storeError, translated } from './errors.ts';
import { assertRegularFiles } from './opened-files.ts';
import { schema, writtenByNewer } from './schema.ts';

/**
 * Whether a state file is sound, by SQLite's own look at every page of it. Nothing is made, migrated or repaired, and
 * what stands in the way is the problem, not thrown.
 */
export function databaseHealth(file: string): { format: number | null; problem: StoreError | null } {
  let format: number | null = null;
  try {
    assertRegularFiles(file);
    if (isOfAnotherProgram(file)) return { format, problem: storeError('foreign', file) };
    using database = openForReading(file);
    const { application_id: application, user_version: version } = database
      .prepare('SELECT application_id, user_version FROM pragma_application_id, pragma_user_version')
      .get() as { application_id: number; user_version: number };
    if (application !== applicationId)
      return { format, problem: isEmpty(database) ? null : storeError('foreign', file) };
    format = version;
    if (version > schema.version) throw writtenByNewer(file, version);
    const faults = database
      .prepare('PRAGMA quick_check(1)')
      .all()
      .flatMap(Object.values)
      .filter((text) => text !== 'ok');
    if (faults.length > 0) throw storeError('corrupt', file, new Error(String(faults[0])));
    return { format, problem: null };
  } catch (error) {
    const known = translated(error, file);
    if (known instanceof StoreError) return { format, problem: known };
    throw known;
  }
}

/** A file that nothing was written to yet, as a perp leaves it that is just starting. */
function isEmpty(database: DatabaseSync): boolean {
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  return tables === 0;
}

/** Where it may be written it is opened so all the same: only then does SQLite clear its log away at the end. */
function openForReading(file: string): DatabaseSync {
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
