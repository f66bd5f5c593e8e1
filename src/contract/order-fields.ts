import type { ValidationIssue } from './errors.ts';
import type { FieldRule } from './operation.ts';
import type { CreateOrderRequest } from './orders.ts';
import type { ClosePositionRequest } from './positions.ts';

type Fields = Readonly<Record<string, unknown>>;
type OrderType = NonNullable<CreateOrderRequest['type']>;
type CloseType = NonNullable<ClosePositionRequest['type']>;

/**
 * How a type of order treats a field: R required, o optional, - refused; L and M are optional for an order that
 * executes as a limit (has a limit_price) or at market (has none), and refused otherwise.
 */
type Presence = 'R' | 'o' | '-' | 'L' | 'M';

/** The wire fields below each heading of the tables; fields not named here are allowed for every type. */
const columns = [
  ['limit_price'],
  ['trigger_price'],
  ['time_in_force', 'gtd_expires_at'],
  ['slippage_tolerance_bps'],
  ['take_profit_price', 'stop_loss_price', 'replace_overlapping_exits'],
  ['marketable_limit_acknowledged'],
  ['chase_offset', 'chase_cap_price'],
  ['trigger_market_id', 'trigger_direction'],
  ['target_position_id'],
] as const satisfies (keyof CreateOrderRequest)[][];

type Row = readonly Presence[] & { readonly length: typeof columns.length };

/** Which fields an order of each type takes (simulation 4). */
// biome-ignore format: the table as the specification draws it
const orderTable: Readonly<Record<OrderType, Row>> = {
  //             limit   trigger tif     slip    legs    ack     chase   watch   target
  market:       ['-',    '-',    '-',    'o',    'o',    '-',    '-',    '-',    '-'],
  limit:        ['R',    '-',    'o',    '-',    'o',    'o',    '-',    '-',    '-'],
  chase:        ['-',    '-',    '-',    '-',    'o',    '-',    'o',    '-',    '-'],
  stop_market:  ['-',    'R',    '-',    'o',    'o',    '-',    '-',    '-',    '-'],
  take_market:  ['-',    'R',    '-',    'o',    'o',    '-',    '-',    '-',    '-'],
  stop_limit:   ['R',    'R',    'o',    '-',    'o',    'o',    '-',    '-',    '-'],
  take_limit:   ['R',    'R',    'o',    '-',    'o',    'o',    '-',    '-',    '-'],
  take_profit:  ['-',    'R',    '-',    'o',    '-',    '-',    '-',    '-',    'o'],
  conditional:  ['o',    'R',    'L',    'M',    'o',    'L',    '-',    'R',    '-'],
};

/** Which fields a close of each type takes: the same rows, as far as a close has the fields. */
// biome-ignore format: the table as the specification draws it
const closeTable: Readonly<Record<CloseType, Row>> = {
  //             limit   trigger tif     slip    legs    ack     chase   watch   target
  market:       ['-',    '-',    '-',    'o',    '-',    '-',    '-',    '-',    '-'],
  limit:        ['R',    '-',    '-',    '-',    '-',    'o',    '-',    '-',    '-'],
  conditional:  ['o',    'R',    '-',    'M',    '-',    'L',    '-',    'R',    '-'],
};

/** Every field of an order request that is missing, or does not belong, for its type (simulation 4). */
export const orderFieldIssues: FieldRule = (order) => {
  return [...tableIssues(orderTable, order), ...expiryIssues(order), ...legIssues(order)];
};

/** Every field of a close request that is missing, or does not belong, for its type (API 4.4). */
export const closeFieldIssues: FieldRule = (close) => tableIssues(closeTable, close);

function tableIssues(table: Readonly<Record<string, Row>>, request: Fields): ValidationIssue[] {
  const type = request.type === undefined ? 'market' : request.type;
  // A type that is no type is the schema's issue.
  if (typeof type !== 'string' || !Object.hasOwn(table, type)) return [];
  const hasLimit = request.limit_price !== undefined;
  return columns.flatMap((fields, column) =>
    fields.flatMap((field) => {
      const issue = presenceIssue(table[type]![column]!, request[field] !== undefined, hasLimit, type);
      return issue === null ? [] : [{ field, issue }];
    }),
  );
}

function presenceIssue(presence: Presence, isGiven: boolean, hasLimit: boolean, type: string): string | null {
  if (!isGiven) return presence === 'R' ? `is required for type ${type}` : null;
  if (presence === '-') return `is not allowed for type ${type}`;
  if (presence === 'L' && !hasLimit) return `is only allowed together with limit_price for type ${type}`;
  if (presence === 'M' && hasLimit) return `is only allowed without limit_price for type ${type}`;
  return null;
}

function expiryIssues(order: Fields): ValidationIssue[] {
  const field = 'gtd_expires_at';
  const isGtd = order.time_in_force === 'gtd';
  const isGiven = order[field] !== undefined;
  if (isGtd === isGiven) return [];
  return [{ field, issue: isGtd ? 'is required for time_in_force gtd' : 'is only allowed for time_in_force gtd' }];
}

/** A reduction has nothing to protect, so it takes no legs; a replacement needs a leg to replace with. */
function legIssues(order: Fields): ValidationIssue[] {
  const legs = ['take_profit_price', 'stop_loss_price'] as const;
  const replacement = 'replace_overlapping_exits';
  if (order.reduce_only === true) {
    return [...legs, replacement]
      .filter((field) => order[field] !== undefined)
      .map((field) => ({ field, issue: 'is not allowed on a reduce-only order' }));
  }
  const hasLeg = legs.some((leg) => order[leg] !== undefined);
  return order[replacement] === undefined || hasLeg
    ? []
    : [{ field: replacement, issue: 'is only allowed beside take_profit_price or stop_loss_price' }];
}
