import { closeSync, openSync, readSync } from 'node:fs';
import { counts } from './counts.ts';
import { isInDoubt, StoreError, storeError } from './errors.ts';
import { codes, commandLog, idempotency, keys, settings, versions } from './service-tables.ts';
import { type StateDatabase, untilFree } from './state-database.ts';
import { checksumOf } from './table.ts';
import {
  accounts,
  consumption,
  copyGroups,
  explanations,
  head,
  ledger,
  operations,
  orders,
  positions,
  scaledOrders,
  twaps,
} from './tables.ts';

/** How a file's tables are created: at once in an empty file, upgrade by upgrade in an older one. */
interface Schema {
  /** Version of the tables that `create` makes; stored in the file as user_version. */
  version: number;
  /** SQL statements that make every table and index in an empty file. */
  create: () => readonly string[];
  /** The migrations from each older version of a state. */
  upgrades: readonly Upgrade[];
  /** SQL that runs after the last upgrade, so that rows of an older file are like those of a new one. */
  finish?: () => readonly string[];
}

/** SQL that turns one version of the tables into another. */
interface Upgrade {
  from: number;
  to: number;
  sql: readonly string[];
}

/** The tables that the exchange writes. `Store.clear` empties them, starting with those that refer to accounts. */
export const exchangeTables = [
  consumption,
  explanations,
  ledger,
  orders,
  positions,
  twaps,
  scaledOrders,
  copyGroups,
  operations,
  accounts,
  head,
  commandLog,
  idempotency,
  versions,
] as const;

const serviceTables = [keys, codes, settings, counts] as const;

/** Every table; referenced tables first. */
export const allTables = [accounts, ...exchangeTables.filter((table) => table !== accounts), ...serviceTables];

const tablesOfVersion5 = [
  ...['accounts', 'consumption', 'explanations', 'ledger', 'orders', 'positions', 'twap_orders', 'scaled_orders'],
  ...['copy_groups', 'operations', 'journal', 'idempotency', 'versions', 'keys', 'codes', 'settings'],
];
const tablesOfVersion2 = ['head', ...tablesOfVersion5.filter((name) => name !== 'versions')];

/** Columns of the counts, and the rows that each counts. */
const countsOfVersion5 = [
  ...tablesOfVersion5,
  "orders WHERE status IN ('pending', 'resting')",
  "positions WHERE status = 'open'",
  "twap_orders WHERE status IN ('running', 'canceling')",
  "scaled_orders WHERE status = 'working'",
  "operations WHERE status = 'running'",
].map((rows) => [rows.replace(/^(\w+) WHERE.*/, 'open_$1'), rows] as const);

/**
 * Rows have a checksum, a code has its session, the state has the versions of the rules it was written under, and an
 * account says when and why it failed or passed.
 */
const toVersion4 = [
  ...tablesOfVersion2.map((name) => `ALTER TABLE ${name} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`),
  'ALTER TABLE codes ADD COLUMN session_hash TEXT',
  'CREATE TABLE versions (\n  checksum INTEGER NOT NULL,\n  journal_from INTEGER PRIMARY KEY,\n  rules INTEGER NOT NULL,\n  catalog INTEGER NOT NULL,\n  prices INTEGER NOT NULL\n) STRICT',
  'INSERT INTO versions SELECT 0, 1, 1, 1, 1 WHERE EXISTS (SELECT 1 FROM journal)',
  'ALTER TABLE accounts ADD COLUMN ended_at INTEGER',
  'ALTER TABLE accounts ADD COLUMN ended_equity INTEGER',
  'ALTER TABLE accounts ADD COLUMN ended_bound INTEGER',
];

/** The number of rows in each table is kept, so that a missing one is noticed. */
const toVersion5 = [
  `CREATE TABLE counts (\n  checksum INTEGER NOT NULL,\n  row INTEGER PRIMARY KEY,\n  ${countsOfVersion5
    .map(([column]) => `${column} INTEGER NOT NULL`)
    .join(',\n  ')},\n  CHECK (row = 1)\n) STRICT`,
  `INSERT INTO counts SELECT 0, 1, ${countsOfVersion5
    .map(([, rows]) => `(SELECT count(*) FROM ${rows})`)
    .join(', ')} WHERE EXISTS (SELECT 1 FROM head)`,
];

