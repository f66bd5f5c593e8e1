import type { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import type { Tally } from '../tape/venue-events.ts';

/** Columns of a publisher's CSV file; none of them quotes its cells. */
export interface Columns<Name extends string> {
  /** Those that are read. */
  readonly names: readonly Name[];
  /** The columns that the publisher describes, in order; files without a header have these. */
  readonly known: readonly string[];
}

/** Columns by those that are read, and all that the publisher describes, separated by commas. */
export function columnsOf<Name extends string>(names: readonly Name[], known: string = names.join()): Columns<Name> {
  return { names, known: known.split(',') };
}

/** The names in a header, without the second language of bilingual ones (`price/...`). */
export const headerOf = (line: string): string[] => line.split(',').map((name) => name.split('/')[0]!.trim());

/** Whether a header has these columns. */
export function hasColumns(header: string | undefined, names: readonly string[]): boolean {
  const found = headerOf(header ?? '');
  return names.every((name) => found.includes(name));
}

/**
 * The cells of each row that are read, by column. A missing column is a LineProblem that names it, and so
 * is a row of another length; columns beyond those known are counted once.
 */
export async function* rowsOf<Name extends string>(
  file: LineFile,
  { names, known }: Columns<Name>,
  tally: Tally,
): AsyncGenerator<Record<Name, string>> {
  let places: readonly (readonly [Name, number])[] | null = null;
  let [count, first] = [0, ''];
  for await (const line of file.lines()) {
    const cells = line.split(',');
    if (places === null) {
      const isHeader = /^[a-z_]+[/,]/i.test(line);
      const header = isHeader ? headerOf(line) : known;
      count = header.length;
      places = names.map((name) => [name, header.indexOf(name)] as const);
      const missing = places.find(([, place]) => place < 0);
      if (missing !== undefined) throw new LineProblem(`there is no column ${missing[0]}`);
      tally.add('unknown columns', header.filter((name) => !known.includes(name)).length);
      if (isHeader) {
        first = line;
        continue;
      }
    }
    // Files put together repeat it.
    if (line === first) continue;
    if (cells.length !== count) throw new LineProblem(`has ${cells.length} columns, not ${count}`);
    const row = {} as Record<Name, string>;
    for (const [name, place] of places) row[name] = cells[place]!;
    yield row;
  }
}

/** A time as Unix ms, from a cell that holds whole milliseconds. */
export function millisecondsOf(cell: string, column: string): number {
  if (!/^\d{1,16}$/.test(cell)) throw new LineProblem(`${column} is not in milliseconds: ${quoted(cell)}`);
  return Number(cell);
}

/** Whether a cell says true or false, in any case. */
export function truthOf(cell: string, column: string): boolean {
  const word = cell.toLowerCase();
  if (word !== 'true' && word !== 'false')
    throw new LineProblem(`${column} must be true or false, not ${quoted(cell)}`);
  return word === 'true';
}
