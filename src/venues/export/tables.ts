import type { MarketDefinition } from '../../exchange/engine/model.ts';

/** How a column is stored: `micros` is a time, Unix microseconds; a decimal counts units of 10^-scale. */
type ColumnKind = 'integer' | 'micros' | 'text' | 'flag' | 'price' | 'size';

/** The columns of each table of an export, in order. `?` marks those that may be empty. */
export const tables = {
  /** One row per event: a book, changed levels, a print, a gap, or anything else on the tape. */
  lines: {
    line: 'integer',
    time: 'micros',
    market_id: 'text',
    kind: 'text',
    'exchange_time?': 'micros',
    'received_time?': 'micros',
    /** The fields of an event that no other table has, as JSON. */
    'details?': 'text',
  },
  /** One row per level: those of a full book, or changed ones; size 0 removes a level. */
  books: {
    line: 'integer',
    time: 'micros',
    market_id: 'text',
    is_snapshot: 'flag',
    side: 'text',
    price: 'price',
    size: 'size',
  },
  /** One row per print; side is the aggressor's. */
  trades: {
    line: 'integer',
    time: 'micros',
    market_id: 'text',
    side: 'text',
    price: 'price',
    size: 'size',
    'id?': 'text',
    'traded_at?': 'micros',
    is_late: 'flag',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

/** A table that a recording is exported to. */
export type TableName = keyof typeof tables;

/** A column of a table. */
export interface Column {
  name: string;
  kind: ColumnKind;
  isOptional: boolean;
}

/** The columns of a table. */
export function columnsOf(table: TableName): Column[] {
  return Object.entries<ColumnKind>(tables[table]).map(([name, kind]) => ({
    name: name.replace('?', ''),
    kind,
    isOptional: name.endsWith('?'),
  }));
}

/** One value of a row, as its column stores it. */
export type Cell = number | string | boolean | null;

/** Writes the rows of one table to a file. */
export interface TableWriter {
  /** Adds a row: one cell per column. */
  add(row: readonly Cell[]): void;
  /** Waits until the rows so far are with the operating system. */
  drained(): Promise<void>;
  end(): Promise<void>;
}

/** Decimals of an export's price and size columns: those of the finest market. */
export interface Scales {
  price: number;
  size: number;
}

/** The scales that hold every market's prices exactly, and its sizes as far as they have these decimals. */
export function scalesOf(
  definitions: readonly MarketDefinition[],
  sizeDecimals: (market: MarketDefinition) => number,
): Scales {
  return {
    price: Math.max(...definitions.map(({ priceDecimals }) => priceDecimals)),
    size: Math.max(...definitions.map(sizeDecimals)),
  };
}

/** The metadata of an export, in `export.json`. */
export interface ExportFacts {
  format: 1;
  tables: 'parquet' | 'csv';
  price_scale: number;
  size_scale: number;
  /** Rows by table. Absent if someone else made the tables: then they are not counted. */
  rows?: Record<TableName, number>;
  /** The markets' lines on the tape. */
  markets: readonly unknown[];
}
