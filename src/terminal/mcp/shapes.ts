import { usageFailure } from '../../base/failure/failure.ts';
import { roundedUnits } from '../../base/terms/decimal.ts';
import { quantity, usd, word } from '../../base/text/format.ts';
import { isWorking, positionComputed } from '../../desk/account/means.ts';
import { ownTriggerOf } from '../../desk/preview/prospect.ts';
import type { Prospect } from '../../desk/reading/prospects.ts';
import { filledSizeOf } from '../../desk/risk/trade.ts';
import type { OrderSize } from '../../desk/values/sizes.ts';
import { Account } from '../../wire/contract/accounts.ts';
import { Order } from '../../wire/contract/orders.ts';
import { Position } from '../../wire/contract/positions.ts';
import {
  type Absentable,
  nullable,
  number,
  type ObjectSchema,
  object,
  optional,
  positive,
  record,
  type Schema,
  string,
} from '../../wire/contract/schema.ts';
import { outside } from './foreign-text.ts';

/** The forms of a size: exactly one of these fields, whose name contains the unit. */
export const sizeFields = {
  size_base: optional(positive('Base asset: 0.05 is 0.05 BTC.')),
  notional_usd: optional(positive('USD at the expected price.')),
  risk_usd: optional(positive('USD lost at stop_loss_price.')),
};

/** A size as given. */
interface GivenSize {
  readonly size_base?: number | undefined;
  readonly notional_usd?: number | undefined;
  readonly risk_usd?: number | undefined;
}

/** A size in its three units, as every result has it; null: unknown. */
export interface Sized {
  readonly base: number;
  readonly usd: number | null;
  readonly risk_usd: number | null;
}

/** The same as a schema, as short as definitions have to be. */
export const Sized = record(nullable(number()));

/** The same fields without the size by risk: for something without its own stop. */
export const plainSizeFields: Record<'size_base' | 'notional_usd', Absentable<Schema<number>, 'optional'>> = {
  size_base: sizeFields.size_base,
  notional_usd: sizeFields.notional_usd,
};

/** The only given size; a usage failure for none or several: no unit is assumed. */
export function neededSize(given: GivenSize): OrderSize {
  const size = givenSize(given);
  if (size !== undefined) return size;
  throw usageFailure(
    'The size is missing. Nothing was sent.',
    'Give exactly one of size_base, notional_usd and risk_usd.',
  );
}

/** The only given size; undefined if there is none. */
export function givenSize(given: GivenSize): OrderSize | undefined {
  const found = (['size_base', 'notional_usd', 'risk_usd'] as const).filter((name) => given[name] !== undefined);
  if (found.length > 1) {
    throw usageFailure(
      `The size is given ${found.length} times, as ${found.join(' and ')}. Nothing was sent.`,
      'Give exactly one of them.',
    );
  }
  const [name] = found;
  if (name === undefined) return undefined;
  const amount = given[name]!;
  const text = `${name} ${amount}`;
  if (name === 'risk_usd') return { unit: 'risk', of: 'usd', amount, text };
  return { unit: name === 'size_base' ? 'base' : 'usd', amount, text };
}

/** A size in its three units. `price` is the value of a unit; `riskUsd` the allowed loss of the size. */
export function sized(base: number, price: number | null | undefined, riskUsd: number | null | undefined): Sized {
  const usd = typeof price === 'number' && Number.isFinite(price * base) ? cents(price * base) : null;
  return { base, usd, risk_usd: typeof riskUsd === 'number' && Number.isFinite(riskUsd) ? cents(riskUsd) : null };
}

/** USD to the cent as a number, rounded as people read it. */
export function cents(amount: number): number {
  return Number(roundedUnits(amount, 2)) / 100;
}

/** An order as tools show it: sizes with their units, external text marked. */
export const OrderShape = shape(Order, ['id', 'status'], { size: Sized });

/** A position as tools show it. */
export const PositionShape = shape(Position, ['id', 'side'], { size: Sized });

/** An account as tools show it. */
export const AccountShape = shape(Account, ['id', 'status'], { equity_usd: nullable(number()) });

/** Named fields of a contract resource, without their descriptions, plus our own fields. */
function shape(resource: ObjectSchema, names: readonly string[], own: Readonly<Record<string, Schema>>): ObjectSchema {
  const fields = names.map((name) => [name, bare(resource.properties[name] ?? string())] as const);
  return object({ ...Object.fromEntries(fields), ...own });
}

