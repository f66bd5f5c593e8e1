/** JSON as the docs show it: as much on a line as fits, long lists cut, secrets left out. */

const width = 116;
/** What differs in every recording: credentials, codes, and ids that are drawn at random. */
const secrets = new Set(['api_key', 'code', 'next_cursor', 'stream_id', 'request_id']);
/** How many values of a list are shown: one if it fills lines, more if they are short. */
const shown = { long: 1, short: 4 };

/** A JSON value as text; each further line begins with `indent`. */
export function exampleText(value: unknown, indent = ''): string {
  const flat = flatText(value);
  if (indent.length + flat.length <= width || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? cut(value).map((item) => ('more' in item ? item.more : exampleText(item.value, inner)))
    : Object.entries(value).map(([key, item]) => {
        return `${JSON.stringify(key)}: ${exampleText(masked(key, item), inner)}`;
      });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${filled(parts, inner)}\n${indent}${close}`;
}

/** The parts in lines that are as full as possible; a part of several lines has its own. */
function filled(parts: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const [at, part] of parts.entries()) {
    const text = at < parts.length - 1 ? `${part},` : part;
    const last = lines.at(-1);
    const fits = last !== undefined && !/\n|[[{]$/.test(last + text) && last.length + 1 + text.length <= width;
    if (fits) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(`${indent}${text}`);
  }
  return lines.join('\n');
}

function flatText(value: unknown): string {
  if (Array.isArray(value))
    return `[${cut(value)
      .map((item) => ('more' in item ? item.more : flatText(item.value)))
      .join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatText(masked(key, item))}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** The first values of a list, and how many more it has. */
function cut(list: readonly unknown[]): ({ value: unknown } | { more: string })[] {
  const most = JSON.stringify(list[0] ?? null).length > width / 2 ? shown.long : shown.short;
  const first = list.slice(0, list.length === most + 1 ? most + 1 : most).map((value) => ({ value }));
  return first.length < list.length ? [...first, { more: `… ${list.length - first.length} more` }] : first;
}

function masked(key: string, value: unknown): unknown {
  if (!secrets.has(key) || typeof value !== 'string' || /^[a-z_]+$/.test(value)) return value;
  return `${/^(?:sim_[a-z]+_|st_)?/.exec(value)![0]}…`;
}
