/**
 * Writes an OpenAPI document as facts, one short line each, so that two descriptions of the API can be compared and
 * read side by side. `number >0` is a bound, `string 1..128` a length, `[x] ..20` a list, `?` an optional field, `| ...
 * |` an object that refuses other fields. A keyword that the notation does not know is an error; it is never skipped.
 */

type Json = Record<string, unknown>;
type Schema = Json & { properties?: Record<string, Schema>; required?: string[]; items?: Schema; oneOf?: Schema[] };

export interface WireFacts {
  /** By id: the request line, its parameters, its body, its answers, and the shared refusals it may give. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  /** The shared refusals by name. */
  readonly refusals: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** The facts of a document: its operations, the refusals they share, and its named schemas. */
export function factsOf(document: object): WireFacts {
  const { paths, components } = document as { paths: Record<string, Record<string, Json>>; components: Components };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const facts = operationFacts(`${method.toUpperCase()} ${path}`, operation, components);
      return [operation.operationId as string, facts] as const;
    }),
  );
  return {
    operations: Object.fromEntries(operations),
    refusals: mapped(components.responses!, answerFact),
    schemas: mapped(components.schemas!, namedFacts),
  };
}

type Components = Record<string, Record<string, Schema>>;

function mapped<T>(values: Record<string, Schema>, fact: (value: Schema) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fact(value)]));
}

function operationFacts(request: string, operation: Json, components: Components): string[] {
  const {
    requestBody,
    parameters = [],
    responses,
  } = operation as {
    requestBody?: { required?: boolean } & Content;
    parameters?: Json[];
    responses: Record<string, Json>;
  };
  const answers = Object.entries(responses);
  const shared = answers.filter(([, { $ref }]) => $ref !== undefined);
  const own = answers.filter(([, { $ref }]) => $ref === undefined);
  return [
    operation.security === undefined ? request : `${request} without credential`,
    ...parameters.map((parameter) => parameterFact(resolved(parameter, components))).sort(),
    ...(requestBody ? [`body${requestBody.required ? '' : '?'}: ${notation(contentOf(requestBody))}`] : []),
    ...own.map(([status, answer]) => `${status}: ${answerFact(answer)}`),
    ...(shared.length > 0
      ? [shared.map(([status, { $ref }]) => `${status} ${lastOf($ref as string)}`).join(', ')]
      : []),
  ];
}

function parameterFact({ name, in: place, required = false, schema }: Json): string {
  return `${place} ${name}${required ? '' : '?'}: ${notation(schema as Schema)}`;
}

function answerFact(response: Json): string {
  const headers = Object.keys((response.headers ?? {}) as Json).sort();
  return [notation(contentOf(response as unknown as Content)), ...headers].join(' + ');
}

interface Content {
  content: { 'application/json': { schema: Schema } };
}

function contentOf({ content }: Content): Schema {
  return content['application/json'].schema;
}

function resolved(value: Json, components: Components): Json {
  if (typeof value.$ref !== 'string') return value;
  const [, , kind, name] = value.$ref.split('/');
  return components[kind!]![name!]!;
}

function lastOf(reference: string): string {
  return reference.split('/').at(-1)!;
}

/** A named schema with plain fields becomes a table of them; one with conditions becomes one line. */
function namedFacts(schema: Schema): string | Record<string, string> {
  const { type, properties, required, additionalProperties, ...conditions } = schema;
  if (!properties || Object.keys(conditions).some((keyword) => keyword !== 'description')) return notation(schema);
  const fields = Object.entries(properties).map(([name, field]) => [fieldName(schema, name), notation(field)]);
  return Object.fromEntries(additionalProperties === false ? [...fields, ['others', 'refused']] : fields);
}

function fieldName({ required = [] }: Schema, name: string): string {
  return required.includes(name) ? name : `${name}?`;
}

/** One schema in one line. */
function notation({ description: _, ...schema }: Schema): string {
  if (typeof schema.$ref === 'string') return lastOf(schema.$ref);
  const fallback = schema.default === undefined ? '' : ` default ${schema.default}`;
  return `${unsaid(schema)}${fallback}`;
}

function unsaid({ default: _, ...schema }: Schema): string {
  const { type, oneOf, enum: words, const: fixed, items, properties, additionalProperties, ...rest } = schema;
  if (oneOf) return oneOf.map(notation).join(' or ');
  if (Array.isArray(type)) return type.map((one) => notation({ ...schema, type: one })).join(' or ');
  if (words) return (words as string[]).join('|');
  if (fixed !== undefined) return `= ${fixed}`;
  if (items || rest.minItems !== undefined) {
    return `[${items ? notation(items) : ''}]${bounds(rest, 'minItems', 'maxItems')}`;
  }
  if (type === 'object' || properties) return objectNotation(schema);
  const format = rest.format === undefined ? '' : ` ${rest.format}`;
  if (type === 'string') return `string${format}${bounds({ ...rest, format: undefined }, 'minLength', 'maxLength')}`;
  const open = rest.exclusiveMinimum === undefined ? '' : ` >${rest.exclusiveMinimum}`;
  const range = bounds({ ...rest, exclusiveMinimum: undefined }, 'minimum', 'maximum');
  return `${type ?? 'any'}${open}${range}`;
}

function objectNotation(schema: Schema): string {
  const {
    type: _,
    properties = {},
    required: __,
    additionalProperties,
    minProperties,
    if: when,
    then,
    ...rest
  } = schema;
  known(rest);
  const fields = Object.entries(properties).map(([name, field]) => `${fieldName(schema, name)}: ${notation(field)}`);
  if (additionalProperties === true) fields.push('*');
  if (typeof additionalProperties === 'object') fields.push(`*: ${notation(additionalProperties as Schema)}`);
  const closed = additionalProperties === false ? '|' : '';
  const fewest = minProperties === undefined ? '' : ` at least ${minProperties}`;
  const condition = when ? ` when ${notation(when as Schema)} then ${notation(then as Schema)}` : '';
  return `{${closed}${fields.join(', ')}${closed}}${fewest}${condition}`;
}

/** ` 1..128`, ` ..20`, ` 0..`, or nothing. */
function bounds(keywords: Json, lowest: string, highest: string): string {
  const { [lowest]: low, [highest]: high, ...rest } = keywords;
  known(rest);
  return low === undefined && high === undefined ? '' : ` ${low ?? ''}..${high ?? ''}`;
}

function known(rest: Json): void {
  const surplus = Object.keys(rest).filter((keyword) => rest[keyword] !== undefined);
  if (surplus.length > 0) throw new Error(`the notation does not know ${surplus.join(', ')}`);
}
