import { usageFailure } from '../../../base/failure/failure.ts';
import { dateTime, quantity } from '../../../base/text/format.ts';
import { jsonText, quoted } from '../../../base/text/plain-text.ts';
import { isTime, valueAt } from './csv.ts';
import type { Cell, Column, ListResult } from './result.ts';

/**
 * The list with only these columns, in this order: in a table, headers or fields of the records; in CSV, fields. Throws
 * a usage failure for an unknown name.
 */
export function withColumns<List extends Pick<ListResult, 'fields' | 'columns'>>(
  list: List,
  names: readonly string[],
  format: 'table' | 'csv',
): List {
  const fields = names.flatMap((name) => list.fields.find((field) => plainName(field) === plainName(name)) ?? []);
  if (format === 'csv') {
    if (fields.length < names.length) throw unknown(names, list.fields);
    return { ...list, fields };
  }
  const columns = names.flatMap((name): Column<never>[] => {
    const column = list.columns.find(({ header }) => plainName(header) === plainName(name));
    if (column !== undefined) return [kept(column)];
    const field = list.fields.find((one) => plainName(one) === plainName(name));
    return field === undefined ? [] : [columnOf(field)];
  });
  if (columns.length === names.length) return { ...list, columns };
  throw unknown(names, [
    ...list.columns.map(({ header }) => header.toLowerCase().replaceAll(' ', '-')),
    ...list.fields,
  ]);
}

/** `PART OF`, `part-of` and `part_of` are the same. */
function plainName(text: string): string {
  return text.toLowerCase().replaceAll(/[ _-]/g, '');
}

/** The column on any width of the terminal. */
function kept({ header, cell, align }: Column<never>): Column<never> {
  return { header, cell, always: true, ...(align !== undefined && { align }) };
}

function columnOf(field: string): Column<never> {
  return { header: field.toUpperCase(), always: true, cell: (record: object) => cellOf(field, valueAt(record, field)) };
}

function cellOf(field: string, value: unknown): Cell {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return isTime(field, value) ? dateTime(value) : quantity(value);
  return typeof value === 'string' ? value : jsonText(value);
}

function unknown(names: readonly string[], known: readonly string[]): Error {
  const strange = names.find((name) => known.every((one) => plainName(one) !== plainName(name)))!;
  return usageFailure(
    `There is no column ${quoted(strange)}.`,
    `Columns: ${[...new Set(known)].filter((name) => name !== '').join(', ')}.`,
  );
}
