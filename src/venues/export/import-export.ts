import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
import { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, messageOf, quoted, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { decimalText, readDecimal } from '../tape/level-text.ts';
import { PartTape } from '../tape/part-tape.ts';
import { lineOf, markOf } from '../tape/tape-lines.ts';
import { type Destination, type TapeWritingOptions, writeTape } from '../tape/write-recording.ts';
import { type Cell, type Column, columnsOf, type ExportFacts, type Scales, type TableName } from './tables.ts';

/** The contents of an imported export. */
interface RestoredTape {
  markets: string[];
  firstTime: number | null;
  lastTime: number | null;
  lines: number;
}

/**
 * Writes a tape again from its exported tables: the same events, with every number at its column's scale. Throws a
 * RecordingError that names the file, and the row if it is one.
 */
export async function importExport(
  folder: string,
  out: Destination,
  options: TapeWritingOptions,
): Promise<RestoredTape> {
  const facts = readFacts(folder);
  const restored: RestoredTape = { markets: [], firstTime: null, lastTime: null, lines: 0 };
  await writeTape(out, restoredLines(folder, facts, restored), options);
  return restored;
}

async function* restoredLines(folder: string, facts: ExportFacts, restored: RestoredTape): AsyncGenerator<string> {
  const hash = createHash('sha256');
  // Anything written here can be opened again.
  const compiled = new PartTape(folder);
  let last = 0;
  try {
    for await (const { line, time, texts } of restoredEvents(folder, facts, restored)) {
      if (time < last) throw new RecordingError(folder, null, `line ${line} is not in the order of time`);
      last = time;
      for (const text of texts) {
        checkLine(compiled, text, folder, line);
        hash.update(text);
        yield text;
      }
      restored.firstTime ??= time;
      restored.lastTime = time;
      restored.lines += 1;
    }
  } finally {
    compiled.close();
  }
  if (restored.lines === 0) throw new RecordingError(folder, null, 'the export is empty: it has no lines');
  yield markOf(last, { sha256: hash.digest('hex') });
}

function checkLine(compiled: PartTape, text: string, folder: string, line: number): void {
  try {
    compiled.take(text.trimEnd());
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new RecordingError(folder, null, `line ${line} can't be on a tape: ${error.problem}`);
  }
}

/** The events of the tables, each with its line number, and its market's line before the first of a market. */
async function* restoredEvents(
  folder: string,
  facts: ExportFacts,
  restored: RestoredTape,
): AsyncGenerator<{ line: number; time: number; texts: string[] }> {
  const refuse = (problem: string) => new RecordingError(folder, null, problem);
  const books = new Rows('books', folder, facts);
  const trades = new Rows('trades', folder, facts);
  const markets = new Map(facts.markets.map((market) => [(market as { market_id: string }).market_id, market]));
  let before = 0;
  for await (const row of tableRows(folder, 'lines', facts)) {
    const [line, at, marketId, kind] = row as [number, number, string, string];
    const [exchange, received, details] = row.slice(4);
    if (line <= before) throw refuse(`lines has line ${line} after line ${before}`);
    before = line;
    const time = at / 1_000;
    const texts: string[] = [];
    if (!restored.markets.includes(marketId)) {
      if (!markets.has(marketId)) throw refuse(`export.json has no market ${quoted(marketId)}`);
      restored.markets.push(marketId);
      texts.push(lineOf(time, `,"market":${JSON.stringify(markets.get(marketId))}}`));
    }
    const named = kind === 'market' ? '' : `,"market_id":${JSON.stringify(marketId)}`;
    const times =
      (exchange === null ? '' : `,"exchange_us":${exchange}`) + (received === null ? '' : `,"received_us":${received}`);
    const printed = await trades.of(line);
    const levels = await books.of(line);
    if (kind === 'trade' && printed.length !== 1)
      throw refuse(`trades has ${printed.length === 0 ? 'no row' : `${printed.length} rows`} for line ${line}`);
    if (kind !== 'trade' && printed.length > 0) throw refuse(`trades has a row for line ${line}, which is no print`);
    const isBook = kind === 'book' || kind === 'delta';
    if (!isBook && levels.length > 0) throw refuse(`books has a row for line ${line}, which is no book`);
    if (!isBook && kind !== 'trade' && typeof details !== 'string') throw refuse(`line ${line} has no details`);
    const strange = levels.find((level) => level[4] !== 'bid' && level[4] !== 'ask');
    if (strange !== undefined) throw refuse(`books: side must be bid or ask, not ${quoted(strange[4])} (line ${line})`);
    const fields =
      kind === 'trade'
        ? tradeFields(printed[0]!, facts)
        : isBook
          ? bookFields(levels, kind === 'book', facts)
          : String(details).slice(1, -1);
    texts.push(lineOf(time, `${named},${fields}${times}}`));
    yield { line, time, texts };
  }
  for (const rows of [trades, books]) await rows.end();
}

function bookFields(rows: readonly Cell[][], isSnapshot: boolean, facts: ExportFacts): string {
  const side = (name: string) =>
    rows
      .filter((row) => row[4] === name)
      .map((row) => {
        const [price, size] = [row[5] as number, row[6] as number];
        return `["${decimalText(price, facts.price_scale)}","${decimalText(size, facts.size_scale)}"]`;
      })
      .join(',');
  const levels = `"bids":[${side('bid')}],"asks":[${side('ask')}]`;
  return isSnapshot ? `${levels},"snapshot":true` : `"delta":true,${levels}`;
}

function tradeFields(row: readonly Cell[], facts: ExportFacts): string {
  const [, , , side, price, size, id, tradedAt, isLate] = row;
  const fields = {
    price: decimalText(price as number, facts.price_scale),
    size: decimalText(size as number, facts.size_scale),
    side,
    ...(id === null ? {} : { id }),
    ...(tradedAt === null ? {} : { traded_at: (tradedAt as number) / 1_000 }),
    ...(isLate === true ? { history: true } : {}),
  };
  return `"trade":${JSON.stringify(fields)}`;
}

/** The rows of a table, read along with the lines they belong to. */
class Rows {
  private readonly table: TableName;
  private readonly folder: string;
  private readonly rows: AsyncGenerator<Cell[]>;
  private next: Cell[] | null | undefined;

  constructor(table: TableName, folder: string, facts: ExportFacts) {
    this.table = table;
    this.folder = folder;
    this.rows = tableRows(folder, table, facts);
  }

  /** The rows of this line; call with growing numbers. Throws a RecordingError for rows of lines between them. */
  async of(line: number): Promise<Cell[][]> {
    const found: Cell[][] = [];
    for (let row = await this.peek(); row !== null && Number(row[0]) <= line; row = await this.peek()) {
      if (row[0] !== line) throw this.isolated(row);
      found.push(row);
      this.next = undefined;
    }
    return found;
  }

  /** Throws a RecordingError if there are more rows. */
  async end(): Promise<void> {
    const row = await this.peek();
    if (row !== null) throw this.isolated(row);
  }

  private async peek(): Promise<Cell[] | null> {
    if (this.next === undefined) {
      const { value, done } = await this.rows.next();
      this.next = done === true ? null : (value as Cell[]);
    }
    return this.next;
  }

  private isolated([line]: Cell[]): RecordingError {
    return new RecordingError(this.folder, null, `${this.table} has a row for line ${line}, which lines does not have`);
  }
}

/** The metadata of an export; throws a RecordingError if the folder isn't one. */
function readFacts(folder: string): ExportFacts {
  const file = join(folder, 'export.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new RecordingError(folder, null, `is not an export of a tape: ${messageOf(error)}`, { cause: error });
  }
  const facts = jsonObjectIn(text) as Partial<ExportFacts> | null;
  const isScale = (scale: unknown) => Number.isInteger(scale) && Number(scale) >= 0 && Number(scale) <= 15;
  if (
    facts?.format !== 1 ||
    !['parquet', 'csv'].includes(String(facts.tables)) ||
    !isScale(facts.price_scale) ||
    !isScale(facts.size_scale) ||
    !Array.isArray(facts.markets) ||
    !facts.markets.every((market) => typeof (market as { market_id?: unknown } | null)?.market_id === 'string')
  )
    throw new RecordingError(file, null, 'does not describe an export that this version can read');
  return facts as ExportFacts;
}

/** The rows of one table of an export, in order: a cell for each column. Throws a RecordingError. */
async function* tableRows(folder: string, table: TableName, facts: ExportFacts): AsyncGenerator<Cell[]> {
  const file = join(folder, `${table}.${facts.tables}`);
  const scales = { price: facts.price_scale, size: facts.size_scale };
  let count = 0;
  for await (const row of facts.tables === 'csv' ? csvRows(file, table, scales) : parquetRows(file, table, scales)) {
    count += 1;
    yield row;
  }
  const stated = facts.rows?.[table] ?? count;
  if (count !== stated)
    throw new RecordingError(file, null, `has ${count} rows, but ${stated} were exported (export.json)`);
}

async function* parquetRows(file: string, table: TableName, scales: Scales): AsyncGenerator<Cell[]> {
  const columns = columnsOf(table);
  try {
    const { asyncBufferFromFile, parquetMetadataAsync, parquetRead } = await import('hyparquet');
    const buffer = await asyncBufferFromFile(file);
    const metadata = await parquetMetadataAsync(buffer);
    const asIs = (micros: bigint) => micros as unknown as Date;
    let rowStart = 0;
    for (const { num_rows: count } of metadata.row_groups) {
      const rowEnd = rowStart + Number(count);
      let rows: unknown[][] = [];
      await parquetRead({
        ...{ file: buffer, metadata, rowStart, rowEnd, columns: columns.map(({ name }) => name) },
        compressors: { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) },
        parsers: { timestampFromMicroseconds: asIs },
        onComplete: (read: unknown[][]) => {
          rows = read;
        },
      });
      for (const row of rows) yield row.map((cell, at) => parquetCell(cell, columns[at]!, scales));
      rowStart = rowEnd;
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(file, null, `can't be read: ${messageOf(error)}`, { cause: error });
  }
}

function parquetCell(cell: unknown, { name, kind, isOptional }: Column, scales: Scales): Cell {
  if (cell === null || cell === undefined) {
    if (!isOptional) throw new Error(`column ${name} has an empty cell`);
    return null;
  }
  if (kind === 'text') return String(cell);
  if (kind === 'flag') return cell === true;
  // The library returns decimals as doubles; the unscaled integer is the nearest one.
  return kind === 'price' || kind === 'size' ? Math.round(Number(cell) * 10 ** scales[kind]) : Number(cell);
}

async function* csvRows(file: string, table: TableName, scales: Scales): AsyncGenerator<Cell[]> {
  const columns = columnsOf(table);
  const header = columns.map(({ name }) => name).join(',');
  const source = new LineFile(file);
  for await (const line of source.lines()) {
    const refuse = (problem: string) => new RecordingError(file, source.lineNumber, problem);
    if (source.lineNumber === 1) {
      if (line !== header) throw refuse(`the columns must be ${header}`);
      continue;
    }
    const cells = csvCells(line);
    if (cells.length !== columns.length)
      throw refuse(`has ${cells.length} cells, but there are ${columns.length} columns`);
    try {
      yield cells.map((cell, at) => csvCell(cell, columns[at]!, scales));
    } catch (error) {
      if (error instanceof LineProblem) throw refuse(error.message);
      throw error;
    }
  }
}

function csvCell(cell: string, { name, kind, isOptional }: Column, scales: Scales): Cell {
  if (cell === '') {
    if (!isOptional) throw new LineProblem(`${name} is empty`);
    return null;
  }
  if (kind === 'text') return cell;
  if (kind === 'flag') {
    if (cell !== 'true' && cell !== 'false')
      throw new LineProblem(`${name} must be true or false, not ${quoted(cell)}`);
    return cell === 'true';
  }
  if (kind === 'price' || kind === 'size') return readDecimal(cell, scales[kind]);
  if (!/^\d{1,16}$/.test(cell)) throw new LineProblem(`${name} must be a whole number, not ${quoted(cell)}`);
  return Number(cell);
}

/** The cells of a line; a quoted one may contain commas, and quotes written twice. */
function csvCells(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  for (const [, quotedCell, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    cells.push(quotedCell?.replaceAll('""', '"') ?? plain ?? '');
  return cells;
}
