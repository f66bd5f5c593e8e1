/**
 * The tables of docs/api.md, written from the contract by `npm run fix` (doc-examples.ts): operations, fields, error
 * codes.
 */
import * as accounts from '../src/wire/contract/accounts.ts';
import * as copy from '../src/wire/contract/accounts.ts';
import { TradeRejection, WireError } from '../src/wire/contract/errors.ts';
import * as auth from '../src/wire/contract/general.ts';
import { ApiInformation, RestrictedCountry } from '../src/wire/contract/general.ts';
import * as markets from '../src/wire/contract/markets.ts';
import type { Operation } from '../src/wire/contract/operation.ts';
import { operations } from '../src/wire/contract/operations.ts';
import * as orders from '../src/wire/contract/orders.ts';
import * as positions from '../src/wire/contract/positions.ts';
import type { ObjectSchema, Schema } from '../src/wire/contract/schema.ts';
import * as strategies from '../src/wire/contract/strategies.ts';
import { anchorOf } from './markdown.ts';

/** The heading of docs/api.md with each schema's table, except for the bodies and queries of operations. */
const headed: readonly (readonly [heading: string, schema: ObjectSchema])[] = [
  ['2.1 Account', accounts.Account],
  ['2.2 Market', markets.Market],
  ['2.3 Quote', markets.Quote],
  ['2.4 Position', positions.Position],
  ['2.5 Order', orders.Order],
  ['2.6 Time-weighted order', strategies.TwapOrder],
  ['2.7 Scaled order', strategies.ScaledOrder],
  ['Trading policy', accounts.AccountTradingPolicy],
  ['Copy-trading group', copy.CopyTradingConfiguration],
  ['Saved groups', copy.CopyTradingWriteResponse.properties.data as ObjectSchema],
  ['Cancel-all operation', accounts.CancelAllOrdersOperation],
  ['Close-all operation', accounts.CloseAllPositionsOperation],
  ['Answer of `GET /v1`', ApiInformation],
  ['Answer of `GET /v1/restricted-countries`', RestrictedCountry],
  ['Answer of `POST /v1/auth/cli/token`', auth.CliToken],
  ['Answer of `POST /v1/auth/cli/revoke`', operations.revokeCliSession.success.properties.data as ObjectSchema],
  ['Answer of `DELETE /v1/orders/{order_id}`', orders.CanceledOrder],
  ['Exit operation `cancel`', positions.ExitOperation.oneOf![0] as ObjectSchema],
  ['Exit operation `modify`', positions.ExitOperation.oneOf![1] as ObjectSchema],
  ['Exit operation `place`', positions.ExitOperation.oneOf![2] as ObjectSchema],
  ['Error', WireError],
  ['Trade rejection', TradeRejection],
];

/** Links to those tables, for tables that refer to them. */
const named: Named = new Map(headed.map(([heading, schema]) => [schema, linkTo(heading)]));

function linkTo(heading: string): string {
  const label = heading.replace(/^[\d.]+ /, '').replace(/^Answer of `.*`$/, 'object');
  return `[${label}](#${anchorOf(heading)})`;
}

/** Every heading of docs/api.md that needs a field table, with the schema that it documents. */
function fieldTables(): readonly (readonly [heading: string, schema: ObjectSchema])[] {
  const parts = Object.values<Operation>(operations).flatMap(({ method, path, query, body }) => [
    ...(query === null ? [] : [[`Query of \`${method} ${path}\``, query] as const]),
    ...(body === null ? [] : [[`Body of \`${method} ${path}\``, body] as const]),
  ]);
  return [...headed, ...parts];
}

/** An operation's row: request, summary, scope, answer, refusals. */
function operationRow(operation: Operation): string[] {
  const { id, method, path, responses, summary } = operation;
  const statuses = Object.keys(responses).map(Number);
  const refusals = statuses.filter((status) => status >= 300).join(', ');
  return [
    `\`${method} ${path}\` (\`${id}\`)`,
    summary.replace(/\.$/, ''),
    needsOf(operation),
    answerOf(operation),
    refusals,
  ];
}

