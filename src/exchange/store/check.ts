import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Posting } from '../engine/model.ts';
import { countedColumns, counts } from './counts.ts';
import { allTables } from './schema.ts';
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
export interface Examination {
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
export function examine(database: DatabaseSync): Examination {
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
