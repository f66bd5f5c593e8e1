import fc from 'fast-check';
import type { ValidationIssue } from '../../../src/wire/contract/errors.ts';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { bodyIssues, queryIssues } from '../../../src/wire/contract/request.ts';
import type { Schema } from '../../../src/wire/contract/schema.ts';
import { anyText } from '../../any-text.ts';

type Fields = Record<string, unknown>;

/** Any value that a schema allows and JSON can express: well-formed text without control characters. */
export function anyValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(anyValue));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (typeof schema.type === 'object') return fc.oneof(...schema.type.map((type) => anyValue({ type })));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(anyValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue();
  }
}

/** Any body that an operation accepts, by its schema and the rules between its fields. */
export function anyBody(operation: Operation & { readonly body: Schema }): fc.Arbitrary<Fields> {
  return anyPart(operation.body, (body) => bodyIssues(operation, body));
}

/** Any query that an operation accepts, as typed values. */
export function anyQuery(operation: Operation & { readonly query: Schema }): fc.Arbitrary<Fields> {
  return anyPart(operation.query, (query) => queryIssues(operation, query));
}

/** The value with one change: another value somewhere, one missing or one added. It may still be valid. */
export function alteredValue(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.nat(), fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(...edges)), fc.constantFrom(...changes))
    .map(([place, stranger, change]) => {
      const paths = [...pathsOf(value)];
      return altered(value, paths[place % paths.length]!, (old) => change(old, stranger));
    });
}

/** Values at which bounds, types and texts fail. */
const edges = [
  ...[0, -1, 0.5, 1, 1.5, 20, 21, 1440, 1441, 1e15, -1e15, 1e16, 2 ** 53, 1e300],
  ...['', 'x', '1', 'cross', 'working', 'a\u0007', '\ud800', 'x'.repeat(128), 'x'.repeat(129), '😀'.repeat(128)],
  ...[true, false, null, [], {}, [[]], [{}]],
];

const changes: readonly ((old: unknown, stranger: unknown) => unknown)[] = [
  (_, stranger) => stranger,
  () => undefined,
  (old) => (Array.isArray(old) ? Array.from({ length: 21 }, () => old[0] ?? null) : old),
  (old, stranger) => {
    if (Array.isArray(old)) return [...old, stranger];
    return isFields(old) ? { ...old, surplus: stranger } : stranger;
  },
];

/** All paths within a value, including the value itself. */
function* pathsOf(value: unknown): Generator<readonly string[]> {
  yield [];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) for (const path of pathsOf(member)) yield [name, ...path];
}

/**
 * A copy in which `change` sets the value at the path. JSON has no `undefined`: a member becomes missing, an item null.
 */
function altered(value: unknown, [name, ...rest]: readonly string[], change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value) ?? null;
  if (Array.isArray(value)) return value.with(Number(name), altered(value[Number(name)], rest, change));
  const fields = { ...(value as Fields) };
  const changed = rest.length === 0 ? change(fields[name]) : altered(fields[name], rest, change);
  if (changed === undefined) delete fields[name];
  else fields[name] = changed;
  return fields;
}

/** A value with one error, and the wire name of the field that must be reported for it. */
export interface Mutant {
  readonly field: string;
  readonly value: unknown;
}

/**
 * Every way to make a valid value invalid in one place: another type, a value out of bounds, a missing field, an extra
 * field. All can be written as JSON.
 */
export function* mutantsOf(schema: Schema, value: unknown, at = ''): Generator<Mutant> {
  const branch = branchOf(schema, value);
  for (const wrong of wrongValues(schema)) yield { field: at === '' ? 'body' : at, value: wrong };
  if (Array.isArray(value)) yield* itemMutants(branch, value, at);
  else if (isFields(value)) yield* fieldMutants(branch, value, at);
}

/** Any web address. fc.webUrl() first makes a table of all characters. */
const anyUrl = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(anyText(), { maxLength: 3 }))
  .map(([scheme, domain, path]) => `${scheme}://${domain}/${path.map(encodeURIComponent).join('/')}`);

const anyName = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 1, maxLength: 8 });

function textOf({ minLength = 0, maxLength = 40, format }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return anyUrl;
  const text = anyText({ minLength, maxLength: Math.min(maxLength, 40) });
  return text.map((characters) => characters.replaceAll(/\p{Cc}/gu, '·'));
}

function numberOf({ minimum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  const lowest = minimum ?? exclusiveMinimum ?? -1e12;
  const isOpen = exclusiveMinimum !== undefined;
  const exact = fc.double({ min: lowest, max: 1e12, minExcluded: isOpen, noNaN: true });
  // JSON writes a negative zero as 0, which would change it.
  return exact.map((number) => (Object.is(number, -0) ? 0 : number));
}

function objectOf(schema: Schema, extent: 'some' | 'complete' = 'some'): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties, minProperties = 0 } = schema;
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? anyValue(additionalProperties) : fc.jsonValue();
    return fc.dictionary(anyName, values, { maxKeys: 3 });
  }
  const members = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, anyValue(property)]));
  const requiredKeys = extent === 'complete' ? Object.keys(properties) : [...required];
  return fc
    .record(members, { requiredKeys, noNullPrototype: true })
    .filter((value) => Object.keys(value).length >= minProperties)
    .filter((value) => isConditionMet(schema, value));
}

