import type { CloseField, RequestName } from '../../base/terms/order-fields.ts';
import { closeTypes, defaultType } from '../../base/terms/order-types.ts';
import type { ValidationIssue } from './errors.ts';
import { enveloped, type FieldRule, get, maybePaged, operationsOf, post, put } from './operation.ts';
import { ClientOrderId, closeFieldIssues, OrderEnvelope } from './orders.ts';
import {
  array,
  boolean,
  choice,
  closed,
  defaulted,
  integer,
  literal,
  number,
  object,
  optional,
  positive,
  type Sent,
  string,
  union,
} from './schema.ts';
import { accountFilter, instant, marginMode, pageFields, triggerDirection } from './terms.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Rules between the operations of an exit batch (simulation 4.3): a leg pairs with one placed leg of the opposite
 * group, and an order is changed only once. Mutual pairs and forward references are fine.
 */
const exitBatchIssues: FieldRule = ({ operations }) => {
  if (!Array.isArray(operations)) return [];
  const batch = operations.map(asFields);
  return [...pairingIssues(batch), ...repetitionIssues(batch)];
};

/** Pairs form in the order in which they are named. Naming a leg that already has a partner is an error. */
function pairingIssues(batch: readonly Fields[]): ValidationIssue[] {
  const partners = new Map<number, number>();
  const issues: ValidationIssue[] = [];
  for (const [index, leg] of batch.entries()) {
    const named = leg.oco_pair_with_operation_index;
    if (leg.kind !== 'place' || !isIndex(named)) continue;
    const issue = mismatch(batch, index, named) ?? thirdLeg(partners, index, named);
    if (issue !== null) issues.push({ field: `operations[${index}].oco_pair_with_operation_index`, issue });
    else partners.set(index, named).set(named, index);
  }
  return issues;
}

function mismatch(batch: readonly Fields[], index: number, named: number): string | null {
  const other = batch[named];
  if (named === index) return 'must name another operation, not its own';
  if (other === undefined) return `must name one of the ${batch.length} operations, counted from 0`;
  if (other.kind !== 'place') return `must name an operation that places a leg; operations[${named}] does not`;
  const isSameGroup = other.group === batch[index]!.group;
  return isSameGroup ? `must name a leg of the other group; operations[${named}] is ${other.group} too` : null;
}

function thirdLeg(partners: ReadonlyMap<number, number>, index: number, named: number): string | null {
  for (const [leg, other] of [
    [index, named],
    [named, index],
  ] as const) {
    const partner = partners.get(leg) ?? other;
    if (partner !== other) return `must not make a third leg; operations[${leg}] pairs with operations[${partner}]`;
  }
  return null;
}

