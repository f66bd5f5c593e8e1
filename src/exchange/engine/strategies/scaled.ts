import { notionalAt } from '../../../base/margin/notional.ts';
import { moneyToNumber, toMoney, toNumber, toUnits } from '../../../base/terms/decimal.ts';
import { lotOf, snapToGrid } from '../book/price-grid.ts';
import type { CancelScaled, Outcome, PlaceScaled } from '../commands.ts';
import type { Lots, Order, Price, ScaledOrder, ScaledRung, Side } from '../model.ts';
import { submit } from '../order-handling/place-order.ts';
import { draftRecord, unplaced } from '../orders/draft-order.ts';
import { cancel, isWorking } from '../orders/working-orders.ts';
import { exposureViolation, placementViolation, pricePrecision, sizePrecision } from '../rules/rules.ts';
import { notFound, refusal, type Violation, violation } from '../violation.ts';
import { upToDate } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import {
  type Fill,
  findMarket,
  idOf,
  nextSequence,
  portfolioOf,
  type Seat,
  touch,
  type World,
} from '../world/world.ts';
import { cumulativeShares } from './plan.ts';

/**
 * Places a ladder: each rung is its own limit order; a rejected rung is reported, and the others are placed (simulation
 * 7).
 */
export function placeScaled(world: World, command: PlaceScaled): Outcome {
  const portfolio = world.portfolios.get(command.accountId);
  if (portfolio === undefined) return notFound('account', command.accountId);
  const market = findMarket(world, command.marketId);
  if (market === undefined) return notFound('market', command.marketId);
  const seat = upToDate({ world, portfolio, market });
  const unsound = precisionViolation(seat, command);
  if (unsound !== null) return refusal(unsound);
  const rungs = rungsOf(market, command);
  const broken = ladderViolation(seat, command, rungs);
  if (broken !== null) return refusal(broken);
  const scaled = newScaled(seat, command, rungs);
  world.scaled.set(scaled.id, scaled);
  for (const rung of rungs) placeRung(seat, scaled, rung, command);
  touch(world, 'scaled', scaled);
  closeIfOver(world, scaled);
  return { ok: true, scaled };
}

function rungsOf(market: Market, command: PlaceScaled): ScaledRung[] {
  const { priceDecimals, sizeDecimals } = market.definition;
  const ladder = {
    startPrice: toUnits(command.startPrice, priceDecimals).units,
    endPrice: toUnits(command.endPrice, priceDecimals).units,
    rungCount: command.rungCount,
    side: command.side,
  };
  const prices = rungPrices(ladder, (price, toward) => snapToGrid(market.definition, price, toward));
  const total = toUnits(command.size, sizeDecimals).units;
  const sizes = rungSizes(total, command.rungCount, command.distribution, lotOf(market.definition));
  return prices.map((price, at) => ({
    price,
    size: sizes[at]!,
    liquidityRole: null,
    orderId: null,
    rejectReason: null,
    rejectRuleId: null,
  }));
}

/** The size is whole lots and both ends are on the grid. */
function precisionViolation(seat: Seat, command: PlaceScaled): Violation | null {
  const { priceDecimals, sizeDecimals } = seat.market.definition;
  const size = toUnits(command.size, sizeDecimals).units;
  const [start, end] = [command.startPrice, command.endPrice].map((price) =>
    unplaced(seat, rungFields(command, { price: toUnits(price, priceDecimals).units, size })),
  );
  return sizePrecision(start!) ?? pricePrecision(start!) ?? pricePrecision(end!);
}

/**
 * The rule that the ladder as a whole breaks: a rung that is too small, or a rule that its largest rung alone breaks.
 */
function ladderViolation(seat: Seat, command: PlaceScaled, rungs: readonly ScaledRung[]): Violation | null {
  const tooSmall = rungSizeViolation(seat, command, rungs);
  if (tooSmall !== null) return tooSmall;
  const largest = rungs.reduce((left, right) => (right.size > left.size ? right : left));
  const ticket = unplaced(seat, rungFields(command, largest));
  return placementViolation(ticket) ?? exposureViolation(ticket);
}

function rungSizeViolation(
  { portfolio, market }: Seat,
  command: PlaceScaled,
  rungs: readonly ScaledRung[],
): Violation | null {
  const { definition } = market;
  const minimum = command.reduceOnly ? 0n : toMoney(portfolio.account.policy.limits.minOrderNotionalUsd);
  const at = rungs.findIndex(({ price, size }) => size === 0 || notionalAt(definition, price, size) < minimum);
  if (at < 0) return null;
  const rung = rungs[at]!;
  return violation('rung-size', `Rung ${at} of the ladder is empty or worth less than the minimum notional.`, {
    rung: at,
    rung_size: toNumber(rung.size, definition.sizeDecimals),
    rung_price: toNumber(rung.price, definition.priceDecimals),
    min_order_notional_usd: moneyToNumber(minimum),
  });
}

function placeRung(seat: Seat, scaled: ScaledOrder, rung: ScaledRung, command: PlaceScaled): void {
  const order = draftRecord(seat, { ...rungFields(command, rung), scaledOrderId: scaled.id });
  rung.orderId = order.id;
  const outcome = submit({ ...seat, order });
  if (outcome.ok) return;
  rung.rejectReason = outcome.message;
  rung.rejectRuleId = outcome.ruleId ?? null;
  if (outcome.order === undefined) rung.orderId = null;
}

