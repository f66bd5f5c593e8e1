import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
import { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, messageOf, quoted, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { readDecimal } from '../tape/level-text.ts';
import { type Cell, type Column, columnsOf, type ExportFacts, type Scales, type TableName } from './tables.ts';

/** The metadata of an export; throws a RecordingError if the folder isn't one. */
export function readFacts(folder: string): ExportFacts {
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
export async function* tableRows(folder: string, table: TableName, facts: ExportFacts): AsyncGenerator<Cell[]> {
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
