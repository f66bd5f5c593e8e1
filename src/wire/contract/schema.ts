/**
 * The vocabulary of the wire: small builders that make plain, frozen JSON Schema (2020-12) values and carry the
 * TypeScript type of what they describe. One schema is the type, the validation and the documentation.
 *
 *     const Rung = object({ price: number('In quote currency.'), order_id: optional(string()) });
 *     type Rung = Sent<typeof Rung>; // { price: number; order_id?: string | undefined }
 */

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

declare const sent: unique symbol;
declare const read: unique symbol;

/** The JSON Schema keywords that the contract uses; `SentType` is what is sent, `ReadType` has defaults filled in. */
export interface Schema<SentType = unknown, ReadType = SentType> {
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly format?: 'uuid' | 'uri';
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly default?: string | number | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly oneOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  /** Types only, never values. */
  readonly [sent]?: SentType;
  readonly [read]?: ReadType;
}

/** The type of a value as sent: optional and defaulted fields may be absent (or `undefined`, which JSON drops). */
export type Sent<S> = S extends { readonly [sent]?: infer T } ? T : never;
/** The type of a value after `withDefaults`: defaulted fields are always present. */
export type Read<S> = S extends { readonly [read]?: infer T } ? T : never;

/** A property that may be absent, or that gets its schema's `default` when it is. */
export interface Absentable<S extends Schema, P extends 'optional' | 'defaulted'> {
  readonly presence: P;
  readonly schema: S;
}
type Field = Schema | Absentable<Schema, 'optional' | 'defaulted'>;
type Fields = Readonly<Record<string, Field>>;
type Flat<T> = { [K in keyof T]: T[K] };
type Absent<F, P> = F extends { readonly presence: P } ? true : false;
type SentField<F> = F extends { readonly presence: string; readonly schema: infer S } ? Sent<S> : Sent<F>;

/** The shape of an object's fields; fields of presence `P` may be absent. */
type Shape<F extends Fields, P> = Flat<
  { [K in keyof F as Absent<F[K], P> extends true ? never : K]: SentField<F[K]> } & {
    [K in keyof F as Absent<F[K], P> extends true ? K : never]?: SentField<F[K]> | undefined;
  }
>;

/** A schema of JSON objects with named properties. */
export type ObjectSchema<SentType = unknown, ReadType = SentType> = Schema<SentType, ReadType> & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
};
type ObjectOf<F extends Fields> = ObjectSchema<Shape<F, 'optional' | 'defaulted'>, Shape<F, 'optional'>>;

type Bounds<K extends keyof Schema> = Pick<Schema, K>;

/** Text. */
export function string(description?: string, bounds?: Bounds<'minLength' | 'maxLength' | 'format'>): Schema<string> {
  return make({ type: 'string' }, description, bounds);
}

/** A finite JSON number. */
export function number(description?: string, bounds?: Bounds<'minimum' | 'exclusiveMinimum'>): Schema<number> {
  return make({ type: 'number' }, description, bounds);
}

/** A number greater than zero: sizes, prices, leverage. */
export function positive(description?: string): Schema<number> {
  return number(description, { exclusiveMinimum: 0 });
}

/** A safe integer. */
export function integer(description?: string, bounds?: Bounds<'minimum' | 'maximum'>): Schema<number> {
  return make({ type: 'integer' }, description, bounds);
}

/** `true` or `false`. */
export function boolean(description?: string): Schema<boolean> {
  return make({ type: 'boolean' }, description);
}

/** One of the given values. */
export function choice<const V extends readonly string[]>(values: V, description?: string): Schema<V[number]> {
  return make({ type: 'string', enum: Object.freeze(values) }, description);
}

/** Exactly this one value. */
export function literal<const V extends string | boolean>(value: V, description?: string): Schema<V> {
  return make({ type: typeof value as 'string' | 'boolean', const: value }, description);
}

/** A list of items of one schema. */
export function array<S extends Schema>(
  items: S,
  description?: string,
  bounds?: Bounds<'minItems' | 'maxItems'>,
): Schema<Sent<S>[], Read<S>[]> {
  return make({ type: 'array', items }, description, bounds);
}

/** The value or null. */
export function nullable<S extends Schema>(schema: S): Schema<Sent<S> | null, Read<S> | null> {
  const { type, description, ...constraints } = schema;
  const isPlain = typeof type === 'string' && Object.keys(constraints).length === 0;
  return isPlain
    ? make({ type: Object.freeze([type, 'null'] as const) }, description)
    : (union(schema, nothing) as Schema<Sent<S> | null, Read<S> | null>);
}

/** One of several shapes. Objects are distinguished by the one property that is a `literal` in each of them. */
export function union<const S extends readonly Schema[]>(...oneOf: S): Schema<Sent<S[number]>, Read<S[number]>> {
  return make({ oneOf: Object.freeze(oneOf) });
}

/** An object with any keys, whose values share one schema. */
export function record<S extends Schema>(values: S, description?: string): Schema<Record<string, Sent<S>>> {
  return make({ type: 'object', additionalProperties: values }, description);
}

/** An object of any keys and values. */
export function freeForm(description?: string): Schema<Record<string, unknown>> {
  return make({ type: 'object', additionalProperties: true }, description);
}

/** An object that refuses additional properties. */
export function closed<F extends Fields>(fields: F, conditions?: Bounds<'minProperties' | 'if' | 'then'>): ObjectOf<F> {
  return object(fields, { additionalProperties: false, ...(conditions && frozen(conditions)) });
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object') frozen(part);
  return Object.freeze(value);
}

/** A property that may be absent. */
export function optional<S extends Schema>(schema: S): Absentable<S, 'optional'> {
  return { presence: 'optional', schema };
}

/** Properties of which each may be absent. */
export function optionals<F extends Readonly<Record<string, Schema>>>(
  fields: F,
): { readonly [K in keyof F]: Absentable<F[K], 'optional'> } {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optional(schema)])) as {
    readonly [K in keyof F]: Absentable<F[K], 'optional'>;
  };
}

/** The same property under several names. */
export function each<N extends string, F extends Field>(names: readonly N[], field: F): Readonly<Record<N, F>> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<N, F>;
}

/** A property that has this value when it is absent. */
export function defaulted<S extends Schema>(
  schema: S,
  value: Sent<S> & NonNullable<Schema['default']>,
): Absentable<S, 'defaulted'> {
  return { presence: 'defaulted', schema: make<S>({ ...schema, default: value }) };
}

const nothing: Schema<null> = make({ type: 'null' });

/**
 * An object; additional properties are ignored, unless the keywords say otherwise. The caller's literal becomes the
 * properties: copying it would be most of the cost of loading the contract.
 */
export function object<F extends Fields>(fields: F, keywords?: Schema): ObjectOf<F> {
  const properties = fields as Record<string, Field>;
  const required: string[] = [];
  for (const name in properties) {
    const field = properties[name]!;
    if ('presence' in field) properties[name] = field.schema;
    else required.push(name);
  }
  const schema: Writable = { type: 'object', properties: Object.freeze(properties) as Record<string, Schema> };
  if (required.length > 0) schema.required = Object.freeze(required);
  return make(schema, undefined, keywords);
}

type Writable = { -readonly [K in keyof Schema]: Schema[K] };

/** The only place where a value gets its phantom types. */
function make<S extends Schema>(keywords: Writable, description?: string, more?: Schema): S {
  if (description !== undefined) keywords.description = description;
  return Object.freeze(more === undefined ? keywords : Object.assign(keywords, more)) as S;
}
