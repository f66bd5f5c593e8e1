import { closeSync, openSync, writeSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import { type Cell, type Column, columnsOf, type Scales, type TableName, type TableWriter } from './tables.ts';

const rowsPerGroup = 32_768;
/** The number of digits that every 64-bit integer holds. */
const precision = 18;

type Library = typeof import('hyparquet-writer');
type Schema = ConstructorParameters<Library['ParquetWriter']>[0]['schema'];
type SchemaElement = Schema[number];

/** Writes one table as a Parquet file, compressed with zstd, a row group at a time. */
export async function parquetTable(file: string, table: TableName, scales: Scales): Promise<TableWriter> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const columns = columnsOf(table);
  const schema: Schema = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)];
  const bytes = new ByteWriter();
  const fd = openSync(file, 'wx');
  const writer = new ParquetWriter({ writer: bytes, schema, codec: 'ZSTD', compressors: { ZSTD: compressed } });
  const buffers = columns.map((column) => bufferOf(column));
  let rows = 0;
  // The library tracks offsets itself, so its buffer may be emptied at any time.
  const flush = () => {
    const chunk = new Uint8Array(bytes.buffer, 0, bytes.index);
    for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done);
    bytes.index = 0;
  };
  const endGroup = () => {
    if (rows === 0) return;
    const columnData = columns.map(({ name, kind }, at) => ({
      name,
      data: buffers[at]!.take(rows),
      ...(isInteger(kind) ? { encoding: 'PLAIN' as const } : {}),
      // Readers skip row groups by these.
      statistics: kind === 'integer' || kind === 'micros',
    }));
    writer.write({ columnData, rowGroupSize: rowsPerGroup });
    rows = 0;
    flush();
  };
  return {
    add(row) {
      for (let at = 0; at < buffers.length; at += 1) buffers[at]!.set(rows, row[at]!);
      rows += 1;
      if (rows === rowsPerGroup) endGroup();
    },
    drained: () => Promise.resolve(),
    async end() {
      try {
        endGroup();
        for (const [at, column] of columns.entries()) Object.assign(schema[at + 1]!, meaningOf(column, scales));
        writer.finish();
        flush();
      } finally {
        closeSync(fd);
      }
    },
  };
}

function isInteger(kind: Column['kind']): boolean {
  return kind !== 'text' && kind !== 'flag';
}

/**
 * How a column is stored. While rows are written, numbers are plain integers: the library would convert each of them.
 */
function elementOf({ name, kind, isOptional }: Column): SchemaElement {
  const element = { name, repetition_type: isOptional ? ('OPTIONAL' as const) : ('REQUIRED' as const) };
  if (kind === 'text') return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  return { ...element, type: kind === 'flag' ? 'BOOLEAN' : 'INT64' };
}

/** The meaning of a column's integers, for its readers. */
function meaningOf({ kind }: Column, scales: Scales): Partial<SchemaElement> {
  if (kind === 'micros') return { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } };
  if (kind !== 'price' && kind !== 'size') return {};
  const scale = scales[kind];
  return { converted_type: 'DECIMAL', scale, precision, logical_type: { type: 'DECIMAL', scale, precision } };
}

/** The cells of a column until its row group is written. */
function bufferOf({ kind, isOptional }: Column) {
  if (!isInteger(kind)) {
    const cells = new Array<Cell>(rowsPerGroup);
    return {
      set(at: number, cell: Cell) {
        cells[at] = cell;
      },
      take: (rows: number) => cells.slice(0, rows),
    };
  }
  const integers = new BigInt64Array(rowsPerGroup);
  // Written in halves: creating a bigint for each value would take most of the time.
  const halves = new Int32Array(integers.buffer);
  const empty = new Set<number>();
  return {
    set(at: number, cell: Cell) {
      if (cell === null) empty.add(at);
      const value = cell === null ? 0 : (cell as number);
      halves[2 * at] = value % 2 ** 32;
      halves[2 * at + 1] = Math.floor(value / 2 ** 32);
    },
    take(rows: number) {
      if (!isOptional) return integers.subarray(0, rows);
      const taken = Array.from(integers.subarray(0, rows), (value, at) => (empty.has(at) ? null : value));
      empty.clear();
      return taken;
    },
  };
}

function compressed(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}
