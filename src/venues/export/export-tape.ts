import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { moveFile } from '../../base/system/system.ts';
import { lotDecimalsOf } from '../../exchange/engine/book/price-grid.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { LineProblem, messageOf, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { decimalText, Levels, readDecimal, readLevels } from '../tape/level-text.ts';
import { type ReadLine, readLineOf } from '../tape/summary.ts';
import { definitionsOf, summariesOf } from '../tape/tape-source.ts';
import { levelTexts, type Selection, sliceText, tapeText } from '../tape/tape-text.ts';
import { draftOf, type WritingOptions } from '../tape/write-recording.ts';
import { parquetTable } from './parquet.ts';
import {
  type Cell,
  type Column,
  columnsOf,
  type ExportFacts,
  type Scales,
  scalesOf,
  type TableName,
  type TableWriter,
  tables,
} from './tables.ts';

/** The exported data: its rows by table, and their first and last time. */
export type ExportReport = Awaited<ReturnType<typeof exportTape>>;

/** How an export is written. */
export interface ExportOptions extends Pick<WritingOptions, 'draftFolder' | 'signal'> {
  /** Everything is read, but nothing is written. */
  dryRun?: boolean;
}

/** The format of exported tables. */
export type ExportFormat = ExportFacts['tables'];

const rowsBetweenDrains = 10_000;
const microsPerMs = 1_000;

/**
 * Writes a tape's events as tables into a new folder, which appears complete or not at all; the folder has a file for
 * each table and `export.json`. Prices and sizes are exact decimals. Throws a RecordingError or a TapeError.
 */
export async function exportTape(
  tape: string,
  folder: string,
  format: ExportFormat,
  selection: Selection = {},
  options: ExportOptions = {},
) {
  const place = resolve(folder);
  checkFolder(folder, place);
  const known = definitionsOf(summariesOf(tape)).filter(({ marketId }) => selection.markets?.has(marketId) !== false);
  const write = (scales: Scales) => writeTables(tape, place, scales, format, selection, options);
  try {
    return { folder, ...(await write(scalesOf(known, lotDecimalsOf))) };
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    // Some sizes are finer than the lots: those of orders from before the lots got coarser, or after they got finer.
    return { folder, ...(await write(scalesOf(known, ({ sizeDecimals }) => sizeDecimals))) };
  }
}

