import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Posting } from '../engine/model.ts';
import { countedColumns, counts } from './counts.ts';
import { StoreError, storeError, translated } from './errors.ts';
import { emptiedFile } from './new-file.ts';
import { assertRegularFiles } from './opened-files.ts';
import { allTables, applicationId, isOfAnotherProgram, schema, unreadable } from './schema.ts';
import { commandLog, neededSettings, versions } from './service-tables.ts';
import { accounts, ledger, positions } from './tables.ts';

/** One fault: its table and row, and the problem. */
export interface Fault {
  table: string;
  /** The row's key; null for the whole table. */
  row: string | null;
  what: string;
}

/** The result of checking everything in a state. */
interface Examination {
  rows: number;
  /** At most `maxFaults`. */
  faults: Fault[];
  log: LogFindings;
}

/** The commands of a command log, and what prevents replaying them. */
interface LogFindings {
  commands: number;
  /** As the end of a sentence: `has lost 2 rows`; null if all commands are there as written. */
  fault: string | null;
  /** The versions that it was written under, oldest first. */
  versions: readonly { rules: number; catalog: number; prices: number }[];
}

const maxFaults = 20;

/**
 * Checks every page, every row and every checksum of a database of the current format, and that related records agree:
 * each balance with its ledger, each position with its fills. Reads one snapshot, even while others write, and changes
 * nothing.
 */
function examine(database: DatabaseSync): Examination {
  database.exec('BEGIN');
  try {
    const found = new Findings(database);
    const looks = [
      () => found.pages(),
      () => found.rows(),
      () => found.counts(),
      () => found.references(),
      () => found.ledgers(),
      () => found.positions(),
      () => found.places(),
      () => found.numbers(),
    ];
    const faults = looks.flatMap((look) => withoutThrowing(look, (what) => [{ table: 'database', row: null, what }]));
    const log = withoutThrowing(
      () => found.log(),
      (what): LogFindings => ({ commands: 0, fault: `can't be read: ${what}`, versions: [] }),
    );
    return { rows: found.count, faults: faults.slice(0, maxFaults), log };
  } finally {
    database.exec('COMMIT');
  }
}

/** Unreadable data is also a fault. */
function withoutThrowing<T>(look: () => T, otherwise: (what: string) => T): T {
  try {
    return look();
  } catch (error) {
    return otherwise(error instanceof Error ? error.message : String(error));
  }
}