/** The contract's only condition: if a field is a given literal, another field has a minimum number of items. */
function isConditionMet({ if: when, then }: Schema, value: Fields): boolean {
  const holds = Object.entries(when?.properties ?? {}).every(([name, property]) => value[name] === property.const);
  const lengths = Object.entries(then?.properties ?? {});
  return !when || !holds || lengths.every(([name, { minItems = 0 }]) => (value[name] as unknown[]).length >= minItems);
}

type Rules = (fields: Fields) => readonly ValidationIssue[];

function anyPart(schema: Schema, rules: Rules): fc.Arbitrary<Fields> {
  const some = objectOf(schema) as fc.Arbitrary<Fields>;
  const complete = objectOf(schema, 'complete') as fc.Arbitrary<Fields>;
  return fc.tuple(some, complete).map(([fields, spare]) => settled(fields, spare, rules));
}

/** Removes what the rules between fields refuse, and adds what they require, until all of them are met. */
function settled(fields: Fields, spare: Fields, rules: Rules): Fields {
  const result = structuredClone(fields);
  for (let round = 0; round < 20; round++) {
    const [issue] = rules(result);
    if (!issue) return result;
    repair(result, issue.field, spare);
  }
  throw new Error(`the rules between fields cannot be met: ${JSON.stringify(rules(result))}`);
}

function repair(body: Fields, field: string, complete: Fields): void {
  const nested = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(field);
  if (nested) {
    const [, list, index, name] = nested;
    const item = (body[list!] as Fields[])[Number(index)]!;
    if (name === 'order_id') item[name] = `${item[name]}${index}`;
    else delete item[name!];
  } else if (field === 'body') {
    Object.assign(body, complete);
  } else if (body[field] === undefined) {
    body[field] = complete[field];
  } else {
    delete body[field];
  }
}

/** The part of a union that matches a valid value. */
function branchOf(schema: Schema, value: unknown): Schema {
  const branches = schema.oneOf ?? [schema];
  const isLiteral = (branch: Schema) =>
    Object.entries(branch.properties ?? {}).every(
      ([name, { const: fixed }]) => fixed === undefined || (isFields(value) && value[name] === fixed),
    );
  const ofItsType = branches.filter(({ type }) => type !== 'object' || isFields(value));
  return ofItsType.find((branch) => branch.type === 'object' && isLiteral(branch)) ?? branches[0]!;
}

function* itemMutants({ items = {}, maxItems }: Schema, values: readonly unknown[], at: string): Generator<Mutant> {
  for (const [index, item] of values.entries()) {
    for (const mutant of mutantsOf(items, item, `${at}[${index}]`)) {
      yield { field: mutant.field, value: values.with(index, mutant.value) };
    }
  }
  if (maxItems !== undefined && values.length > 0) {
    yield { field: at, value: Array.from({ length: maxItems + 1 }, () => values[0]) };
  }
}

function* fieldMutants(schema: Schema, value: Fields, at: string): Generator<Mutant> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const nameOf = (name: string) => (at === '' ? name : `${at}.${name}`);
  for (const [name, property] of Object.entries(properties)) {
    if (value[name] === undefined) continue;
    for (const mutant of mutantsOf(property, value[name], nameOf(name))) {
      yield { field: mutant.field, value: { ...value, [name]: mutant.value } };
    }
    const { [name]: _, ...rest } = value;
    if (required.includes(name)) yield { field: nameOf(name), value: rest };
  }
  if (additionalProperties === false) yield { field: nameOf('surplus'), value: { ...value, surplus: 1 } };
}

/** Values that no schema of this kind allows. */
function wrongValues(schema: Schema): unknown[] {
  const types = schema.oneOf ? schema.oneOf.map(({ type }) => type) : [schema.type].flat();
  const byType = { string: 'text', number: 1.5, boolean: true, array: ['item'], object: { key: 'value' }, null: null };
  const ofOtherTypes = Object.entries(byType)
    .filter(([type]) => !types.includes(type as 'string') && !(type === 'number' && types.includes('integer')))
    .map(([, wrong]) => wrong);
  if (schema.type === undefined && !schema.oneOf) return [];
  return [...ofOtherTypes, ...beyondBounds(schema)];
}

function beyondBounds(schema: Schema): unknown[] {
  const { type, minimum, maximum, exclusiveMinimum, minLength = 0, maxLength, minProperties = 0 } = schema;
  if (schema.enum || schema.const !== undefined)
    return typeof schema.const === 'boolean' ? [!schema.const] : ['nonsense'];
  const wrong: unknown[] = [];
  if (type === 'integer') wrong.push(1.5, 2 ** 53);
  if (minimum !== undefined) wrong.push(minimum - 1);
  if (maximum !== undefined) wrong.push(maximum + 1);
  if (exclusiveMinimum !== undefined) wrong.push(exclusiveMinimum, exclusiveMinimum - 1);
  if (type === 'string') wrong.push('bell \u0007', 'escape \u001b[31m', 'half \ud800');
  if (minLength > 0) wrong.push('');
  if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1));
  if (minProperties > 0) wrong.push({});
  return wrong;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