/**
 * The current tables. A change needs a new version, and an upgrade that converts the previous version. Versions 1 and 3
 * were replaced before any state was kept in them.
 */
export const schema: Schema = {
  version: 5,
  create: () => allTables.flatMap((table) => table.create()),
  upgrades: [
    { from: 2, to: 4, sql: toVersion4 },
    { from: 4, to: 5, sql: toVersion5 },
  ],
  finish: () => allTables.map((table) => table.stamp()),
};
/**
 * Migrates the file to the schema's version: creates the tables of an empty file, or converts an older one, each
 * upgrade in its own transaction; any number of processes may do this at once. `onOlder` is called before the first
 * upgrade. A newer file or another program's is refused unchanged (StoreError `newer`, `foreign`).
 */
export function migrate(
  database: StateDatabase,
  to: Schema = schema,
  onOlder: (version: number) => void = () => {},
): void {
  // One snapshot: another process may be creating the tables.
  let found = database.snapshot(() => fileVersion(database, to));
  // This only changes a new file; switching it needs a lock that SQLite's own wait does not cover.
  untilFree(() => database.execute('PRAGMA journal_mode = WAL'));
  if (found === to.version) return;
  if (found > 0) {
    onOlder(found);
    database.define('row_checksum', (...values) => checksumOf(values));
  }
  try {
    while (found < to.version) found = database.transaction(() => upgrade(database, to));
  } catch (error) {
    // Done or not, the next process to open the file continues from there.
    throw isInDoubt(error) ? storeError('io', database.file, error) : error;
  }
}

/** Takes the next upgrade, unless another process already has; returns the version reached. */
function upgrade(database: StateDatabase, to: Schema): number {
  const { version, create, upgrades, finish = () => [] } = to;
  const current = fileVersion(database, to);
  if (current === version) return current;
  const next = upgrades.find(({ from }) => from === current);
  const reached = next?.to ?? version;
  for (const sql of next?.sql ?? create()) database.execute(sql);
  if (current > 0 && reached === version) for (const sql of finish()) database.execute(sql);
  database.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${reached}`);
  return reached;
}

/** The version of the file's tables, 0 when it has none yet; throws if the file is not ours or can't be converted. */
function fileVersion(database: StateDatabase, known: Schema): number {
  const [application, user] = database
    .prepare('SELECT application_id, user_version FROM pragma_application_id, pragma_user_version')
    .row()!
    .map(Number) as [number, number];
  const { file } = database;
  if (application === applicationId && user > 0) {
    const problem = unreadable(file, user, known);
    if (problem !== null) throw problem;
    return user;
  }
  const empty = database.prepare('SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)').row()![0] === 1n;
  if (application !== 0 || user !== 0 || !empty) throw storeError('foreign', file);
  return 0;
}

/** The error for a state of a later version. */
export function newer(file: string, versions: string): StoreError {
  return new StoreError(
    'newer',
    file,
    `${file} was written by a newer perp (${versions}). Update perp, or use another state.`,
  );
}

/** The error for a file whose tables this perp can't read or convert; null if it can. */
export function unreadable(file: string, version: number, { version: latest, upgrades } = schema): StoreError | null {
  if (version === latest || upgrades.some(({ from }) => from === version)) return null;
  if (version > latest) {
    return newer(file, `format ${version}; this one knows up to ${latest}`);
  }
  const message = `${file} was written by an unfinished perp (format ${version}), and can't be converted. Use another state.`;
  return new StoreError('outdated', file, message);
}

/** Marks the file as ours: "perp" in ASCII. */
export const applicationId = 0x70657270;

const headerBytes = 100;

/**
 * Whether a file is a database with contents that perp did not write, from SQLite's header
 * (sqlite.org/fileformat.html). The file is not opened as a database, which would checkpoint its log. False for a file
 * that is not a database or can't be read.
 */
export function isOfAnotherProgram(file: string): boolean {
  const header = headerOf(file);
  if (header === undefined || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return false;
  const [schemaChanges, userVersion, application] = [40, 60, 68].map((at) => header.readUInt32BE(at));
  if (application === applicationId) return false;
  return application !== 0 || userVersion !== 0 || schemaChanges !== 0;
}

function headerOf(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const header = Buffer.alloc(headerBytes);
      return readSync(descriptor, header, 0, headerBytes, 0) === headerBytes ? header : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
