import * as accounts from '../../src/wire/contract/accounts.ts';
import * as copy from '../../src/wire/contract/copy.ts';
import { TradeRejection, WireError } from '../../src/wire/contract/errors.ts';
import * as auth from '../../src/wire/contract/general.ts';
import { ApiInformation, RestrictedCountry } from '../../src/wire/contract/general.ts';
import * as markets from '../../src/wire/contract/markets.ts';
import type { Operation } from '../../src/wire/contract/operation.ts';
import { operations } from '../../src/wire/contract/operations.ts';
import * as orders from '../../src/wire/contract/orders.ts';
import * as positions from '../../src/wire/contract/positions.ts';
import type { ObjectSchema } from '../../src/wire/contract/schema.ts';
import * as strategies from '../../src/wire/contract/strategies.ts';
import { type Named, typeWords } from './field-table.ts';
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
  [
    'Answer of `POST /v1/auth/cli/revoke`',
    operations.revokeCliSession.responses[200].schema.properties.data as ObjectSchema,
  ],
  ['Answer of `DELETE /v1/orders/{order_id}`', orders.CanceledOrder],
  ['Exit operation `cancel`', positions.ExitOperation.oneOf![0] as ObjectSchema],
  ['Exit operation `modify`', positions.ExitOperation.oneOf![1] as ObjectSchema],
  ['Exit operation `place`', positions.ExitOperation.oneOf![2] as ObjectSchema],
  ['Error', WireError],
  ['Trade rejection', TradeRejection],
];

/** Links to those tables, for tables that refer to them. */
export const named: Named = new Map(headed.map(([heading, schema]) => [schema, linkTo(heading)]));

function linkTo(heading: string): string {
  const label = heading.replace(/^[\d.]+ /, '').replace(/^Answer of `.*`$/, 'object');
  return `[${label}](#${anchorOf(heading)})`;
}

/** Every heading of docs/api.md that needs a field table, with the schema that it documents. */
export function fieldTables(): readonly (readonly [heading: string, schema: ObjectSchema])[] {
  const parts = Object.values<Operation>(operations).flatMap(({ method, path, query, body }) => [
    ...(query === null ? [] : [[`Query of \`${method} ${path}\``, query] as const]),
    ...(body === null ? [] : [[`Body of \`${method} ${path}\``, body] as const]),
  ]);
  return [...headed, ...parts];
}

/** An operation's row without its description: request, scope, answer, refusals. */
export function operationRow(operation: Operation): string[] {
  const { id, method, path, responses } = operation;
  const statuses = Object.keys(responses).map(Number);
  const refusals = statuses.filter((status) => status >= 300).join(', ');
  return [`\`${method} ${path}\` (\`${id}\`)`, needsOf(operation), answerOf(operation), refusals];
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
