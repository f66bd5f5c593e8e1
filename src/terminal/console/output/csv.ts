import { isJsonObject } from '../../../base/terms/json-object.ts';
import { jsonText, plain } from '../../../base/text/plain-text.ts';

/** One CSV row (RFC 4180): times are ISO 8601 in UTC, lists are JSON, and text can't act as a formula. */
export function csvRow(record: object, fields: readonly string[]): string {
  return fields.map((field) => csvCell(timed(field, valueAt(record, field)))).join(',');
}

/** The columns of a single record. */
export function fieldsIn(record: object): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    return isJsonObject(value) && Object.keys(value).length > 0
      ? fieldsIn(value).map((below) => `${name}.${below}`)
      : [name];
  });
}

/** The value of a field such as `risk.equity`. A name may itself contain a dot; then it is used whole. */
export function valueAt(record: unknown, field: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  const values = record as Record<string, unknown>;
  if (Object.hasOwn(values, field)) return values[field];
  for (const { index: dot } of field.matchAll(/\./g)) {
    const name = field.slice(0, dot);
    const value = Object.hasOwn(values, name) ? valueAt(values[name], field.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

const earliest = Date.UTC(1990, 0, 1);
const latest = 8.64e15;

/** Spreadsheets can't read Unix milliseconds. */
function timed(field: string, value: unknown): unknown {
  return typeof value === 'number' && isTime(field, value) ? new Date(value).toISOString() : value;
}

/** Whether a number in this field is a time, in Unix ms. */
export function isTime(field: string, value: number): boolean {
  return /(?:^|[_.])(?:at|time|from|to|as_of)$|Time$/.test(field) && value >= earliest && value <= latest;
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
  if (typeof value === 'number') return withoutExponent(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return jsonText(value).replace(formulaStart, jsonEscaped);
  const text = plain(String(value));
  return plainNumber.test(text) ? text : text.replace(formulaStart, "$1'$2");
}

/** The same number as JSON writes, in digits: spreadsheets and awk read `1e-8` as text. */
function withoutExponent(value: number): string {
  const [, sign = '', whole = '', part = '', power] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (power === undefined) return String(value);
  const [digits, point] = [whole + part, whole.length + Number(power)];
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
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

/** Prints records as rows of CSV as they come, below a header that is printed with the first. */
export function csvPrinter(out: (text: string) => void, fields: readonly string[]): (...rows: object[]) => void {
  let hasHeader = false;
  return (...rows) => {
    if (!hasHeader) out(`${csvHeader(fields)}\n`);
    hasHeader = true;
    for (const row of rows) out(`${csvRow(row, fields)}\n`);
  };
}
