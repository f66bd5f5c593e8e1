import { initialMargin, unrealizedPnl } from '../../margin/holding.ts';
import { isLiquidatable, liquidationPoint } from '../../margin/liquidation-price.ts';
import { moneyToNumber, toMoney, toNumber } from '../../terms/decimal.ts';
import type { Outcome, SetIsolatedMargin } from '../commands.ts';
import type { HalfPrice, Money, Position } from '../model.ts';
import { notFound, refusal, type Violation, violation } from '../violation.ts';
import { bookProblem, bringPositionsUpToDate, freshMark } from '../world/current-book.ts';
import type { Market } from '../world/market.ts';
import { marketOf, type Portfolio, portfolioOf, touchPosition, type World } from '../world/world.ts';
import { availableBalance, freshMarks, marginPool } from './equity.ts';
import { reservedByOrders } from './margin.ts';

/** Removing margin must leave the liquidation price at least this fraction of the mark away from it. */
const minDistanceBps = 100;

/** Sets the total extra margin of an isolated position, so repeating it is safe (simulation 5.5). */
export function setIsolatedMargin(world: World, command: SetIsolatedMargin): Outcome {
  const position = world.positions.get(command.positionId);
  if (position === undefined) return notFound('open position', command.positionId);
  if (position.marginMode !== 'isolated') {
    return refusal(violation('margin-mode', 'Only an isolated position has its own margin.'));
  }
  const portfolio = portfolioOf(world, position.accountId);
  bringPositionsUpToDate(world, portfolio);
  const extra = toMoney(command.extraMargin);
  const added = extra - position.isolatedMarginExtra;
  if (added > 0n) {
    const broken = raiseViolation(world, portfolio, added);
    if (broken !== null) return refusal(broken);
  } else if (added < 0n) {
    const market = marketOf(world, position.marketId);
    const mark = freshMark(world, portfolio, market);
    if (mark === null) {
      const isRecent = market.book.isRecent(world.now, portfolio.account.policy.limits.maxBookStalenessMs);
      return { ok: false, code: 'unavailable', message: bookProblem(market, isRecent, 'go by') };
    }
    const broken = reductionViolation(world, portfolio, market, { ...position, isolatedMarginExtra: extra }, mark);
    if (broken !== null) return refusal(broken);
  }
  position.isolatedMarginExtra = extra;
  touchPosition(world, position);
  return { ok: true, position };
}

function raiseViolation(world: World, portfolio: Portfolio, added: Money): Violation | null {
  const available = availableBalance(world, portfolio) - reservedByOrders(world, portfolio, null);
  if (added <= available) return null;
  return violation('insufficient-margin', "The extra margin exceeds the account's available balance.", {
    required_margin: moneyToNumber(added),
    available_balance: moneyToNumber(available),
  });
}

/** The remaining margin must cover the initial margin and must not be close to liquidation. */
function reductionViolation(
  world: World,
  portfolio: Portfolio,
  market: Market,
  reduced: Position,
  mark: HalfPrice,
): Violation | null {
  const margin = initialMargin(reduced);
  const equity = margin + reduced.isolatedMarginExtra + unrealizedPnl(market.definition, reduced, mark);
  const pool = marginPool(world, portfolio, [reduced], freshMarks(world, portfolio))!;
  const point = liquidationPoint(pool, 0);
  const isNear = point !== null && Math.abs(2 * point.price - mark) * 10_000 <= minDistanceBps * mark;
  if (equity >= margin && !isNear && !isLiquidatable(pool)) return null;
  const { priceDecimals } = market.definition;
  return violation('unsafe-margin', 'The position would be left with too little margin.', {
    equity: moneyToNumber(equity),
    initial_margin: moneyToNumber(margin),
    mark: toNumber(mark * 5, priceDecimals + 1),
    liquidation_price: point === null ? null : point.price / 10 ** priceDecimals,
  });
}