async function writeTables(
  tape: string,
  place: string,
  scales: Scales,
  format: ExportFormat,
  selection: Selection,
  { dryRun = false, draftFolder, signal }: ExportOptions,
): Promise<Pick<TapeTables, 'firstTime' | 'lastTime' | 'rows'>> {
  if (dryRun) {
    const { rows, firstTime, lastTime } = await tabled(idleWriters, scales, linesOf(tape, selection), signal);
    return { firstTime, lastTime, rows };
  }
  const draft = await draftOf(place, draftFolder);
  keepYoungGenerationSmall();
  await mkdir(draft).catch((error: unknown) => {
    throw new RecordingError(place, null, `can't be written: ${messageOf(error).replaceAll(draft, place)}`);
  });
  try {
    const writers = await opened(draft, format, scales);
    const { rows, firstTime, lastTime, markets } = await tabled(writers, scales, linesOf(tape, selection), signal);
    const facts: ExportFacts = {
      ...{ format: 1, tables: format, price_scale: scales.price, size_scale: scales.size, rows },
      markets: [...markets.values()],
    };
    await writeFile(join(draft, 'export.json'), `${JSON.stringify(facts, null, 1)}\n`);
    moveFile(draft, place);
    return { firstTime, lastTime, rows };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Every row is short-lived: in an ever larger young generation, they would take a hundred megabytes more. */
function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Checks that the folder can be made, before a large tape is read; `place` is its full name. */
function checkFolder(folder: string, place: string): void {
  const refuse = (problem: string) => {
    throw new RecordingError(folder, null, `can't be written: ${problem}`);
  };
  if (existsSync(place)) refuse('it exists; name a new folder');
  if (!existsSync(dirname(place))) refuse(`there is no folder ${dirname(folder)}; create it first`);
}

/** Reads the tape, and writes its rows. */
async function tabled(
  writers: Readonly<Record<TableName, TableWriter>>,
  scales: Scales,
  lines: AsyncIterable<Pick<ReadLine, 'time' | 'content'>>,
  signal: AbortSignal | undefined,
): Promise<TapeTables> {
  const tables = new TapeTables(scales, writers);
  try {
    for await (const line of lines) {
      signal?.throwIfAborted();
      tables.take(line);
      if (tables.isDrainDue) for (const writer of Object.values(writers)) await writer.drained();
    }
  } finally {
    await Promise.all(Object.values(writers).map((writer) => writer.end()));
  }
  return tables;
}

/** The lines to export: with a start, the state at that time comes first. */
async function* linesOf(tape: string, selection: Selection): AsyncGenerator<Pick<ReadLine, 'time' | 'content'>> {
  if (selection.from === undefined) {
    for await (const line of tapeText(tape, selection)) if (!line.isState) yield line;
  } else for await (const text of sliceText(tape, selection)) yield readLineOf(text)!;
}

async function opened(folder: string, format: ExportFormat, scales: Scales): Promise<Record<TableName, TableWriter>> {
  const open = (table: TableName) => {
    const file = join(folder, `${table}.${format}`);
    return format === 'csv' ? csvTable(file, table, scales) : parquetTable(file, table, scales);
  };
  const names = Object.keys(tables) as TableName[];
  const writers = await Promise.all(names.map(async (name) => [name, await open(name)] as const));
  return Object.fromEntries(writers) as Record<TableName, TableWriter>;
}

const idleWriter: TableWriter = { add() {}, drained: () => Promise.resolve(), end: () => Promise.resolve() };
/** For a dry run. */
const idleWriters = { lines: idleWriter, books: idleWriter, trades: idleWriter };

/** The time fields of a line, which have their own columns. */
const timeFields = /,"(exchange|received)_us":(\d+)/g;

/** Turns a tape's lines into rows. */
class TapeTables {
  readonly rows: Record<TableName, number> = { lines: 0, books: 0, trades: 0 };
  /** The markets' lines, by id. */
  readonly markets = new Map<string, unknown>();
  firstTime: Ms | null = null;
  lastTime: Ms | null = null;
  private readonly scales: Scales;
  private readonly writers: Readonly<Record<TableName, TableWriter>>;
  private readonly marketTexts = new Map<string, string>();
  private readonly levels = new Levels();
  private undrained = 0;

  constructor(scales: Scales, writers: Readonly<Record<TableName, TableWriter>>) {
    this.scales = scales;
    this.writers = writers;
  }

  /** Whether to wait for the writers; true once after this many rows. */
  get isDrainDue(): boolean {
    if (this.undrained < rowsBetweenDrains) return false;
    this.undrained = 0;
    return true;
  }

  take({ time, content }: Pick<ReadLine, 'time' | 'content'>): void {
    if (content === null) return;
    const { kind, marketId, text } = content;
    if (kind === 'market') {
      const isFirst = !this.marketTexts.has(marketId);
      if (this.marketTexts.get(marketId) === text) return;
      this.marketTexts.set(marketId, text);
      if (isFirst) this.markets.set(marketId, (JSON.parse(`{"time":0${text}`) as { market: unknown }).market);
      if (isFirst) return;
    }
    this.firstTime ??= time;
    this.lastTime = time;
    const line = this.rows.lines + 1;
    const at = time * microsPerMs;
    const times: Record<string, number> = {};
    for (const [, name, us] of text.slice(text.lastIndexOf(']') + 1).matchAll(timeFields)) times[name!] = Number(us);
    const isTabled = kind === 'book' || kind === 'delta' || kind === 'trade';
    const details = isTabled ? null : detailsOf(text);
    this.add('lines', [line, at, marketId, kindName(kind), times.exchange ?? null, times.received ?? null, details]);
    if (kind === 'trade') this.print(line, at, marketId, text);
    else if (isTabled) this.book(line, at, marketId, kind === 'book', text);
  }

  private book(line: number, at: number, marketId: string, isSnapshot: boolean, text: string): void {
    const texts = levelTexts(text);
    const { price, size } = this.scales;
    for (const [side, levels] of [['bid', texts.bids] as const, ['ask', texts.asks] as const]) {
      readLevels(levels, price, size, this.levels);
      const { flat, count } = this.levels;
      // One array for all rows: they are most of an export's memory.
      const row = [line, at, marketId, isSnapshot, side, 0, 0];
      for (let n = 0; n < count; n += 1) {
        row[5] = flat[2 * n]!;
        row[6] = flat[2 * n + 1]!;
        this.add('books', row);
      }
    }
  }

  private print(line: number, at: number, marketId: string, text: string): void {
    const { trade } = JSON.parse(`{"time":0${text}`) as { trade: Print };
    const { side, price, size, id, traded_at: madeAt, history } = trade;
    const [units, lots] = [readDecimal(price, this.scales.price), readDecimal(size, this.scales.size)];
    const tradedAt = madeAt === undefined ? null : madeAt * microsPerMs;
    this.add('trades', [line, at, marketId, side, units, lots, id ?? null, tradedAt, history === true]);
  }

  private add(table: TableName, row: Parameters<TableWriter['add']>[0]): void {
    this.rows[table] += 1;
    this.undrained += 1;
    this.writers[table].add(row);
  }
}

interface Print {
  price: string;
  size: string;
  side: string;
  id?: string;
  traded_at?: Ms;
  history?: boolean;
}

function kindName(kind: string): string {
  return kind === 'gapEnd' ? 'gap_end' : kind;
}

/** The fields of a line besides its time, its market and its times. */
function detailsOf(text: string): string {
  const { market_id: _, ...details } = JSON.parse(`{"time":0${text}`) as Record<string, unknown>;
  for (const field of ['time', 'exchange_us', 'received_us']) delete details[field];
  return JSON.stringify(details);
}

const pieceLength = 2 ** 16;

/** Writes one table as CSV with a header. Times are Unix microseconds; an empty cell is unknown. */
export function csvTable(file: string, table: TableName, scales: Scales): TableWriter {
  const columns = columnsOf(table);
  const out = createWriteStream(file, { flags: 'wx' });
  let failure: Error | undefined;
  out.on('error', (error) => {
    failure = error;
  });
  let wake = () => {};
  for (const event of ['drain', 'close']) out.on(event, () => wake());
  let text = `${columns.map(({ name }) => name).join(',')}\n`;
  const flush = () => {
    out.write(text);
    text = '';
  };
  return {
    add(row) {
      for (let at = 0; at < columns.length; at += 1)
        text += (at === 0 ? '' : ',') + cellText(row[at]!, columns[at]!, scales);
      text += '\n';
      if (text.length >= pieceLength) flush();
    },
    async drained() {
      if (failure !== undefined) throw failure;
      if (!out.writableNeedDrain || out.closed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    async end() {
      if (failure !== undefined) throw failure;
      flush();
      out.end();
      await finished(out);
    },
  };
}

function cellText(cell: Cell, { kind }: Column, scales: Scales): string {
  if (cell === null) return '';
  if (kind === 'price' || kind === 'size') return decimalText(cell as number, scales[kind]);
  const text = String(cell);
  return kind === 'text' && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
