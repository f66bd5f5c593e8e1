import { quantity, usd, word } from '../../base/text/format.ts';
import { isWorking, positionComputed } from '../../desk/account/means.ts';
import { ownTriggerOf } from '../../desk/preview/prospect.ts';
import type { Prospect } from '../../desk/reading/prospects.ts';
import { filledSizeOf } from '../../desk/risk/trade.ts';
import { Account } from '../../wire/contract/accounts.ts';
import { Order } from '../../wire/contract/orders.ts';
import { Position } from '../../wire/contract/positions.ts';
import { nullable, number, type ObjectSchema, object, type Schema, string } from '../../wire/contract/schema.ts';
import { outside } from './foreign-text.ts';
import { cents, Sized, sized } from './sizes.ts';

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
