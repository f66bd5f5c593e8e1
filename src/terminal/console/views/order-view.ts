import { orderKindOf } from '../../../base/terms/order-types.ts';
import { dateTime, dollars, marketName, maybe, quantity, usd, word } from '../../../base/text/format.ts';
import { withoutLastPart } from '../../../desk/account/means.ts';
import { Order } from '../../../wire/contract/orders.ts';
import {
  type Block,
  type Blocks,
  blank,
  type Column,
  fields,
  fieldsOf,
  line,
  profitCell,
  sideCell,
  statusCell,
  tableOf,
} from '../output/result.ts';

/** Wire names of an order's fields, used as CSV columns. */
export const orderFields = fieldsOf(Order);

/** The order type in words: `limit gtd`, `stop_market`, `chase`, `limit reduce`; an exit always reduces. */
function kindOf(order: Order): string {
  const tif = order.time_in_force === undefined || order.time_in_force === 'gtc' ? '' : ` ${word(order.time_in_force)}`;
  const reduces = order.reduce_only && order.target_position_id === undefined;
  return `${word(order.mode)}${tif}${reduces ? ' reduce' : ''}`;
}

/** The price it waits for or filled at. */
function priceOf(order: Order): string {
  const { fill_price: price } = withoutLastPart(order);
  if (order.status === 'filled' && price !== undefined) return quantity(price);
  const trigger = order.trigger_price === undefined ? '' : triggerOf(order, order.trigger_price);
  const limit = order.limit_price === undefined ? '' : quantity(order.limit_price);
  return [trigger, limit].filter((part) => part !== '').join(' ');
}

/** `@95000`; on another market `BTC above 95000`. */
function triggerOf({ market_id, trigger_market_id, trigger_direction }: Order, price: number): string {
  if (trigger_market_id === undefined || trigger_market_id === market_id) return `@${quantity(price)}`;
  return `${marketName(trigger_market_id)} ${word(trigger_direction ?? 'at')} ${quantity(price)}`;
}

function filledOf(order: Order): string | undefined {
  const filled = order.filled_size ?? 0;
  const whole = order.initial_size ?? order.size;
  return filled === 0 ? undefined : filled === whole ? 'all' : `${quantity(filled)} of ${quantity(whole)}`;
}

/** The ladder or TWAP that it belongs to, or the other leg of its OCO pair. */
function parentOf(order: Order): string | undefined {
  return order.scaled_order_id ?? order.twap_order_id ?? maybe(order.oco_sibling_order_id, (id) => `OCO ${id}`);
}

/** The table of orders. */
export const orderColumns: readonly Column<Order>[] = [
  { header: 'TIME', cell: (order) => dateTime(order.requested_at), keep: 2 },
  { header: 'MARKET', cell: (order) => marketName(order.market_id, order.symbol) },
  { header: 'KIND', cell: kindOf, keep: 6 },
  { header: 'SIDE', cell: (order) => sideCell(order.side) },
  { header: 'SIZE', cell: (order) => quantity(order.size), align: 'right' },
  { header: 'PRICE', cell: priceOf, align: 'right' },
  { header: 'FILLED', cell: filledOf, align: 'right', keep: 4 },
  { header: 'STATUS', cell: (order) => statusCell(order.status), keep: 8 },
  { header: 'REASON', cell: (order) => order.reject_rule_id ?? order.reject_message ?? order.reject_reason, keep: 3 },
  { header: 'PART OF', cell: parentOf, keep: 5 },
  { header: 'CLIENT ID', cell: givenName, keep: 1 },
  { header: 'ID', cell: (order) => order.id, keep: 7 },
];

/** The exits of a position, shown below it. */
export function exitBlocks(exits: readonly Order[]): Blocks {
  return exits.length === 0 ? [] : [blank, line({ text: 'Exits', tone: 'strong' }), tableOf(exits, orderColumns)];
}

/** The table of fills, in settlement order. */
export const fillColumns: readonly Column<Order>[] = [
  { header: 'TIME', cell: (fill) => dateTime(fill.settled_at ?? fill.requested_at), keep: 5 },
  { header: 'MARKET', cell: (fill) => marketName(fill.market_id, fill.symbol) },
  { header: 'SIDE', cell: (fill) => sideCell(fill.side) },
  { header: 'SIZE', cell: (fill) => quantity(fill.size), align: 'right' },
  { header: 'PRICE', cell: (fill) => maybe(fill.fill_price, quantity), align: 'right' },
  { header: 'NOTIONAL', cell: (fill) => maybe(fill.notional, usd), align: 'right', keep: 3 },
  { header: 'FEE', cell: (fill) => maybe(fill.fee, usd), align: 'right', keep: 4 },
  { header: 'PNL', cell: (fill) => profitCell(fill.realized_pnl), align: 'right', keep: 6 },
  { header: 'ROLE', cell: (fill) => fill.liquidity_role, keep: 2 },
  { header: 'ORDER', cell: (fill) => fill.partial_of_order_id ?? fill.id, keep: 1 },
];

