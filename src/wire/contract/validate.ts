import { isJsonObject } from '../../base/terms/json-object.ts';
import type { ValidationIssue } from './errors.ts';
import { nearest } from './nearest.ts';
import type { Read, Schema, Sent } from './schema.ts';

/** The largest absolute value of a number on the wire. As Unix milliseconds it is the year 33658. */
export const largestNumber = 1e15;

/** Enough to fix any request; a body full of mistakes must not get megabytes of issues in answer. */
const maxIssues = 1000;

/**
 * Every field of `value` that its schema does not allow, by wire name (`operations[2].price`); empty if it is valid.
 * `at` is the name of the value itself, `body` if it has none. An `undefined` property counts as absent, as in JSON.
 */
export function validate(schema: Schema, value: unknown, at = ''): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  collectIssues(issues, schema, value, at);
  return issues;
}

/** The value with the defaults of its absent properties filled in; the value must be valid. */
export function withDefaults<S extends Schema>(schema: S, value: Sent<S>): Read<S> {
  const filled: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const [name, fallback] of defaultsOf(schema)) if (filled[name] === undefined) filled[name] = fallback;
  return filled as Read<S>;
}

const knownDefaults = new WeakMap<Schema, (readonly [name: string, value: unknown])[]>();

function defaultsOf(schema: Schema): readonly (readonly [name: string, value: unknown])[] {
  let defaults = knownDefaults.get(schema);
  if (defaults === undefined) {
    defaults = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      property.default === undefined ? [] : [[name, property.default] as const],
    );
    knownDefaults.set(schema, defaults);
  }
  return defaults;
}

/** Adds the issues of one value; each of these functions stops as soon as there are enough. */
function collectIssues(issues: ValidationIssue[], schema: Schema, value: unknown, at: string): void {
  if (issues.length >= maxIssues) return;
  if (schema.oneOf) {
    collectUnionIssues(issues, schema.oneOf, value, at);
    return;
  }
  const issue = valueIssue(schema, value);
  if (issue !== null) issues.push({ field: at === '' ? 'body' : at, issue });
  if (Array.isArray(value)) collectItemIssues(issues, schema, value, at);
  else if (isJsonObject(value)) collectPropertyIssues(issues, schema, value, at);
}

function collectItemIssues(issues: ValidationIssue[], { items }: Schema, values: readonly unknown[], at: string): void {
  if (items === undefined) return;
  for (let index = 0; index < values.length && issues.length < maxIssues; index++)
    collectIssues(issues, items, values[index], `${at}[${index}]`);
}

function collectPropertyIssues(
  issues: ValidationIssue[],
  schema: Schema,
  value: Record<string, unknown>,
  at: string,
): void {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  for (const name of required) {
    if (propertyOf(value, name) === undefined) issues.push({ field: fieldName(at, name), issue: 'is required' });
  }
  for (const name of Object.keys(value)) {
    if (issues.length >= maxIssues) return;
    const property = value[name];
    if (property === undefined) continue;
    const field = fieldName(at, name);
    const known = Object.hasOwn(properties, name) ? properties[name]! : additionalProperties;
    if (typeof known === 'object') collectIssues(issues, known, property, field);
    else if (!known) issues.push({ field, issue: `is not a known field${suggestion(fieldMeant(name, properties))}` });
  }
  if (schema.if && schema.then && validate(schema.if, value).length === 0)
    collectIssues(issues, schema.then, value, at);
}

/** A union of objects is validated by the branch that its literal property selects, any other by the value's type. */
function collectUnionIssues(issues: ValidationIssue[], branches: readonly Schema[], value: unknown, at: string): void {
  const key = discriminator(branches);
  if (key === null || !isJsonObject(value)) {
    const branch = branches.find(({ type }) => type !== undefined && hasType(type, value));
    if (branch) collectIssues(issues, branch, value, at);
    else
      issues.push({
        field: at === '' ? 'body' : at,
        issue: `must be ${typeNames([...new Set(branches.flatMap(({ type = [] }) => type))])}`,
      });
    return;
  }
  const selected = propertyOf(value, key);
  const branch = branches.find(({ properties }) => properties?.[key]?.const === selected);
  if (branch) collectIssues(issues, branch, value, at);
  else {
    const kinds = branches.map(({ properties }) => String(properties?.[key]?.const));
    const issue = selected === undefined ? 'is required' : choiceIssue(kinds, selected);
    issues.push({ field: fieldName(at, key), issue });
  }
}

