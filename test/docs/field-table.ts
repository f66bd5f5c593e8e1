import type { ObjectSchema, Schema } from '../../src/wire/contract/schema.ts';

/** The first two cells of a row of a field table: `risk.equity`, and `number or null`. */
export type FieldRow = readonly [name: string, type: string];

/** Schemas with their own table, and how a type refers to it: `[Order](#25-order)`. */
export type Named = ReadonlyMap<Schema, string>;

/**
 * The rows that the table of an object's fields must have, in the schema's order. Optional fields end in `?`; the
 * fields of a nested object follow it as `risk.equity`, those of an array's objects as `rungs[].price`.
 */
export function fieldRows(schema: ObjectSchema, named: Named, prefix = ''): FieldRow[] {
  return Object.entries(schema.properties).flatMap(([field, value]) => {
    const name = `${prefix}${field}`;
    const mark = schema.required?.includes(field) ? '' : '?';
    return [[`${name}${mark}`, typeWords(value, named)] as const, ...nestedRows(value, named, name)];
  });
}

function nestedRows(schema: Schema, named: Named, name: string): FieldRow[] {
  if (named.has(schema)) return [];
  if (schema.items) return nestedRows(schema.items, named, `${name}[]`);
  if (schema.oneOf) return schema.oneOf.flatMap((each) => nestedRows(each, named, name));
  return schema.properties ? fieldRows(schema as ObjectSchema, named, `${name}.`) : [];
}

/** A schema's type as the document writes it: `number > 0`, `string, 1 to 128`, `` `buy` or `sell` ``. */
export function typeWords(schema: Schema, named: Named): string {
  const name = named.get(schema);
  if (name !== undefined) return name;
  const { default: fallback, ...rest } = schema;
  return fallback === undefined ? plainWords(rest, named) : `${plainWords(rest, named)}; default \`${fallback}\``;
}

function plainWords(schema: Schema, named: Named): string {
  if (schema.oneOf) return schema.oneOf.map((each) => typeWords(each, named)).join(' or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.enum) return listed(schema.enum);
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.items) return `array of ${typeWords(schema.items, named)}${range(schema.minItems, schema.maxItems)}`;
  if (schema.exclusiveMinimum !== undefined) return `${schema.type} > ${schema.exclusiveMinimum}`;
  const format = schema.format === undefined ? '' : `, ${schema.format.toUpperCase()}`;
  return `${schema.type}${format}${range(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum)}`;
}

function range(lowest: number | undefined, highest: number | undefined): string {
  if (lowest !== undefined && highest !== undefined) return `, ${lowest} to ${highest}`;
  if (lowest !== undefined) return ` >= ${lowest}`;
  return highest === undefined ? '' : `, at most ${highest}`;
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
