import { plain } from '../../../base/text/plain-text.ts';
import type { Mandate } from '../../../desk/mandate/mandate.ts';
import { type Comparison, fieldNames, fields, wordsOf } from '../../../desk/mandate/terms.ts';
import { type Block, fields as pairs } from '../output/result.ts';

type Field = (typeof fieldNames)[number];

/** The terms of a mandate in words, as pairs. */
export function termsBlock(mandate: Mandate): Block {
  return pairs(
    ...fieldNames
      .filter((field) => mandate[field] !== undefined)
      .map((field): [string, string] => [fields[field].key, plain(wordsOf(field, mandate[field]))]),
  );
}

/** A mandate as JSON: with the keys of its file and values that a file accepts; `null` means no limit. */
export function termsRecord(mandate: Mandate): Record<string, unknown> {
  return Object.fromEntries(fieldNames.map((field) => [fields[field].key, writtenIn(mandate, field)]));
}

function writtenIn(mandate: Mandate, field: Field): unknown {
  const value = mandate[field];
  if (value === undefined) return null;
  const { written } = fields[field] as { written: (value: unknown) => unknown };
  return written(value);
}

/** One changed term, in a line: `loosened   largest-order   up to 1,000.00 USD -> up to 2,000.00 USD`. */
export function changeText(field: Field, change: Comparison, before: Mandate | undefined, after: Mandate): string {
  const { key } = fields[field];
  const now = plain(wordsOf(field, after[field]));
  if (before === undefined) return `new        ${key.padEnd(22)} ${now}`;
  const was = plain(wordsOf(field, before[field]));
  if (change === 'same') return `same       ${key.padEnd(22)} ${now}`;
  return `${change === 'looser' ? 'LOOSENED  ' : 'tightened '} ${key.padEnd(22)} ${was} -> ${now}`;
}
