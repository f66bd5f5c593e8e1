import { createHash } from 'node:crypto';
import { checkPlace, type Destination, type WritingOptions, writeRecording } from '../import/write-recording.ts';
import { decimalText } from '../live/level-text.ts';
import { lineOf } from '../live/tape-lines.ts';
import { RecordingError } from '../recorded/recording-error.ts';
import { readFacts, tableRows } from './read-tables.ts';
import type { Cell, ExportFacts } from './tables.ts';

/** What an imported export contains. */
export interface RestoredTape {
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
  options: WritingOptions & { dryRun?: boolean },
): Promise<RestoredTape> {
  const facts = readFacts(folder);
  await checkPlace([], out, options.replaces === true);
  const restored: RestoredTape = { markets: [], firstTime: null, lastTime: null, lines: 0 };
  const lines = restoredLines(folder, facts, restored);
  if (options.dryRun === true) for await (const _ of lines);
  else await writeRecording(out, lines, options);
  return restored;
}

async function* restoredLines(folder: string, facts: ExportFacts, restored: RestoredTape): AsyncGenerator<string> {
  const books = new Rows(tableRows(folder, 'books', facts));
  const trades = new Rows(tableRows(folder, 'trades', facts));
  const markets = new Map(facts.markets.map((market) => [(market as { market_id: string }).market_id, market]));
  const hash = createHash('sha256');
  const named = new Set<string>();
  let last = 0;
  for await (const row of tableRows(folder, 'lines', facts)) {
    const [line, at, marketId, kind] = row as [number, number, string, string];
    const [exchange, received, details] = row.slice(4);
    const time = at / 1_000;
    if (!Number.isInteger(time) || time < last)
      throw new RecordingError(folder, null, `line ${line} is not in the order of time`);
    last = time;
    let text = '';
    if (!named.has(marketId)) {
      if (!markets.has(marketId)) throw new RecordingError(folder, null, `export.json has no market ${marketId}`);
      named.add(marketId);
      restored.markets.push(marketId);
      text = lineOf(time, `,"market":${JSON.stringify(markets.get(marketId))}}`);
    }
    const times =
      (exchange === null ? '' : `,"exchange_us":${exchange}`) + (received === null ? '' : `,"received_us":${received}`);
    const fields =
      kind === 'trade'
        ? tradeFields(await trades.of(line), facts)
        : kind === 'book' || kind === 'delta'
          ? bookFields(await books.of(line), kind === 'book', facts)
          : String(details).slice(1, -1);
    if (fields === undefined) throw new RecordingError(folder, null, `trades has no row for line ${line}`);
    text += lineOf(time, `,"market_id":${JSON.stringify(marketId)},${fields}${times}}`);
    hash.update(text);
    restored.firstTime ??= time;
    restored.lastTime = time;
    restored.lines += 1;
    yield text;
  }
  yield lineOf(last, `,"tape":{"sha256":"${hash.digest('hex')}"}}`);
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

function tradeFields([row]: readonly Cell[][], facts: ExportFacts): string | undefined {
  if (row === undefined) return undefined;
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

/** The rows of a table, read along with the lines that they belong to. */
class Rows {
  private readonly rows: AsyncGenerator<Cell[]>;
  private next: Cell[] | undefined;
  private isAtEnd = false;

  constructor(rows: AsyncGenerator<Cell[]>) {
    this.rows = rows;
  }

  /** The rows of this line; call with growing numbers. */
  async of(line: number): Promise<Cell[][]> {
    const found: Cell[][] = [];
    while (!this.isAtEnd) {
      if (this.next === undefined) {
        const { value, done } = await this.rows.next();
        this.isAtEnd = done === true;
        this.next = value as Cell[] | undefined;
        continue;
      }
      if ((this.next[0] as number) > line) break;
      if (this.next[0] === line) found.push(this.next);
      this.next = undefined;
    }
    return found;
  }
}