/** A schema without descriptions. */
function bare({ description: _, ...schema }: Schema): Schema {
  return schema;
}

/** The prices at which order sizes are valued. */
interface Valuing {
  /** The mark of its market. */
  readonly mark?: number | undefined;
  /** Possible loss in USD; undefined if unknown. */
  readonly risk?: number | undefined;
}

/** An order. */
export function orderShown(order: Order, { mark, risk }: Valuing = {}) {
  const price = order.fill_price ?? order.limit_price ?? ownTriggerOf(order) ?? mark;
  const filled = filledSizeOf(order);
  return {
    id: order.id,
    client_order_id: outside(order.client_order_id),
    market_id: order.market_id,
    side: order.side,
    type: order.mode,
    status: order.status,
    size: sized(order.size, price, risk),
    filled: sized(filled, order.fill_price, filled === 0 ? 0 : isWorking(order) ? undefined : risk),
    limit_price: order.limit_price,
    trigger_price: order.trigger_price,
    trigger_market_id: order.trigger_market_id,
    fill_price: order.fill_price,
    stop_loss_price: order.attached_stop_loss_price,
    take_profit_price: order.attached_take_profit_price,
    reduce_only: order.reduce_only,
    leverage: order.leverage,
    margin_mode: order.margin_mode,
    fee_usd: order.fee,
    realized_pnl_usd: order.realized_pnl,
    reject_rule_id: order.reject_rule_id,
    reject_reason: outside(order.reject_reason),
    reject_message: outside(order.reject_message),
    position_id: order.target_position_id,
    requested_at: timeOf(order.requested_at),
    settled_at: timeOf(order.settled_at),
  };
}

/** A position with its stops, and the mark at which it would end the account. */
export function positionShown(position: Position, { marks, outlook, working }: Prospect) {
  const mark = marks.get(position.market_id);
  const figures = positionComputed(position, mark, outlook, working);
  return {
    id: position.id,
    market_id: position.market_id,
    side: position.side,
    size: sized(position.size, mark?.price, figures.risk),
    entry_price: position.entry_price,
    mark: figures.mark,
    unrealized_pnl_usd: money(figures.unrealized_pnl),
    leverage: position.leverage,
    margin_mode: position.margin_mode,
    liquidation_price: position.liquidation_price ?? null,
    breach_price: figures.breach_price,
    stop_price: figures.stop_price,
    target_price: figures.target_price,
    without_stop_base: figures.uncovered_size,
    one_r_usd: figures.one_r,
    r: figures.r,
    opened_at: timeOf(position.opened_at),
  };
}

/** A closed position. */
export function closedShown(position: Position) {
  return {
    id: position.id,
    market_id: position.market_id,
    side: position.side,
    size: sized(position.size, position.exit_price, 0),
    entry_price: position.entry_price,
    exit_price: position.exit_price ?? null,
    realized_pnl_usd: position.realized_pnl ?? null,
    fees_usd: position.fees ?? null,
    funding_usd: position.funding ?? null,
    breach_price: null,
    stop_price: null,
    opened_at: timeOf(position.opened_at),
    closed_at: timeOf(position.closed_at),
  };
}

/** USD to the cent; null: unknown. */
export function money(amount: number | null | undefined): number | null {
  return typeof amount === 'number' && Number.isFinite(amount) ? cents(amount) : null;
}

/** A time in ISO 8601; undefined if none. */
export function timeOf(ms: number | null | undefined): string | undefined {
  return typeof ms === 'number' && Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? new Date(ms).toISOString()
    : undefined;
}

/** The current state of an order, in a sentence. */
export function orderSentence({ side, size, symbol, status, filled_size, fill_price, id }: Order): string {
  const filled = filledSizeOf({ status, filled_size, size });
  const what = `${word(side)} ${quantity(status === 'filled' ? filled : size)} ${word(symbol)}`;
  if (status === 'filled') {
    const at = fill_price === undefined ? '' : ` at ${quantity(fill_price)} (${usd(fill_price * filled)} USD)`;
    return `Filled: ${what}${at}. Order ${id}.`;
  }
  return `Not filled: ${what} is ${word(status)}, ${quantity(filled)} filled so far. Order ${id}.`;
}
