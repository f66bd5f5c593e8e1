import { type ExitCode, exitCodes, Failure } from '../../../base/failure/failure.ts';
import { dateTime, signedUsd, stretch, usd } from '../../../base/text/format.ts';
import { plain } from '../../../base/text/plain-text.ts';
import type { Schema } from '../../../wire/contract/schema.ts';

/** Spaces between two columns of a table. */
export const columnGap = 2;

/**
 * The indexes of the columns to show, or undefined when the mandatory ones don't fit. Columns that are not `filled` are
 * omitted; of the others, those with the highest `keep` are kept. `isStrict`: less important columns never stay just
 * because they are narrower.
 */
export function columnsThatFit(
  columns: readonly { readonly keep?: number }[],
  widths: readonly number[],
  filled: readonly boolean[],
  width: number,
  isStrict = false,
): number[] | undefined {
  const all = columns.map((_, at) => at).filter((at) => filled[at]);
  const shown = new Set(all.filter((at) => columns[at]!.keep === undefined));
  let left = width + columnGap - [...shown].reduce((sum, at) => sum + widths[at]! + columnGap, 0);
  if (left < 0) return undefined;
  for (const at of all
    .filter((at) => !shown.has(at))
    .sort((one, other) => columns[other]!.keep! - columns[one]!.keep!)) {
    if (widths[at]! + columnGap <= left) {
      shown.add(at);
      left -= widths[at]! + columnGap;
    } else if (isStrict) break;
  }
  return all.filter((at) => shown.has(at));
}

/** The meaning of a cell's color. `alarm` marks text that nobody may miss: it has its own background. */
export type Tone = 'good' | 'bad' | 'warn' | 'strong' | 'faint' | 'alarm';

/** Text and its style; the text is sanitized when printed. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** The sanitized text of a cell; a host may have sent anything instead of text. */
export function textOf(cell: Cell | undefined): string {
  const text: unknown = typeof cell === 'object' && cell !== null ? cell.text : cell;
  return text === undefined || text === null ? '' : plain(text as string);
}

/**
 * A column of a list. On a narrow terminal, the columns with the lowest `keep` are dropped first; columns without
 * `keep` always stay.
 */
export interface Column<Row> {
  readonly header: string;
  /** Nothing: an empty cell. */
  readonly cell: (row: Row) => Cell | null | undefined;
  readonly align?: 'right';
  readonly keep?: number;
  /** Shown even if all of its cells are empty. */
  readonly always?: true;
}

/** A part of the text output. */
export type Block =
  | { readonly kind: 'line'; readonly cells: readonly Cell[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [label: string, value: Cell])[] }
  | { readonly kind: 'table'; readonly columns: readonly Column<unknown>[]; readonly rows: readonly unknown[] }
  | { readonly kind: 'blank' };

/** Parts of the text output, one below the other; nothing is left out. */
export type Blocks = Block | null | undefined | readonly Blocks[];

/** The blocks that show something. */
export function shownBlocks(blocks: Blocks): readonly Block[] {
  if (blocks === null || blocks === undefined) return [];
  if (!('kind' in blocks)) return blocks.flatMap(shownBlocks);
  if (blocks.kind === 'fields') return blocks.fields.length === 0 ? [] : [blocks];
  return blocks.kind === 'table' && blocks.rows.length === 0 ? [] : [blocks];
}

/** Blocks below an empty line, if they show something. */
export function below(...blocks: Blocks[]): readonly Block[] {
  const shown = shownBlocks(blocks);
  return shown.length === 0 ? [] : [blank, ...shown];
}

/** Many records: a JSON array, NDJSON lines, CSV rows or a table. */
export interface ListResult {
  readonly kind: 'list';
  readonly rows: readonly object[] | AsyncIterable<object>;
  /** Wire names of a record's fields: the CSV's columns. */
  readonly fields: readonly string[];
  readonly columns: readonly Column<never>[];
  /** Shown when there are no records. */
  readonly empty: string;
  /** Shown instead of the table. */
  readonly blocks?: (rows: readonly never[]) => Blocks;
  /** Shown below the table. */
  readonly after?: Blocks;
  readonly exit?: ExitCode;
  readonly isOfWrite?: true;
}

/** One record: the API's own resource as JSON, blocks as text. */
export interface RecordResult {
  readonly kind: 'record';
  readonly record: unknown;
  readonly blocks: () => Blocks;
  readonly exit?: ExitCode;
  /** The rows of the CSV if the record is about a list; default: the record. */
  readonly rows?: readonly object[];
  /** A write was sent, and the result says where. */
  readonly isOfWrite?: true;
}

/** Text printed unchanged in every format, such as a completion script. */
interface TextResult {
  readonly kind: 'text';
  readonly text: string;
  readonly exit?: ExitCode;
}

/** The return value of a command that runs until it is stopped: done if SIGTERM asked it to end. */
export function stoppedBy({ reason }: AbortSignal): TextResult {
  const isAsked = reason instanceof Failure && reason.facts.code === 'terminated';
  return { kind: 'text', text: '', exit: isAsked ? exitCodes.done : exitCodes.interrupted };
}

