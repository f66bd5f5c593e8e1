import { jsonText, plain } from '../text/plain-text.ts';

/**
 * One CSV row (RFC 4180) of a record's fields; `computed.mark` is a field of the object in field `computed`. Other
 * nested values are JSON; text can't act as a formula.
 */
export function csvRow(record: object, fields: readonly string[]): string {
  return fields.map((field) => csvCell(valueAt(record, field))).join(',');
}

function valueAt(record: object, field: string): unknown {
  const at = (value: unknown, name: string) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return Object.hasOwn(record, field) ? at(record, field) : field.split('.').reduce(at, record as unknown);
}

/** The header row. */
export function csvHeader(fields: readonly string[]): string {
  return fields.map(csvCell).join(',');
}

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = textOf(value);
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return jsonText(value).replace(formulaStart, jsonEscaped);
  const text = plain(String(value));
  return plainNumber.test(text) ? text : text.replace(formulaStart, "$1'$2");
}

const plainNumber = /^[+-]?\d+(\.\d+)?$/;

/**
 * The start of text that a spreadsheet would treat as a formula. With a decimal comma as the locale's default, a
 * semicolon also starts a cell. Spreadsheets may skip spaces and quotes before the sign.
 */
const formulaStart = /((?:^|;)[\s"']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Escapes the sign as JSON, which leaves the string's value unchanged. */
function jsonEscaped(_: string, before: string, sign: string): string {
  return `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
