import { toNumber, toUnits } from '../../../base/terms/decimal.ts';
import { type OrderField, orderFields, type RequestField } from '../../../base/terms/order-fields.ts';
import { exitGroupOf, orderKinds, recordedType, takesAtOnce } from '../../../base/terms/order-types.ts';
import { addedLots, isLeverageIn } from '../accounts/margin.ts';
import type { PlaceOrder } from '../commands.ts';
import type { Order } from '../model.ts';
import type { Market } from '../world/market.ts';
import { idOf, nextSequence, type Seat, type Ticket } from '../world/world.ts';

/** An order record before anything has happened to it; fields that its kind does not use are null. */
type DraftFields = Partial<Order> & Pick<Order, 'side' | 'size' | 'leverage' | 'marginMode' | 'mode' | 'type'>;

type Begun = Pick<
  Order,
  | 'id'
  | 'sequence'
  | 'accountId'
  | 'owner'
  | 'marketId'
  | 'initialSize'
  | 'filledSize'
  | 'expectedPrice'
  | 'status'
  | 'requestedAt'
  | 'pricedAt'
  | 'priority'
>;

/**
 * Fields of the draft, then those that every record begins with; others that do not apply are null, and no flag is set.
 * Generated as one literal from the table of fields: spreading fifty of them takes ten times as long.
 */
const recordOf = new Function(
  'fields',
  'begun',
  `return { ${Object.entries<OrderField>(orderFields)
    .map(([field, { column }]) => `${field}: fields.${field} ?? begun.${field} ?? ${column === 'bool' ? false : null}`)
    .join(', ')} };`,
) as (fields: DraftFields, begun: Begun) => Order;

/** A new record of an account's order in a market; not accepted or rejected yet. */
export function draftRecord({ world, portfolio, market }: Seat, fields: DraftFields): Order {
  const sequence = nextSequence(world);
  return recordOf(fields, {
    id: idOf('ord', sequence),
    sequence,
    accountId: portfolio.account.id,
    owner: portfolio.account.owner,
    marketId: market.id,
    initialSize: fields.size,
    filledSize: 0,
    expectedPrice: midPrice(market) ?? 0,
    status: 'pending',
    requestedAt: world.now,
    pricedAt: world.now,
    priority: sequence,
  });
}

/** An order that is only checked against the rules: its number goes to the next record. */
export function unplaced(seat: Seat, fields: DraftFields): Ticket {
  const { sequence } = seat.world;
  const order = draftRecord(seat, fields);
  seat.world.sequence = sequence;
  return { ...seat, order };
}

/**
 * The record of a placed order. A reduction takes the leverage and margin mode of its position; its own are ignored
 * (simulation 4.1). One that waits keeps its own if they are valid, because its position may be closed by then. Sizes
 * and prices off the grid stay fractional, as requested.
 */
export function draftOrder(seat: Seat, command: PlaceOrder): Order {
  const { portfolio, market } = seat;
  const { priceDecimals, sizeDecimals } = market.definition;
  const { reduces } = orderKinds[command.mode];
  const reduceOnly = command.reduceOnly || reduces;
  const held = portfolio.positions.get(market.id);
  const isExit = reduces && held !== undefined;
  const limitPrice = command.limitPrice === null ? null : toUnits(command.limitPrice, priceDecimals).units;
  const order = draftRecord(seat, {
    clientOrderId: command.clientOrderId,
    type: recordedType(command.mode, limitPrice !== null),
    mode: command.mode,
    side: command.side,
    size: toUnits(command.size, sizeDecimals).units,
    expectedPrice: command.expectedPrice ?? midPrice(market) ?? command.limitPrice ?? command.triggerPrice ?? 0,
    leverage: command.leverage,
    marginMode: command.marginMode,
    reduceOnly,
    timeInForce: limitPrice === null ? null : (command.timeInForce ?? 'gtc'),
    gtdExpiresAt: command.gtdExpiresAt,
    limitPrice,
    triggerPrice: command.triggerPrice,
    triggerMarketId: command.triggerMarketId,
    triggerDirection: command.triggerDirection,
    slippageToleranceBps: command.slippageToleranceBps,
    attachedTakeProfitPrice: command.takeProfitPrice,
    attachedStopLossPrice: command.stopLossPrice,
    replaceOverlappingExits: command.replaceOverlappingExits,
    marketableLimitAcknowledged: command.marketableLimitAcknowledged,
    chaseOffset: command.chaseOffset,
    chaseCapPrice: command.chaseCapPrice,
    targetPositionId: isExit ? held.id : command.targetPositionId,
    exitGroup: isExit ? exitGroupOf(command.mode) : null,
  } satisfies DraftFields & Pick<Order, Exclude<RequestField, 'accountId' | 'marketId'>>);
  const onlyReduces = reduceOnly || takesAtOnce(order.mode) || !isLeverageIn(portfolio, market, order.leverage);
  if (held !== undefined && onlyReduces && addedLots(portfolio, order) === 0) {
    order.leverage = held.leverage;
    order.marginMode = held.marginMode;
  }
  return order;
}

/** The mid in USD as a JSON number; null while a side is empty. */
function midPrice(market: Market): number | null {
  const { mid } = market.book;
  return Number.isNaN(mid) ? null : toNumber(mid * 5, market.definition.priceDecimals + 1);
}