function repetitionIssues(batch: readonly Fields[]): ValidationIssue[] {
  const changedBy = new Map<string, number>();
  const issues: ValidationIssue[] = [];
  for (const [index, { order_id: id }] of batch.entries()) {
    if (typeof id !== 'string') continue;
    const first = changedBy.get(id);
    if (first === undefined) changedBy.set(id, index);
    else issues.push({ field: `operations[${index}].order_id`, issue: `is already changed by operations[${first}]` });
  }
  return issues;
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** An account's net position in a market (API 2.4). */
export const Position = object({
  id: string(),
  account_id: string(),
  market_id: string(),
  provider: string(),
  symbol: string(),
  coin: string(),
  side: choice(['long', 'short']),
  size: number('Base asset.'),
  entry_price: number('Average.'),
  leverage: number(),
  margin_mode: marginMode,
  liquidation_price: optional(number('Mark at which it is liquidated, other marks unchanged; absent if out of reach.')),
  isolated_margin_extra: number(
    'USD, isolated positions; negative: the initial margin that a losing partial close has used up.',
  ),
  status: choice(['open', 'closed']),
  opened_at: instant,
  closed_at: optional(instant),
  size_decimals: optional(integer('Decimals of a lot.', { minimum: 0 })),
  exit_price: optional(number('Average.')),
  realized_pnl: optional(number('USD, without fees and funding.')),
  realized_margin_basis: optional(number('Initial margin of the closed size, USD.')),
  fees: optional(number('USD, paid so far.')),
  funding: optional(number('USD, paid so far.')),
});
export type Position = Sent<typeof Position>;

/**
 * How to close a position. The table in `base/terms/order-types.ts` lists the fields that each type takes (API 4.4).
 */
export const ClosePositionRequest = closed({
  client_order_id: optional(ClientOrderId),
  type: defaulted(choice(closeTypes), defaultType),
  size: optional(positive('Base asset; default: the whole position.')),
  expected_price: optional(positive('The price the caller saw; recorded, never used for pricing.')),
  slippage_tolerance_bps: optional(positive('How far from mid the worst fill may be.')),
  limit_price: optional(positive("On the market's price grid.")),
  trigger_price: optional(positive('Mark of the trigger market that starts the close.')),
  trigger_market_id: optional(string('The market whose mark triggers a conditional close.')),
  trigger_direction: optional(triggerDirection),
  marketable_limit_acknowledged: optional(boolean('Lets a limit order that would cross fill as taker.')),
} satisfies Readonly<Record<RequestName<CloseField>, object>>);
export type ClosePositionRequest = Sent<typeof ClosePositionRequest>;

const executionType = choice(['market', 'limit'], 'Default: market.');

/** One change of a position's exits. */
export const ExitOperation = union(
  closed({ kind: literal('cancel'), order_id: string() }),
  closed({ kind: literal('modify'), order_id: string(), price: positive(), size: optional(positive('Base asset.')) }),
  closed({
    kind: literal('place'),
    group: choice(['tp', 'sl'], 'Take-profit or stop-loss.'),
    execution_type: optional(executionType),
    price: positive(),
    size: positive('Base asset.'),
    oco_pair_with_operation_index: optional(
      integer('Index in operations of the opposite leg to pair with.', { minimum: 0 }),
    ),
  }),
);
export type ExitOperation = Sent<typeof ExitOperation>;

/**
 * A batch that applies completely or not at all, and only to the size and exits that the caller expects (simulation
 * 4.3).
 */
export const ExitOrderBatchRequest = closed({
  expected_position_size: positive('Base asset.'),
  expected_orders: array(
    closed({
      order_id: string(),
      execution_type: optional(executionType),
      price: positive('The trigger price, or without one the limit price.'),
      size: positive('Base asset.'),
    }),
    'All working exits of the position.',
  ),
  operations: array(ExitOperation),
});
export type ExitOrderBatchRequest = Sent<typeof ExitOrderBatchRequest>;

/** The new total of extra isolated margin, not a delta, so repeating it is safe. */
export const IsolatedMarginRequest = closed({ extra_margin: number('New total, not a change, USD.', { minimum: 0 }) });
export type IsolatedMarginRequest = Sent<typeof IsolatedMarginRequest>;

/** Open positions come in one list; only closed ones have pages (API 4.4). An empty cursor means none. */
const cursorOnlyWhenClosed: FieldRule = ({ status = 'open', cursor = '' }) =>
  cursor !== '' && status === 'open'
    ? [{ field: 'cursor', issue: 'is only allowed with status closed: open positions have no pages' }]
    : [];

/** Position operations. */
export const positionOperations = operationsOf({
  /** GET /v1/positions (API 4.4). Open positions come in one list, closed ones in pages. */
  listOpenPositions: get(
    '/v1/positions',
    'Open positions, or closed ones in pages, newest first.',
    maybePaged(Position),
    {
      query: object({
        account_id: accountFilter,
        status: defaulted(choice(['open', 'closed']), 'open'),
        ...pageFields,
      }),
      queryRule: cursorOnlyWhenClosed,
    },
  ),
  /** GET /v1/positions/{position_id} (API 4.4). */
  getPosition: get('/v1/positions/{position_id}', 'One position, open or closed.', enveloped(Position)),
  /** POST /v1/positions/{position_id}/close (API 4.4). */
  closePosition: post(
    '/v1/positions/{position_id}/close',
    'Close all or part of a position with a reduce-only order.',
    OrderEnvelope,
    {
      idempotent: true,
      body: ClosePositionRequest,
      bodyRule: closeFieldIssues,
      refuses: [409, 422],
    },
  ),
  /** PUT /v1/positions/{position_id}/exit-orders (API 4.4, simulation 4.3). */
  replacePositionExitOrders: put(
    '/v1/positions/{position_id}/exit-orders',
    "Place, modify and cancel a position's exits, all or nothing.",
    enveloped(Position),
    { body: ExitOrderBatchRequest, bodyRule: exitBatchIssues, refuses: [409, 422] },
  ),
  /** PUT /v1/positions/{position_id}/isolated-margin (API 4.4, simulation 5.5). */
  setPositionIsolatedMargin: put(
    '/v1/positions/{position_id}/isolated-margin',
    'Set the total extra margin of an isolated position.',
    enveloped(Position),
    { body: IsolatedMarginRequest, refuses: [409, 422] },
  ),
});