/** The issue of the value itself, not of its contents. */
function valueIssue(schema: Schema, value: unknown): string | null {
  if (schema.type && !hasType(schema.type, value)) return `must be ${typeNames(schema.type)}`;
  if (schema.const !== undefined && value !== schema.const) return `must be ${schema.const}`;
  if (typeof value === 'string') return textIssue(schema, value);
  if (typeof value === 'number') return numberIssue(schema, value);
  if (Array.isArray(value)) return lengthIssue(schema, value.length);
  return schema.minProperties !== undefined && isJsonObject(value) ? emptyIssue(schema, value) : null;
}

/**
 * Text is Unicode without control characters. The contract only bounds lengths, but a lone surrogate would not survive
 * UTF-8, and an id with an escape sequence in it could not be typed or safely shown.
 */
function textIssue(schema: Schema, value: string): string | null {
  if (schema.enum && !schema.enum.includes(value)) return choiceIssue(schema.enum, value);
  if (value.length < (schema.minLength ?? 0)) return 'must not be empty';
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  if (value.length > maxLength && isLonger(value, maxLength)) return `must have at most ${schema.maxLength} characters`;
  if (!value.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates';
  return /\p{Cc}/u.test(value) ? 'must not contain control characters' : null;
}

/** Length in characters, as JSON Schema counts, not in UTF-16 units. */
function isLonger(value: string, length: number): boolean {
  return value.length > 2 * length || [...value].length > length;
}

function numberIssue({ type, minimum, maximum, exclusiveMinimum }: Schema, value: number): string | null {
  if (!Number.isFinite(value)) return 'must be a finite number';
  if (Math.abs(value) > largestNumber) return `must be between ${-largestNumber} and ${largestNumber}`;
  if (type === 'integer' && !Number.isInteger(value)) return 'must be an integer';
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `must be greater than ${exclusiveMinimum}`;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  return null;
}

function lengthIssue({ minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema, length: number): string | null {
  if (length < minItems) return `must have at least ${counted(minItems)}`;
  return length > maxItems ? `must have at most ${counted(maxItems)}` : null;
}

function emptyIssue({ minProperties = 0, properties = {} }: Schema, value: Record<string, unknown>): string | null {
  const count = Object.values(value).filter((property) => property !== undefined).length;
  return count < minProperties ? `must have at least one of ${Object.keys(properties).join(', ')}` : null;
}

function choiceIssue(words: readonly string[], value: unknown): string {
  const choices = words.length === 1 ? words[0] : `one of ${words.join(', ')}`;
  return `must be ${choices}${typeof value === 'string' ? suggestion(nearest(value, words)) : ''}`;
}

/** The field that a wrong name may mean: `size` means `size_base` where there is one. */
function fieldMeant(name: string, properties: object): string | undefined {
  const names = Object.keys(properties);
  return names.find((known) => known.startsWith(`${name}_`)) ?? nearest(name, names);
}

function suggestion(guess: string | undefined): string {
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

const spokenTypes = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
} as const;

function typeNames(type: NonNullable<Schema['type']>): string {
  return typeof type === 'string' ? spokenTypes[type] : type.map((one) => spokenTypes[one]).join(' or ');
}

function hasType(type: NonNullable<Schema['type']>, value: unknown): boolean {
  if (typeof type !== 'string') return type.some((one) => hasType(one, value));
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return typeof value === (type === 'integer' ? 'number' : type);
}

/** The property that is a literal in every branch. */
function discriminator(branches: readonly Schema[]): string | null {
  const candidates = Object.entries(branches[0]?.properties ?? {}).filter(
    ([, { const: fixed }]) => fixed !== undefined,
  );
  const shared = candidates.find(([name]) =>
    branches.every((branch) => branch.properties?.[name]?.const !== undefined),
  );
  return shared?.[0] ?? null;
}

/** An unknown field is named as it was sent; a very long name is truncated. */
function fieldName(at: string, name: string): string {
  const shown = name.length > 128 ? `${name.slice(0, 128)}...` : name;
  return at === '' ? shown : `${at}.${shown}`;
}

function propertyOf(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function counted(items: number): string {
  return items === 1 ? '1 item' : `${items} items`;
}
