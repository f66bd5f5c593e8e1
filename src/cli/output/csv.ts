import { jsonText, plain } from './plain-text.ts';

/** One CSV row (RFC 4180) of a record's fields; what is nested is JSON. */
export function csvRow(record: object, fields: readonly string[]): string {
  return fields.map((field) => csvCell((record as Record<string, unknown>)[field])).join(',');
}

/** The header row. */
export function csvHeader(fields: readonly string[]): string {
  return fields.map(csvCell).join(',');
}

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'object' ? jsonText(value) : plain(String(value));
  return /[",\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
