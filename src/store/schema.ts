import { applicationId } from './application-id.ts';
import { type Connection, untilFree } from './connection.ts';
import { counts } from './counts.ts';
import { isInDoubt, StoreError, storeError } from './errors.ts';
import { codes, idempotency, journal, keys, settings, versions } from './service-tables.ts';
import { copyGroups, operations, scaledOrders, twaps } from './strategy-tables.ts';
import { checksumOf } from './table.ts';
import { accounts, consumption, explanations, head, ledger, orders, positions } from './tables.ts';

/** How a file's tables are created: at once in an empty file, step by step in an older one. */
export interface Schema {
  /** Version of the tables that `create` makes; stored in the file as user_version. */
  version: number;
  /** SQL statements that make every table and index in an empty file. */
  create: () => readonly string[];
  /** SQL that turns version N (from 1 on) into version N + 1, at index N - 1; `version - 1` steps. */
  steps: readonly (readonly string[])[];
  /** SQL that runs after the last step, so that rows of an older file are like those of a new one. */
  finish?: () => readonly string[];
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
  journal,
  idempotency,
  versions,
] as const;

const serviceTables = [keys, codes, settings, counts] as const;

/** Every table; referenced tables first. */
export const allTables = [accounts, ...exchangeTables.filter((table) => table !== accounts), ...serviceTables];

const tablesOfVersion2 = [
  'accounts',
  'consumption',
  'explanations',
  'ledger',
  'orders',
  'positions',
  'twap_orders',
  'scaled_orders',
  'copy_groups',
  'operations',
  'head',
  'journal',
  'idempotency',
  'keys',
  'codes',
  'settings',
];

/** Columns of the counts, and the rows that each counts. */
const countsOfVersion5 = [
  ...['accounts', 'consumption', 'explanations', 'ledger', 'orders', 'positions', 'twap_orders', 'scaled_orders'],
  ...['copy_groups', 'operations', 'journal', 'idempotency', 'versions', 'keys', 'codes', 'settings'],
  "orders WHERE status IN ('pending', 'resting')",
  "positions WHERE status = 'open'",
  "twap_orders WHERE status IN ('running', 'canceling')",
  "scaled_orders WHERE status = 'working'",
  "operations WHERE status = 'running'",
].map((rows) => [rows.replace(/^(\w+) WHERE.*/, 'open_$1'), rows] as const);

/** The current tables. A change needs a new version, and a step that converts the previous version. */
export const schema: Schema = {
  version: 5,
  create: () => allTables.flatMap((table) => table.create()),
  steps: [
    // A client order id is unique in each environment: version 1 had one index over both.
    [
      'DROP INDEX orders_by_client_id',
      'CREATE UNIQUE INDEX orders_by_client_id ON orders (owner, environment, client_order_id) WHERE client_order_id IS NOT NULL',
    ],
    // Rows have a checksum, a code has its session, and the state has the versions of the rules it was written under.
    [
      ...tablesOfVersion2.map((name) => `ALTER TABLE ${name} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`),
      'ALTER TABLE codes ADD COLUMN session_hash TEXT',
      'CREATE TABLE versions (\n  checksum INTEGER NOT NULL,\n  journal_from INTEGER PRIMARY KEY,\n  rules INTEGER NOT NULL,\n  catalog INTEGER NOT NULL,\n  prices INTEGER NOT NULL\n) STRICT',
      'INSERT INTO versions SELECT 0, 1, 1, 1, 1 WHERE EXISTS (SELECT 1 FROM journal)',
    ],
    // An account says when and why it failed or passed.
    [
      'ALTER TABLE accounts ADD COLUMN ended_at INTEGER',
      'ALTER TABLE accounts ADD COLUMN ended_equity INTEGER',
      'ALTER TABLE accounts ADD COLUMN ended_bound INTEGER',
    ],
    // The number of rows in each table is kept, so that a missing one is noticed.
    [
      `CREATE TABLE counts (\n  checksum INTEGER NOT NULL,\n  row INTEGER PRIMARY KEY,\n  ${countsOfVersion5
        .map(([column]) => `${column} INTEGER NOT NULL`)
        .join(',\n  ')},\n  CHECK (row = 1)\n) STRICT`,
      `INSERT INTO counts SELECT 0, 1, ${countsOfVersion5
        .map(([, rows]) => `(SELECT count(*) FROM ${rows})`)
        .join(', ')} WHERE EXISTS (SELECT 1 FROM head)`,
    ],
  ],
  finish: () => allTables.map((table) => table.stamp()),
};

/**
 * Migrates the file to the schema's version: creates the tables of an empty file, or converts an older one, each step
 * in its own transaction; any number of processes may do this at once. `onOlder` is called before the first step. A
 * newer file or another program's is refused unchanged (StoreError `newer`, `foreign`).
 */
export function migrate(
  connection: Connection,
  to: Schema = schema,
  onOlder: (version: number) => void = () => {},
): void {
  // One snapshot: another process may be creating the tables.
  let found = connection.snapshot(() => fileVersion(connection, to.version));
  // This only changes a new file; switching it needs a lock that SQLite's own wait does not cover.
  untilFree(() => connection.execute('PRAGMA journal_mode = WAL'));
  if (found === to.version) return;
  if (found > 0) onOlder(found);
  connection.define('row_checksum', (...values) => checksumOf(values));
  try {
    while (found < to.version) found = connection.transaction(() => step(connection, to));
  } catch (error) {
    // Done or not, the next process to open the file continues from there.
    throw isInDoubt(error) ? storeError('io', connection.file, error) : error;
  }
}

/** Takes the next step, unless another process already has; returns the version reached. */
function step(connection: Connection, { version, create, steps, finish = () => [] }: Schema): number {
  const current = fileVersion(connection, version);
  if (current === version) return current;
  const reached = current === 0 ? version : current + 1;
  for (const sql of current === 0 ? create() : steps[current - 1]!) connection.execute(sql);
  if (current > 0 && reached === version) for (const sql of finish()) connection.execute(sql);
  connection.execute(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${reached}`);
  return reached;
}

/**
 * The version of the file's tables, 0 when it has none yet; throws if the file is not ours or is newer than `known`.
 */
function fileVersion(connection: Connection, known: number): number {
  const [application, user] = connection
    .prepare('SELECT application_id, user_version FROM pragma_application_id, pragma_user_version')
    .row()!
    .map(Number) as [number, number];
  const { file } = connection;
  if (application === applicationId && user > known) throw writtenByNewer(file, user, known);
  if (application === applicationId && user > 0) return user;
  const empty = connection.prepare('SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)').row()![0] === 1n;
  if (application !== 0 || user !== 0 || !empty) throw storeError('foreign', file);
  return 0;
}

/** The error for a file of a newer format. */
export function writtenByNewer(file: string, version: number, known = schema.version): StoreError {
  const versions = `format ${version}; this one knows up to ${known}`;
  return new StoreError(
    'newer',
    file,
    `${file} was written by a newer perp (${versions}). Update perp, or use another state.`,
  );
}