class Findings {
  readonly #database: DatabaseSync;
  readonly #damagedTables = new Set<string>();
  count = 0;
  #logFault: string | null = null;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  pages(): Fault[] {
    const reports = this.#all(`PRAGMA integrity_check(${maxFaults})`).flat().map(String);
    return reports.filter((text) => text !== 'ok').map((what) => ({ table: 'database', row: null, what }));
  }

  rows(): Fault[] {
    const faults: Fault[] = [];
    for (const table of allTables) {
      let damaged = 0;
      for (const row of this.#iterate(table.select(''))) {
        this.count++;
        if (table.isSound(row)) continue;
        this.#damagedTables.add(table.name);
        damaged += 1;
        if (faults.length < maxFaults)
          faults.push({ table: table.name, row: table.keyOf(row), what: 'has been altered' });
      }
      if (table === commandLog && damaged > 0) this.#logFault = `has ${rowsText(damaged)} altered`;
    }
    return faults;
  }

  /** Every table must have all its written rows. */
  counts(): Fault[] {
    const columns = countedColumns();
    const [row] = this.#all(counts.select(''));
    if (row === undefined) {
      const [[rows]] = this.#all('SELECT count(*) FROM head') as [[bigint]];
      return rows === 0n ? [] : [{ table: counts.name, row: null, what: 'is missing' }];
    }
    if (!counts.isSound(row)) return [];
    const known = counts.decode(row);
    const [found] = this.#all(`SELECT ${columns.map(([, expression]) => expression).join(', ')}`);
    return columns.flatMap(([column], index) => {
      const lost = known[column as keyof typeof known] - Number(found![index]);
      if (lost === 0) return [];
      const rows = rowsText(Math.abs(lost), column.startsWith('open_') ? 'open ' : '');
      const what = lost > 0 ? `has lost ${rows}` : `has ${rows} too many`;
      if (column === commandLog.name) this.#logFault ??= what;
      return [{ table: column.replace(/^open_/, ''), row: null, what }];
    });
  }

  references(): Fault[] {
    return this.#all('PRAGMA foreign_key_check').map(([table, row]) => ({
      table: String(table),
      row: row === null ? null : String(row),
      what: 'belongs to an account that does not exist',
    }));
  }

  /** Every posting has the balance after it, and the last one must be the account's. */
  ledgers(): Fault[] {
    const faults: Fault[] = [];
    const balances = new Map<string, bigint>();
    for (const row of this.#iterate(ledger.select('ORDER BY account_id, sequence'))) {
      const posting: Posting = ledger.decode(row);
      const balance = (balances.get(posting.accountId) ?? 0n) + posting.amount;
      if (balance !== posting.balanceAfter && faults.length < maxFaults)
        faults.push({
          table: ledger.name,
          row: ledger.keyOf(row),
          what: 'does not add up to its balance',
        });
      balances.set(posting.accountId, posting.balanceAfter);
    }
    for (const row of this.#iterate(accounts.select(''))) {
      if (!accounts.isSound(row)) continue;
      const { id, balance } = accounts.decode(row);
      if (balance !== (balances.get(id) ?? 0n))
        faults.push({ table: accounts.name, row: id, what: 'has a balance that differs from its ledger' });
    }
    return faults;
  }

  /** An account's fills in a market must add up to its position there. */
  positions(): Fault[] {
    const held = `SELECT account_id, market_id, CASE direction WHEN 'long' THEN size ELSE -size END AS lots
       FROM positions WHERE status = 'open'`;
    const filled = `SELECT account_id, market_id, CASE side WHEN 'buy' THEN -size ELSE size END AS lots
       FROM orders WHERE settle_sequence IS NOT NULL`;
    const apart = this.#all(
      `SELECT account_id, market_id, sum(lots) FROM (${held} UNION ALL ${filled}) GROUP BY 1, 2 HAVING sum(lots) <> 0`,
    );
    return apart.map(([account, market]) => ({
      table: positions.name,
      row: `${account} ${market}`,
      what: 'is not the sum of its fills',
    }));
  }

  /** Columns stored with a record to find it by. */
  places(): Fault[] {
    const apart = this.#all(
      `SELECT 'orders', orders.id FROM orders JOIN accounts ON accounts.id = account_id
       WHERE orders.environment <> accounts.environment OR orders.row <> orders.sequence
       UNION ALL SELECT 'positions', id FROM positions WHERE row <> sequence LIMIT ${maxFaults}`,
    );
    return apart.map(([table, id]) => ({
      table: String(table),
      row: String(id),
      what: 'is stored in the wrong place',
    }));
  }

  /**
   * The head must know every number issued, no settlement may occur twice, and the command log must have every number.
   */
  numbers(): Fault[] {
    const isThere = (sql: string) => this.#all(`${sql} LIMIT 1`).length > 0;
    const isAhead = (table: string, known: string) =>
      isThere(`SELECT 1 FROM ${table}, head WHERE ${table}.sequence > head.${known}`);
    const settledTwice =
      'SELECT 1 FROM orders WHERE settle_sequence IS NOT NULL GROUP BY settle_sequence HAVING count(*) > 1';
    const isSetUp = isThere('SELECT 1 FROM versions') || isThere('SELECT 1 FROM settings');
    const faults: [table: string, what: string, is: boolean][] = [
      ['head', 'is missing', isThere('SELECT 1 FROM accounts') && !isThere('SELECT 1 FROM head')],
      ['orders', 'has a number that was not issued yet', isAhead('orders', 'sequence')],
      ['positions', 'has a number that was not issued yet', isAhead('positions', 'sequence')],
      ['ledger', 'has a number that was not issued yet', isAhead('ledger', 'ledger_sequence')],
      ['orders', 'has two settlements with one number', isThere(settledTwice)],
      ['journal', 'has gaps', this.#logHasGaps()],
      ...neededSettings.map((name): [string, string, boolean] => [
        'settings',
        `has lost its ${name}`,
        isSetUp && !isThere(`SELECT 1 FROM settings WHERE name = '${name}'`),
      ]),
    ];
    return faults.filter(([, , is]) => is).map(([table, what]) => ({ table, row: null, what }));
  }

  log(): LogFindings {
    const [[commands] = [0n]] = this.#all(`SELECT count(*) FROM journal`);
    const written = this.#all(versions.select('ORDER BY journal_from'));
    const fault =
      this.#logFault ??
      (this.#logHasGaps() ? 'has gaps' : null) ??
      (this.#damagedTables.has(versions.name) || written.length === 0 ? 'no longer names its version' : null);
    return { commands: Number(commands), fault, versions: written.map((row) => versions.decode(row)) };
  }

  #logHasGaps(): boolean {
    const [row] = this.#all(`SELECT count(*), coalesce(max(sequence), 0), coalesce(min(sequence), 1) FROM journal`);
    const [count, last, first] = row!.map(Number);
    return first !== 1 || count !== last;
  }

  #all(sql: string): SQLOutputValue[][] {
    return this.#prepared(sql).all() as unknown as SQLOutputValue[][];
  }

  #iterate(sql: string): Iterable<SQLOutputValue[]> {
    return this.#prepared(sql).iterate() as unknown as Iterable<SQLOutputValue[]>;
  }

  #prepared(sql: string) {
    return this.#database.prepare(sql, { readBigInts: true, returnArrays: true });
  }
}

function rowsText(count: number, kind = ''): string {
  return `${count} ${kind}row${count === 1 ? '' : 's'}`;
}

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
