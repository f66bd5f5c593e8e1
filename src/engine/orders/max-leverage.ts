import type { Market } from '../book/market.ts';
import type { Order } from '../model.ts';
import { addedLots, isLeverageIn, mostLeverage } from '../risk/margin.ts';
import { type Violation, violation } from '../violation.ts';
import type { Desk } from '../world.ts';

/** Leverage out of bounds; that of what only reduces is its position's, whatever the bounds are now. */
export function maxLeverage(market: Market, order: Order, desk: Desk): Violation | null {
  if (isLeverageIn(desk, market, order.leverage) || addedLots(desk, order) === 0) return null;
  const most = mostLeverage(desk, market);
  const { maintenanceMarginRatioBps } = desk.account.policy.limits;
  const isBelowMarket = most < market.definition.maxLeverage;
  const why = isBelowMarket ? `, at a maintenance margin of ${maintenanceMarginRatioBps / 100} %` : '';
  return violation('max-leverage', `Leverage in ${market.id} is a whole number from 1 to ${most}${why}.`, {
    max_leverage: most,
    ...(isBelowMarket && { maintenance_margin_ratio_bps: maintenanceMarginRatioBps }),
  });
}