/** The return value of a command. The renderer turns it into text. */
export type Result = ListResult | RecordResult | TextResult;

/** A list of records with its table. */
export function listOf<Row extends object>(
  rows: readonly Row[] | AsyncIterable<Row>,
  view: { fields: readonly string[]; columns: readonly Column<Row>[]; empty: string },
): ListResult {
  return { kind: 'list', rows, ...view };
}

/** A record with its blocks. */
export function recordOf(record: unknown, blocks: () => Blocks, exit?: ExitCode): RecordResult {
  return exit === undefined ? { kind: 'record', record, blocks } : { kind: 'record', record, blocks, exit };
}

/**
 * A result with perp's figures in `computed`, beside the API's own fields: in the record, or in each row. Its other
 * figures stay.
 */
export function withComputed<R extends RecordResult | ListResult>(result: R, figures: object): R {
  const changed = withEach(result, (row) => {
    const own = typeof row === 'object' && row !== null ? (row as { computed?: object | null }) : {};
    return { ...own, computed: { ...figures, ...own.computed, ...figures } };
  });
  if (result.kind === 'record') return changed;
  const names = Object.keys(figures).map((name) => `computed.${name}`);
  const fields = [...result.fields, ...names.filter((name) => !result.fields.includes(name))];
  return { ...changed, fields };
}

/** A result with its record, or each of its rows, changed. */
export function withEach<R extends RecordResult | ListResult>(result: R, more: (row: unknown) => unknown): R {
  if (result.kind === 'list') return { ...result, rows: mapped(result.rows, more as (row: unknown) => object) };
  const { record, rows } = result;
  return {
    ...result,
    record: Array.isArray(record) ? record.map(more) : more(record),
    ...(rows === undefined ? {} : { rows: rows.map(more) }),
  };
}

function mapped(rows: ListResult['rows'], more: (row: unknown) => object): ListResult['rows'] {
  if (Symbol.iterator in rows) return rows.map(more);
  return (async function* () {
    for await (const row of rows) yield more(row);
  })();
}

/** A line of text. */
export function line(...cells: Cell[]): Block {
  return { kind: 'line', cells };
}

/** A label and its value; without a value, it is left out. */
export type Field = readonly [label: string, value: Cell | null | undefined];

/** Labels and values, one pair per line; pairs without a value are omitted. */
export function fields(...pairs: (Field | null | undefined)[]): Block {
  const present = pairs.filter((pair): pair is readonly [string, Cell] => (pair?.[1] ?? undefined) !== undefined);
  return { kind: 'fields', fields: present };
}

/** A table among other blocks. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Block {
  return { kind: 'table', rows, columns: columns as readonly Column<unknown>[] };
}

/** An empty line between blocks. */
export const blank: Block = { kind: 'blank' };

/** The outcome of a file that a command writes. */
export function wrote(file: string, isDryRun: boolean): Block {
  return line(isDryRun ? `Dry run: ${file} would be written.` : `Wrote ${file}.`);
}

/** The choice that a dry run would make. */
export function wouldUse(name: string): Block {
  return line(`Dry run: ${name} would be put in use.`);
}

/** Below a key that was just issued. */
export const shownOnce = line({ text: 'This key is not shown again.', tone: 'warn' });

/** Below the findings of a file's dry run. */
export const nothingWritten = line({ text: 'Dry run: nothing was written.', tone: 'faint' });

/** The time that events take, or that there are none. */
export function span(first: number | null, last: number | null): string {
  return first === null || last === null
    ? 'no events'
    : `${dateTime(first)} to ${dateTime(last)} (${stretch(last - first)})`;
}

/** Buy and long are green, sell and short are red. */
export function sideCell(side: string): Cell {
  return { text: side, tone: side === 'buy' || side === 'long' ? 'good' : 'bad' };
}

/** A profit or loss with its sign. */
export function profitCell(value: number | null | undefined): Cell {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'number') return usd(value);
  if (value === 0) return '0.00';
  return { text: signedUsd(value), tone: value > 0 ? 'good' : 'bad' };
}

const statusTones: ReadonlyMap<string, Tone> = new Map(
  Object.entries<Tone>({
    active: 'good',
    passed: 'good',
    filled: 'good',
    open: 'good',
    completed: 'good',
    submitted: 'good',
    resting: 'strong',
    running: 'strong',
    working: 'strong',
    pending: 'warn',
    queued: 'warn',
    canceling: 'warn',
    rejected: 'bad',
    failed: 'bad',
    expired: 'faint',
    canceled: 'faint',
    closed: 'faint',
  }),
);

/** A status in its color. */
export function statusCell(status: string): Cell {
  const tone = statusTones.get(status);
  return tone === undefined ? status : { text: status, tone };
}

/** The columns of a resource: its fields; nested ones are named `risk.equity`. */
export function fieldsOf({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const object = [field, ...(field.oneOf ?? [])].find((schema) => schema.properties !== undefined);
    return object === undefined ? [name] : fieldsOf(object).map((below) => `${name}.${below}`);
  });
}
