import { isJsonObject } from '../../base/terms/json-object.ts';
import { type Operation, successSchema } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';

/** An answer's body with its numbers read, and the first field that can't be read as the number it has to be. */
export interface ReadBody {
  body: unknown;
  flaw: string | undefined;
}

/** Numbers without which a resource would be shown as something else: an order of nothing, a position at no price. */
const essential: ReadonlySet<string> = new Set(['size', 'total_size', 'entry_price', 'balance']);
/** Reads whose flaws stop nothing: what they list is not what is traded. */
const lenient: ReadonlySet<string> = new Set(['listMarkets', 'getMarket', 'getAccountTradingPolicy']);
const numeral = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Reads the numbers of a success as the contract describes them: a numeral in a string is its number, and null in place
 * of a number that has to be one, or of an object that may be absent, is absent. The rest of the body is left as received.
 */
export function readNumbers(operation: Operation, body: unknown): ReadBody {
  const schema = successSchema(operation);
  if (schema === undefined) return { body, flaw: undefined };
  const flaws: string[] = [];
  const read = readValue(schema, body, '', flaws);
  return { body: read, flaw: lenient.has(operation.id) ? undefined : flaws[0] };
}

function readValue(schema: Schema, value: unknown, at: string, flaws: string[]): unknown {
  if (takesNumbersOnly(schema)) return numberOf(schema, value, at, flaws);
  if (Array.isArray(value)) return schema.items === undefined ? value : listOf(schema.items, value, at, flaws);
  if (!isJsonObject(value)) return value;
  const branch = schema.oneOf === undefined ? schema : branchOf(schema.oneOf, value);
  return branch === undefined ? value : objectOf(branch, value, at, flaws);
}

function listOf(items: Schema, values: readonly unknown[], at: string, flaws: string[]): unknown {
  const read = values.map((value, index) => readValue(items, value, `${at}[${index}]`, flaws));
  return read.some((value, index) => value !== values[index]) ? read : values;
}

/** The same object unless a field had to be read differently. */
function objectOf(schema: Schema, value: Record<string, unknown>, at: string, flaws: string[]): unknown {
  const { properties = {}, required = [], additionalProperties } = schema;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const part = value[name];
    if (typeof own !== 'object' || isAsReceived(own, part)) continue;
    const isNone = part === null && isOptionalPart(own) && !required.includes(name);
    const read = isNone ? undefined : readValue(own, part, pathOf(at, name), flaws);
    if (read === part) continue;
    copy ??= { ...value };
    if (read === undefined) delete copy[name];
    else copy[name] = read;
  }
  for (const name of essential)
    if (value[name] === undefined && required.includes(name))
      flaws.push(`${pathOf(at, name)} must be a number, not absent`);
  return copy ?? value;
}

/** Most fields: numbers, and texts in place of texts. */
function isAsReceived(schema: Schema, value: unknown): boolean {
  if (typeof value === 'string') return !takesNumbersOnly(schema);
  return typeof value === 'number' || value === undefined;
}

function pathOf(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

/** An object or a list, such as an account's risk: null in its place is its absence. */
function isOptionalPart({ type }: Schema): boolean {
  return type === 'object' || type === 'array';
}

/** Undefined for a number that is absent. */
function numberOf({ type }: Schema, value: unknown, at: string, flaws: string[]): unknown {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && numeral.test(value.trim()) && Number.isFinite(Number(value))) return Number(value);
  if (value === null) {
    if (Array.isArray(type) && type.includes('null')) return null;
    if (!essential.has(at.slice(at.lastIndexOf('.') + 1))) return undefined;
  }
  flaws.push(`${at} must be a number, not ${shown(value)}`);
  return value;
}

function takesNumbersOnly({ type }: Schema): boolean {
  if (typeof type === 'string') return isNumeric.has(type) && type !== 'null';
  const types = type ?? [];
  return types.some((one) => one === 'number' || one === 'integer') && types.every((one) => isNumeric.has(one));
}

const isNumeric: ReadonlySet<string> = new Set(['number', 'integer', 'null']);

/** The branch of a union that an object belongs to, by its literal. */
function branchOf(branches: readonly Schema[], value: Record<string, unknown>): Schema | undefined {
  const objects = branches.filter(({ type }) => type === 'object');
  if (objects.length === 1) return objects[0];
  return objects.find(({ properties = {} }) =>
    Object.entries(properties).some(([name, { const: word }]) => word !== undefined && value[name] === word),
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