function rungFields(command: PlaceScaled, { price, size }: { price: Price; size: number }) {
  const { side, leverage, marginMode, reduceOnly, marketableLimitAcknowledged } = command;
  const terms = { side, leverage, marginMode, reduceOnly, marketableLimitAcknowledged };
  return { ...terms, type: 'limit', mode: 'limit', size, limitPrice: price, timeInForce: 'gtc' } as const;
}

function newScaled({ world, portfolio, market }: Seat, command: PlaceScaled, rungs: ScaledRung[]): ScaledOrder {
  const sequence = nextSequence(world);
  const { kind: _, size, rungCount: _count, marketableLimitAcknowledged: _acknowledged, ...terms } = command;
  return {
    ...terms,
    id: idOf('scl', sequence),
    sequence,
    owner: portfolio.account.owner,
    totalSize: toUnits(size, market.definition.sizeDecimals).units,
    rungs,
    status: 'working',
    startedAt: world.now,
    completedAt: null,
    canceledAt: null,
  };
}

/** How a ladder's size is spread from its first rung to its last. */
export type Distribution = 'flat' | 'ascending' | 'descending';

/** Rounds a price down or up to its market's grid; a price on the grid is unchanged. */
type SnapToGrid = (price: Price, toward: 'down' | 'up') => Price;

/**
 * Prices of a ladder: rung i at start + i x (end - start) / (count - 1), on the grid (simulation 7.3). A price between
 * two grid prices is rounded away from the market: down for a buy, up for a sell.
 */
export function rungPrices(
  ladder: { startPrice: Price; endPrice: Price; rungCount: number; side: Side },
  snap: SnapToGrid,
): Price[] {
  const { startPrice, endPrice, rungCount, side } = ladder;
  const steps = rungCount - 1;
  return Array.from({ length: rungCount }, (_, rung) => {
    // Two products, each of a price and at most nine steps: exact in doubles.
    const scaled = startPrice * (steps - rung) + endPrice * rung;
    return side === 'buy' ? snap(Math.floor(scaled / steps), 'down') : snap(Math.ceil(scaled / steps), 'up');
  });
}

/**
 * Sizes of a ladder: differences of floored cumulative sizes, so that they sum to the total exactly (simulation 7.3).
 */
export function rungSizes(totalSize: Lots, rungCount: number, distribution: Distribution, lot = 1): Lots[] {
  const weights = Array.from({ length: rungCount }, (_, rung) => {
    if (distribution === 'flat') return 1;
    return distribution === 'ascending' ? rung + 1 : rungCount - rung;
  });
  const cumulative = cumulativeShares(totalSize, weights, lot);
  return cumulative.map((share, rung) => share - (cumulative[rung - 1] ?? 0));
}

/** Cancels a ladder's working rungs; fills stay (simulation 7.3). */
export function cancelScaled(world: World, { scaledOrderId }: CancelScaled): Outcome {
  const scaled = world.scaled.get(scaledOrderId);
  if (scaled === undefined) return notFound('working scaled order', scaledOrderId);
  endScaled(world, scaled);
  return { ok: true, scaled };
}

/** Ends a ladder early. */
export function endScaled(world: World, scaled: ScaledOrder): void {
  close(world, scaled, 'canceled');
  for (const child of [...portfolioOf(world, scaled.accountId).orders.values()]) {
    if (child.scaledOrderId === scaled.id && isWorking(child)) cancel(world, child, 'its ladder was canceled');
  }
}

/** Records a child's fill on its rung, and ends the ladder with its last rung. */
export function noteRungFill(world: World, fill: Fill): void {
  const scaled = ladderOf(world, fill.order);
  const rung = scaled?.rungs.find(({ orderId }) => orderId === fill.order.id);
  if (scaled === undefined || rung === undefined) return;
  rung.liquidityRole = fill.record.liquidityRole;
  touch(world, 'scaled', scaled);
  closeIfOver(world, scaled);
}

/** Ends a ladder when its last working rung has ended; a fill is handled once it is booked. */
export function noteRungEnd(world: World, order: Order): void {
  const scaled = ladderOf(world, order);
  if (scaled !== undefined && order.status !== 'filled') closeIfOver(world, scaled);
}

/** Ends a ladder with no working rung left: completed if one filled, rejected if none was accepted. */
function closeIfOver(world: World, scaled: ScaledOrder): void {
  const { rungs } = scaled;
  const isPlaced = rungs.every(({ orderId, rejectReason }) => orderId !== null || rejectReason !== null);
  if (!isPlaced || rungs.some(({ orderId }) => orderId !== null && world.orders.has(orderId))) return;
  if (rungs.some(({ liquidityRole }) => liquidityRole !== null)) close(world, scaled, 'completed');
  else close(world, scaled, rungs.every(({ rejectReason }) => rejectReason !== null) ? 'rejected' : 'canceled');
}

function ladderOf(world: World, order: Order): ScaledOrder | undefined {
  return order.scaledOrderId === null ? undefined : world.scaled.get(order.scaledOrderId);
}

function close(world: World, scaled: ScaledOrder, status: 'completed' | 'canceled' | 'rejected'): void {
  scaled.status = status;
  if (status === 'canceled') scaled.canceledAt = world.now;
  else scaled.completedAt = world.now;
  world.scaled.delete(scaled.id);
  touch(world, 'scaled', scaled);
}
