/**
 * The parts of a Markdown document that the tests of docs/ read: headings, tables, links. Skips text inside code
 * fences.
 */
export interface Document {
  readonly headings: readonly Heading[];
  readonly tables: readonly Table[];
  /** Targets of inline links, as written. */
  readonly links: readonly string[];
}

export interface Heading {
  readonly level: number;
  /** As written, including code marks. */
  readonly text: string;
  /** The fragment of a link to it, without `#`. */
  readonly anchor: string;
}

export interface Table {
  /** The nearest heading above it. */
  readonly heading: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads a document. */
export function readMarkdown(text: string): Document {
  const lines = outsideFences(text);
  return { headings: headingsOf(lines), tables: tablesOf(lines), links: linksOf(lines) };
}

function outsideFences(text: string): string[] {
  let isFenced = false;
  return text.split('\n').filter((line) => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    return !isFenced && !isFence && !line.startsWith('    ');
  });
}

function headingsOf(lines: readonly string[]): Heading[] {
  const seen = new Map<string, number>();
  return lines.flatMap((line): Heading[] => {
    const [, marks, text] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
    if (marks === undefined || text === undefined) return [];
    const plain = anchorOf(text);
    const before = seen.get(plain) ?? 0;
    seen.set(plain, before + 1);
    return [{ level: marks.length, text, anchor: before === 0 ? plain : `${plain}-${before}` }];
  });
}

/** As GitHub generates it: lower case, spaces become hyphens, punctuation is removed. */
export function anchorOf(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function tablesOf(lines: readonly string[]): Table[] {
  const tables: { heading: string; columns: string[]; rows: string[][] }[] = [];
  let heading = '';
  for (const [at, line] of lines.entries()) {
    heading = /^#{1,6} (.+)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) continue;
    if (/^\|[\s:|-]+\|$/.test(line)) continue;
    if (/^\|[\s:|-]+\|$/.test(lines[at + 1] ?? '')) tables.push({ heading, columns: cellsOf(line), rows: [] });
    else tables.at(-1)?.rows.push(cellsOf(line));
  }
  return tables;
}

/** A pipe inside a cell is written `\|`. */
function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function linksOf(lines: readonly string[]): string[] {
  return [...lines.join('\n').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
}
