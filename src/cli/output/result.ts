import type { ExitCode } from '../failure/exit-codes.ts';

import { plain } from '../text/plain-text.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'strong' | 'faint' | 'term';

/** A piece of text and how it looks; whatever it says is made safe when it is printed. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** The text of a cell, made safe; a host may have sent anything in place of a text. */
export function textOf(cell: Cell): string {
  const text: unknown = typeof cell === 'object' && cell !== null ? cell.text : cell;
  return text === undefined || text === null ? '' : plain(text as string);
}

/** A column of a list. The lowest `keep` goes first when the terminal is narrow; absent: it always stays. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => Cell;
  readonly align?: 'right';
  readonly keep?: number;
}

/** A part of what a person sees. */
export type Block =
  | { readonly kind: 'line'; readonly cells: readonly Cell[] }
  | { readonly kind: 'fields'; readonly fields: readonly (readonly [label: string, value: Cell])[] }
  | { readonly kind: 'table'; readonly columns: readonly Column<unknown>[]; readonly rows: readonly unknown[] }
  | { readonly kind: 'blank' };

/** Many records: a JSON array, NDJSON lines, CSV rows or a table. */
export interface ListResult {
  readonly kind: 'list';
  readonly rows: readonly object[] | AsyncIterable<object>;
  /** Wire names of a record's fields: the CSV's columns. */
  readonly fields: readonly string[];
  readonly columns: readonly Column<never>[];
  /** What a person reads when there are none. */
  readonly empty: string;
  /** What a person reads in place of the table. */
  readonly blocks?: (rows: readonly never[]) => readonly Block[];
  readonly exit?: ExitCode;
}

/** One record: the API's own resource for programs, blocks for people. */
export interface RecordResult {
  readonly kind: 'record';
  readonly record: unknown;
  readonly blocks: () => readonly Block[];
  readonly exit?: ExitCode;
}

/** Text that is the result itself, whatever the format: a completion script. */
export interface TextResult {
  readonly kind: 'text';
  readonly text: string;
  readonly exit?: ExitCode;
}

/** What a command returns: data; the renderer prints it. */
export type Result = ListResult | RecordResult | TextResult;

/** A list of records with its table. */
export function listOf<Row extends object>(
  rows: readonly Row[] | AsyncIterable<Row>,
  view: { fields: readonly string[]; columns: readonly Column<Row>[]; empty: string },
): ListResult {
  return { kind: 'list', rows, ...view };
}

/** A record with its blocks. */
export function recordOf(record: unknown, blocks: () => readonly Block[], exit?: ExitCode): RecordResult {
  return exit === undefined ? { kind: 'record', record, blocks } : { kind: 'record', record, blocks, exit };
}

/** A line of text. */
export function line(...cells: Cell[]): Block {
  return { kind: 'line', cells };
}

/** Labels and values, one pair a line; pairs without a value are left out. */
export function fields(...pairs: (readonly [string, Cell | undefined] | undefined)[]): Block {
  const present = pairs.filter((pair): pair is readonly [string, Cell] => (pair?.[1] ?? undefined) !== undefined);
  return { kind: 'fields', fields: present };
}

/** A table among other blocks. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Block {
  return { kind: 'table', rows, columns: columns as readonly Column<unknown>[] };
}

export const blank: Block = { kind: 'blank' };