const titles: ReadonlyMap<string, string> = new Map<Order['status'], string>([
  ['filled', 'Filled'],
  ['resting', 'Resting'],
  ['pending', 'Accepted, not settled yet'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
  ['canceled', 'Canceled'],
]);

/** The first line about an order: its outcome. */
export function orderHeadline(order: Order): Block {
  const at = order.status === 'filled' && order.fill_price !== undefined ? ` at ${quantity(order.fill_price)}` : '';
  const size = order.status === 'filled' ? (order.filled_size ?? order.size) : order.size;
  const tone = order.status === 'filled' ? 'good' : order.status === 'rejected' ? 'bad' : 'strong';
  return line(
    { text: titles.get(order.status) ?? `Status ${word(order.status)}`, tone },
    '  ',
    sideCell(order.side),
    ` ${quantity(size)} ${word(order.symbol)}${at}`,
  );
}

/** All details of one order. */
export function orderBlocks(order: Order): Block[] {
  const { liquidity_role: role } = order;
  const trigger = maybe(order.trigger_price, (price) => {
    const of = maybe(order.trigger_market_id, marketName) ?? 'mark';
    return [of, order.trigger_direction && word(order.trigger_direction), quantity(price)].filter(Boolean).join(' ');
  });
  return [
    orderHeadline(order),
    fields(
      ['market', marketName(order.market_id, order.symbol)],
      ['kind', kindOf(order)],
      ['reason', order.reject_message ?? order.reject_reason],
      ['rule', order.reject_rule_id],
      ['filled', filledOf(order)],
      ['limit', maybe(order.limit_price, quantity)],
      ['trigger', trigger],
      ['take-profit', maybe(order.attached_take_profit_price, quantity)],
      ['stop-loss', maybe(order.attached_stop_loss_price, quantity)],
      ['chase', orderKindOf(order.mode)?.meets === 'follows' ? chaseOf(order) : undefined],
      ['notional', maybe(order.notional, dollars)],
      ['fee', maybe(order.fee, (fee) => `${dollars(fee)}${role === undefined ? '' : ` (${word(role)})`}`)],
      ['realized', maybe(order.realized_pnl || undefined, profitCell)],
      ['leverage', `${quantity(order.leverage)}x ${word(order.margin_mode)}`],
      ['requested', dateTime(order.requested_at)],
      ['expires', maybe(order.gtd_expires_at, dateTime)],
      ['triggered', maybe(order.triggered_at, dateTime)],
      ['cancel requested', maybe(order.cancel_requested_at, dateTime)],
      ['settled', maybe(order.settled_at, dateTime)],
      ['canceled', maybe(order.canceled_at, dateTime)],
      ['OCO sibling', order.oco_sibling_order_id],
      ['part of', order.partial_of_order_id],
      ['position', order.target_position_id],
      ['TWAP', order.twap_order_id],
      ['ladder', order.scaled_order_id],
      ['order', order.id],
      ['client id', order.client_order_id],
      ['account', order.account_id],
    ),
  ];
}

/** A new order in a few lines: the essentials, and the source of its prices. */
export function orderBrief(order: Order, source?: string): Block[] {
  return [
    orderHeadline(order),
    fields(
      ['reason', order.reject_message ?? order.reject_reason],
      ['rule', order.reject_rule_id],
      ['limit', maybe(order.limit_price, quantity)],
      ['trigger', maybe(order.trigger_price, quantity)],
      ['filled', order.status === 'filled' ? undefined : filledOf(order)],
      ['notional', maybe(order.notional, dollars)],
      ['fee', maybe(order.fee, dollars)],
      ['realized', maybe(order.realized_pnl || undefined, profitCell)],
      ['prices', source],
      ['order', order.id],
      ['client id', givenName(order)],
    ),
  ];
}

function chaseOf(order: Order): string {
  const cap = order.chase_cap_price === undefined ? 'no cap' : `cap ${quantity(order.chase_cap_price)}`;
  return `offset ${quantity(order.chase_offset ?? 0)}, ${cap}`;
}

/** The client order id if the user chose it; generated ids are not shown. */
function givenName({ client_order_id: id }: Order): string | undefined {
  return id !== undefined && /^perp-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? undefined : id;
}
