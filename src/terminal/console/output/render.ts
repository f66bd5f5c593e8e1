import { jsonText, wrapLines } from '../../../base/text/plain-text.ts';
import type { OutputFormat } from '../grammar/global-options.ts';
import { csvHeader, csvRow, fieldsIn } from './csv.ts';
import { renderFields } from './fields.ts';
import type { JsonFilter } from './jq.ts';
import {
  type Blocks,
  type Cell,
  fields,
  type ListResult,
  line,
  type RecordResult,
  type Result,
  shownBlocks,
  textOf,
} from './result.ts';
import type { Widths } from './table.ts';
import { type Palette, plainPalette } from './themes.ts';

/** How a result is printed. */
interface Rendering {
  format: OutputFormat;
  /** Columns of the terminal; Infinity means nothing is cut. */
  width: number;
  palette: Palette;
  write(text: string): void;
  /** Applied to JSON and to each line of NDJSON. */
  filter?: JsonFilter | undefined;
}

/** Prints a command's result. Only this module turns results into text. */
export async function render(result: Result, { filter, ...plainly }: Rendering): Promise<void> {
  const isFiltered = filter !== undefined && result.kind !== 'text';
  const rendering = isFiltered ? { ...plainly, write: (text: string) => plainly.write(filter(text)) } : plainly;
  if (result.kind === 'text') rendering.write(result.text);
  else if (result.kind === 'list') await renderList(result, rendering);
  else await renderRecord(result, rendering);
}

async function renderList(result: ListResult, { format, width, palette, write }: Rendering): Promise<void> {
  if (format === 'ndjson') {
    for await (const row of result.rows) write(`${jsonText(row)}\n`);
    return;
  }
  if (format === 'csv') {
    write(`${csvHeader(result.fields)}\n`);
    for await (const row of result.rows) write(`${csvRow(row, result.fields)}\n`);
    return;
  }
  const rows = await Array.fromAsync(result.rows);
  if (format === 'json') write(`${jsonText(rows, 2)}\n`);
  else write((await listText(result, rows, width, palette)) || `${palette({ text: result.empty, tone: 'faint' })}\n`);
  if (format === 'table' && result.after !== undefined) write(await renderBlocks(result.after, width, palette));
}

/** The list as text; empty if there is nothing to show. */
async function listText(list: ListResult, rows: readonly object[], width: number, palette: Palette): Promise<string> {
  const { blocks } = list;
  if (blocks !== undefined) {
    const own = shown(rows, () => blocks(rows as never));
    return renderBlocks(own, width, palette);
  }
  if (rows.length === 0) return '';
  const { renderTable } = await import('./table.ts');
  return `${renderTable(list.columns as never, rows, width, palette)}\n`;
}

async function renderRecord(
  { record, blocks, rows = Array.isArray(record) ? record : [record] }: RecordResult,
  { format, width, palette, write }: Rendering,
): Promise<void> {
  if (format === 'json') write(`${jsonText(record, 2)}\n`);
  else if (format === 'ndjson') write(`${jsonText(record)}\n`);
  else if (format === 'csv') {
    const objects = rows.map((row) => (typeof row === 'object' && row !== null ? row : { value: row }));
    const fields = [...new Set(objects.flatMap(fieldsIn))];
    for (const text of [csvHeader(fields), ...objects.map((row) => csvRow(row, fields))]) write(`${text}\n`);
  } else write(await renderBlocks(shown(record, blocks), width, palette));
}

/** The blocks of a record; if its view throws on unexpected data, the fields as received. */
function shown(record: unknown, blocks: () => Blocks): Blocks {
  try {
    return blocks();
  } catch {
    const rows = Array.isArray(record) ? record : [record];
    const title = line({ text: 'The answer does not match the API; shown as received:', tone: 'warn' });
    return [title, ...rows.map((row) => fields(...Object.entries(Object(row)).map(asField)))];
  }
}

function asField([name, value]: [string, unknown]): readonly [string, string] {
  return [name, typeof value === 'string' ? value : jsonText(value)];
}

/** A line; a sentence that is too long for the terminal is wrapped between words. */
function lineText(cells: readonly Cell[], palette: Palette, width: number): string {
  const [only, ...more] = cells;
  if (only === undefined || more.length > 0 || textOf(only).length <= width) return cells.map(palette).join('');
  const parts = wrapLines(textOf(only), width).split('\n');
  return parts.map((text) => palette(typeof only === 'object' ? { ...only, text } : text)).join('\n');
}

/** Renders blocks as text, one line or more each. Pass `had` to keep column widths stable between redraws. */
export async function renderBlocks(
  blocks: Blocks,
  width: number,
  palette: Palette = plainPalette,
  had?: Widths,
): Promise<string> {
  const texts: string[] = [];
  for (const block of shownBlocks(blocks)) {
    if (block.kind === 'blank') texts.push('');
    else if (block.kind === 'line') texts.push(lineText(block.cells, palette, width));
    else if (block.kind === 'fields') texts.push(renderFields(block.fields, palette, width));
    else {
      const { renderTable } = await import('./table.ts');
      texts.push(renderTable(block.columns, block.rows, width, palette, had));
    }
  }
  return texts.map((text) => `${text}\n`).join('');
}
