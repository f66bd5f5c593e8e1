import { toUnits } from '../../../base/terms/decimal.ts';
import type { AmendOrder, Outcome } from '../commands.ts';
import { unusableBook } from '../fills/take.ts';
import type { Order } from '../model.ts';
import { follows, isArmed, rearm, reprice, repricedTrigger } from '../orders/working-orders.ts';
import { amendedExits } from '../rules/exit-rules.ts';
import { placementOf } from '../rules/exposure-rules.ts';
import {
  exposureViolation,
  marketableLimit,
  minimumNotional,
  precisionViolation,
  restingViolation,
  triggerSide,
  wouldCross,
} from '../rules/rules.ts';
import { conflict, copyManaged, notFound, refusal, type Violation } from '../violation.ts';
import { bringPositionsUpToDate, bringUpToDate, isFresh } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, portfolioOf, type World } from '../world/world.ts';

/**
 * Changes the price of a working order and, if a size is given, its remainder (simulation 3.4, 4.2). A resting limit
 * order keeps its place in line only if its price is unchanged and its size does not grow.
 */
export function amendOrder(world: World, command: AmendOrder): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.copyConfigId !== null) return copyManaged();
  if (order.status === 'pending') return conflict("The order is on its way to the book and can't be changed.");
  if (follows(order)) return conflict("A chase follows the book and can't be amended. Cancel it and place another.");
  if (isArmed(order)) return amendArmed(world, command, order);
  return amendResting(world, command, order);
}

function amendResting(world: World, command: AmendOrder, order: Order): Outcome {
  const portfolio = portfolioOf(world, order.accountId);
  const market = marketOf(world, order.marketId);
  bringUpToDate(world, market);
  bringPositionsUpToDate(world, portfolio);
  const { priceDecimals, sizeDecimals } = market.definition;
  const size = command.size === null ? order.size : toUnits(command.size, sizeDecimals).units;
  const amended: Order = { ...order, limitPrice: toUnits(command.price, priceDecimals).units, size };
  const broken = amendViolation(world, portfolio, market, order, amended);
  if (broken !== null) return refusal(broken);
  reprice(world, market, order, amended);
  return { ok: true, order };
}

/** The rule that the amended order would break; its current version is ignored. */
function amendViolation(
  world: World,
  portfolio: Portfolio,
  market: Market,
  order: Order,
  amended: Order,
): Violation | null {
  const unsound =
    precisionViolation(portfolio, market, amended) ??
    amendedExits(portfolio, market, order, amended) ??
    minimumNotional(placementOf(world, portfolio, market, amended));
  if (unsound !== null) return unsound;
  if (wouldCross(market, amended)) {
    return isFresh(world, portfolio, market)
      ? marketableLimit(market, amended)
      : unusableBook(world, portfolio, market);
  }
  return restingViolation(world, portfolio, market, amended, { filled: 0, notional: 0n });
}

/** Changes the trigger price of an armed order and, if a size is given, its remainder (simulation 4.2). */
function amendArmed(world: World, command: AmendOrder, order: Order): Outcome {
  const { definition } = marketOf(world, order.marketId);
  const size = command.size === null ? order.size : toUnits(command.size, definition.sizeDecimals).units;
  const amended = repricedTrigger(world, { ...order, size }, command.price);
  const broken = amendedViolation(world, order, amended);
  if (broken !== null) return refusal(broken);
  rearm(world, order, amended);
  return { ok: true, order, queued: true };
}

function amendedViolation(world: World, order: Order, amended: Order): Violation | null {
  const portfolio = portfolioOf(world, amended.accountId);
  const market = marketOf(world, amended.marketId);
  bringUpToDate(world, market);
  bringPositionsUpToDate(world, portfolio);
  return (
    precisionViolation(portfolio, market, amended) ??
    amendedExits(portfolio, market, order, amended) ??
    minimumNotional(placementOf(world, portfolio, market, amended)) ??
    triggerSide(world, amended) ??
    exposureViolation(world, portfolio, market, amended)
  );
}
