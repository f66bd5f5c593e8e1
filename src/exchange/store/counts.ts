import type { OpenState } from '../engine/commands.ts';
import { lostRow, lostRows } from './errors.ts';
import { Query, Writer } from './query.ts';
import type { StateDatabase, TransactionHooks } from './state-database.ts';
import { Table } from './table.ts';
import { isOpen, type OpenTable, openStatuses } from './tables.ts';

/** Tables whose rows are counted, which are all except the counts themselves and the head, which has one row. */
const countedTables = [
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
  'journal',
  'idempotency',
  'versions',
  'keys',
  'codes',
  'settings',
] as const;
type CountedTable = (typeof countedTables)[number];

const openTables = Object.keys(openStatuses) as OpenTable[];

/** The number of rows in every table, and of open ones, to detect accidental deletion. */
type CountsRow = { row: number } & Record<CountedTable | `open_${OpenTable}`, number>;

const numberColumns = [...countedTables, ...openTables.map((name) => `open_${name}` as const)];

/** The table with the number of records of each kind: one row. */
export const counts = new Table<CountsRow>({
  name: 'counts',
  columns: Object.fromEntries(['row', ...numberColumns].map((name) => [name, 'int'])) as Record<keyof CountsRow, 'int'>,
  key: ['row'],
  constraints: ['CHECK (row = 1)'],
});

const none = { row: 1, ...Object.fromEntries(numberColumns.map((name) => [name, 0])) } as CountsRow;

/** States with at most this many rows are counted completely when they are opened; `sim check` counts any. */
const countedAtOpen = 20_000;

/** Keeps the counts in step with what is written, in the same transaction. */
export class Counts implements TransactionHooks {
  readonly #database: StateDatabase;
  readonly #known: Query<CountsRow>;
  readonly #writer: Writer<CountsRow>;
  /** Ids of open rows; null if they must be read first. */
  #open: Record<OpenTable, Set<string>> | null = null;
  #hasOpenChanged = false;

  constructor(database: StateDatabase) {
    this.#database = database;
    this.#known = new Query(database, counts, 'WHERE row = 1');
    this.#writer = new Writer(database, counts);
    database.follow(this);
  }

  beforeCommit(gains: ReadonlyMap<string, number>): void {
    if (gains.size === 0 && !this.#hasOpenChanged) return;
    const row = { ...(this.#known.one() ?? none) };
    for (const [table, rows] of gains) if (table in none) row[table as CountedTable] += rows;
    if (this.#hasOpenChanged) for (const name of openTables) row[`open_${name}`] = this.#openRows()[name].size;
    this.#hasOpenChanged = false;
    this.#writer.put(row);
  }

  afterRollback(): void {
    this.#open = null;
  }

  /** A row was written that may be open. */
  note(table: OpenTable, { id, status }: { id: string; status: string }): void {
    const open = this.#openRows()[table];
    const before = open.size;
    const statuses: readonly string[] = openStatuses[table];
    if (statuses.includes(status)) open.add(id);
    else open.delete(id);
    if (open.size !== before) this.#hasOpenChanged = true;
  }

  /** All rows of the exchange were deleted. */
  clear(): void {
    this.#open = openRows(() => []);
    this.#hasOpenChanged = true;
  }

  /** StoreError `corrupt` if an open row, an account, a copy group or a consumed level is missing. */
  checkOpen(state: OpenState): void {
    const { orders, positions, twaps, scaled, operations } = state;
    const records = { orders, positions, twap_orders: twaps, scaled_orders: scaled, operations };
    this.#open = openRows((table) => records[table].map(({ id }) => id));
    const known = this.#known.one();
    if (known === null) {
      if (state.accounts.length > 0) throw lostRow(this.#database.file, counts.name, '1');
      return;
    }
    for (const name of openTables) this.#expect(name, known[`open_${name}`], this.#open[name].size);
    this.#expect('accounts', known.accounts, state.accounts.length);
    this.#expect('copy_groups', known.copy_groups, state.copyGroups.length);
    this.#expect('consumption', known.consumption, state.consumption.length);
  }

  /**
   * Counts all rows of a state that is small enough to do so at every start; StoreError `corrupt` if any is missing.
   */
  checkSmall(): void {
    const known = this.#known.one();
    if (known === null) return;
    let rows = 0;
    for (const name of countedTables) rows += known[name];
    if (rows > countedAtOpen) return;
    const found = this.#database.prepare(`SELECT ${countedTables.map(countOf).join(', ')}`).row()!;
    for (const [index, name] of countedTables.entries()) this.#expect(name, known[name], Number(found[index]));
  }

  #expect(table: string, known: number, found: number): void {
    if (found < known) throw lostRows(this.#database.file, table, known - found);
  }

  #openRows(): Record<OpenTable, Set<string>> {
    this.#open ??= openRows((table) => this.#idsOf(table));
    return this.#open;
  }

  #idsOf(table: OpenTable): string[] {
    return this.#database
      .prepare(`SELECT id FROM ${table} WHERE ${isOpen(table)}`)
      .rows()
      .map(([id]) => id as string);
  }
}

/** The correct counts, as SQL expressions by column: for a file that has none, and to check them. */
export function countedColumns(): [column: string, expression: string][] {
  return [
    ...countedTables.map((name): [string, string] => [name, countOf(name)]),
    ...openTables.map((name): [string, string] => [
      `open_${name}`,
      `${countOf(name).slice(0, -1)} WHERE ${isOpen(name)})`,
    ]),
  ];
}

function countOf(table: string): string {
  return `(SELECT count(*) FROM ${table})`;
}

function openRows(idsOf: (table: OpenTable) => Iterable<string>): Record<OpenTable, Set<string>> {
  return Object.fromEntries(openTables.map((table) => [table, new Set(idsOf(table))])) as Record<
    OpenTable,
    Set<string>
  >;
}
