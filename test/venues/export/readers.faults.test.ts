import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportTape } from '../../../src/venues/export/export-tape.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { drawTape } from '../live/drawn-tape.ts';

/** What the tests use of DuckDB. */
interface DuckDB {
  DuckDBInstance: { create(place: string): Promise<{ connect(): Promise<Connection> }> };
}

interface Connection {
  runAndReadAll(query: string): Promise<{ getRowsJson(): unknown[][] }>;
}

/** What the tests use of Polars. */
interface Polars {
  default: {
    String: unknown;
    readParquet(file: string): Frame;
    readCSV(file: string, options: object): Frame;
  };
}

interface Frame {
  schema: Readonly<Record<string, unknown>>;
  getColumn(name: string): Column;
}

interface Column {
  cast(type: unknown): Column;
  toArray(): string[];
}

/** A package that is too large to install with perp; skips the test without it. */
async function reader<T>(t: TestContext, name: string): Promise<T | undefined> {
  try {
    return (await import(name)) as T;
  } catch {
    t.skip(`${name} is not installed: npm install --no-save ${name}`);
    return undefined;
  }
}

/** An export in both formats, and its books as CSV has them: line, price and size, as exact text. */
async function exported(t: TestContext): Promise<{ parquet: string; csv: string }> {
  const folder = temporaryFolder(t);
  const tape = join(folder, 'day.jsonl.gz');
  await drawTape(tape, new Chance(1), { events: 400, partBytes: 10_000 });
  for (const format of ['parquet', 'csv'] as const) await exportTape(tape, join(folder, format), format);
  return { parquet: join(folder, 'parquet'), csv: join(folder, 'csv') };
}

test('DuckDB reads every table with exact decimals, times in microseconds and unknown cells empty', async (t) => {
  const duckdb = await reader<DuckDB>(t, '@duckdb/node-api');
  if (duckdb === undefined) return;
  const { parquet, csv } = await exported(t);
  const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
  const rows = async (query: string) => (await connection.runAndReadAll(query)).getRowsJson();
  const types = await rows(`select typeof(price), typeof(size), typeof(time) from '${parquet}/books.parquet' limit 1`);
  assert.deepEqual(types, [['DECIMAL(18,7)', 'DECIMAL(18,5)', 'TIMESTAMP WITH TIME ZONE']]);
  for (const [table, columns] of [
    ['books', 'line, epoch_us(time), market_id, is_snapshot, side, price, size'],
    ['trades', 'line, epoch_us(time), market_id, side, price, size, id, epoch_us(traded_at), is_late'],
    ['lines', 'line, epoch_us(time), market_id, kind, epoch_us(exchange_time), epoch_us(received_time), details'],
  ] as const) {
    const read = await rows(`select ${columns} from '${parquet}/${table}.parquet' order by all`);
    const plain = await rows(
      `select * from read_csv('${csv}/${table}.csv', all_varchar = true, nullstr = '') order by try_cast(line as bigint)`,
    );
    assert.ok(read.length > 50);
    const texts = (list: unknown[][]) => list.map((row) => row.map(String).join('|')).sort();
    assert.deepEqual(texts(read), texts(plain));
  }
});

test('Polars reads the levels with exact decimals', async (t) => {
  const polars = await reader<Polars>(t, 'nodejs-polars');
  if (polars === undefined) return;
  const { parquet, csv } = await exported(t);
  const pl = polars.default;
  const frame = pl.readParquet(join(parquet, 'books.parquet'));
  assert.match(String(frame.schema.price), /Decimal\(18,7\)/);
  const text = pl.readCSV(join(csv, 'books.csv'), { dtypes: { price: pl.String, size: pl.String } });
  for (const column of ['price', 'size']) {
    const exact = frame.getColumn(column).cast(pl.String).toArray();
    assert.deepEqual(exact, text.getColumn(column).toArray());
  }
});