function needsOf({ auth, scope, idempotent }: Operation): string {
  if (auth !== 'required') return 'nothing';
  return idempotent ? `${scope} + key` : scope;
}

function answerOf({ responses }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const envelope = successes[0]![1].schema as ObjectSchema;
  const { data, has_more: hasMore, queued } = envelope.properties;
  const pages = hasMore === undefined ? 'none' : envelope.required?.includes('has_more') ? 'always' : 'sometimes';
  const statuses = successes.map(([status]) => status).join(', ');
  const words = typeWords(data!, named).replace('array of', listWords[pages]);
  return `${statuses}: ${words}${queued === undefined ? '' : ' with `queued?`'}`;
}

/** The form of a list, by whether it has pages. */
const listWords = { none: 'array of', sometimes: 'array or page of', always: 'page of' };

/** A row of a field table: `risk.equity`, `number or null`, and the contract's description. */
type FieldRow = readonly [name: string, type: string, meaning: string];

/** Schemas with their own table, and how a type refers to it: `[Order](#25-order)`. */
type Named = ReadonlyMap<Schema, string>;

/**
 * The rows of the table of an object's fields, in the schema's order. Optional fields end in `?`; the
 * fields of a nested object follow it as `risk.equity`, those of an array's objects as `rungs[].price`.
 */
function fieldRows(schema: ObjectSchema, named: Named, prefix = ''): FieldRow[] {
  return Object.entries(schema.properties).flatMap(([field, value]) => {
    const name = `${prefix}${field}`;
    const mark = schema.required?.includes(field) ? '' : '?';
    return [
      [`\`${name}${mark}\``, typeWords(value, named), meaningOf(value)] as const,
      ...nestedRows(value, named, name),
    ];
  });
}

function nestedRows(schema: Schema, named: Named, name: string): FieldRow[] {
  if (named.has(schema)) return [];
  if (schema.items) return nestedRows(schema.items, named, `${name}[]`);
  if (schema.oneOf) return schema.oneOf.flatMap((each) => nestedRows(each, named, name));
  return schema.properties ? fieldRows(schema as ObjectSchema, named, `${name}.`) : [];
}

/** Names of fields and codes are marked as code, unless the description does so itself. */
const meaningOf = ({ description = '' }: Schema): string =>
  description.includes('`')
    ? description
    : description.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b|\b[Bb]earer\b|\bX-Request-Id\b/g, '`$&`');

/** A schema's type as the document writes it: `number > 0`, `string, 1 to 128`, `` `buy` or `sell` ``. */
function typeWords(schema: Schema, named: Named): string {
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

const tableOf = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('');

/**
 * docs/api.md with every table of the contract as the contract has it now; throws if a heading lacks its table of
 * fields.
 */
export function withTables(page: string): string {
  const all = Object.values<Operation>(operations);
  const rows = new Map(all.map((operation) => [`\`${operation.method} ${operation.path}\``, operationRow(operation)]));
  const rowOf = /^\| (`[A-Z]+ [^`|]+`) \(`\w+`\) \|.*\n/gm;
  const shown = new Set([...page.matchAll(rowOf)].map(([, request]) => request!));
  const requests = [...rows.keys()];
  // A new operation comes after the one that precedes it in the contract.
  let text = page.replaceAll(rowOf, (_row, request: string) => {
    const at = requests.indexOf(request);
    if (at < 0) return '';
    const next = requests.findIndex((other, index) => index > at && shown.has(other));
    return tableOf(requests.slice(at, next < 0 ? undefined : next).map((one) => rows.get(one)!));
  });
  for (const [heading, schema] of fieldTables()) {
    const start = text.indexOf(` ${heading}\n`);
    const table = text.indexOf('| Field | Type | Meaning |\n|---|---|---|\n', start);
    const end = text.indexOf('\n#', start + 1);
    if (start < 0 || table < 0 || table > end)
      throw new Error(`docs/api.md has no table of fields below "${heading}".`);
    const first = text.indexOf('|---|---|---|\n', table) + '|---|---|---|\n'.length;
    text = text.slice(0, first) + tableOf(fieldRows(schema, named)) + text.slice(text.indexOf('\n\n', first - 1) + 1);
  }
  return text;
}
