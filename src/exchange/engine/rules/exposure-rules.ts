import { chargeClose, directionOf, initialMargin, resultOfClose } from '../../../base/margin/holding.ts';
import { notionalAtMark, shareOf } from '../../../base/margin/notional.ts';
import { moneyToNumber, toMoney } from '../../../base/terms/decimal.ts';
import {
  addedLots,
  allowedLeverage,
  availableOf,
  feeOf,
  isLeverageIn,
  marginAndFee,
  marginUsed,
  referenceNotional,
  reservedByOrders,
} from '../accounts/margin.ts';
import type { Lots, Money, Position } from '../model.ts';
import { observedOf } from '../observed.ts';
import { type Violation, violation } from '../violation.ts';
import { freshMark } from '../world/current-book.ts';
import { marketOf, type Ticket } from '../world/world.ts';

/**
 * The rules of new exposure, in the order in which they are checked. They apply when an order is placed and again at
 * each of its fills (simulation 3.4). They apply only to added exposure, never to a reduction.
 */
export const exposureChecks: readonly Check[] = [
  accountIsActive,
  tradingHalt,
  restriction,
  payoutPending,
  competition,
  maxLeverage,
  leverageMatchesPosition,
  maxOpenPositions,
  maxPositionValue,
  maximumTotalNotional,
  exposureCap,
  sufficientMargin,
];

function accountIsActive({ portfolio }: Placement): Violation | null {
  const { status } = portfolio.account;
  if (status === 'active') return null;
  return violation('account-not-active', `The account is ${status} and can't add exposure.`, { status });
}

function tradingHalt({ world, market }: Placement): Violation | null {
  const { category, isRetired } = market.definition;
  if (isRetired) {
    return violation('trading-halt', `${market.id} is no longer in the catalog: only reductions are allowed.`, {
      scope: market.id,
    });
  }
  if (world.halt.platform)
    return violation('trading-halt', 'Trading is halted on the platform.', { scope: 'platform' });
  if (!world.halt.categories.includes(category)) return null;
  return violation('trading-halt', `Trading is halted in ${category}.`, { scope: category });
}

function restriction({ portfolio }: Placement): Violation | null {
  const restricted = portfolio.account.policy.restriction;
  if (restricted === null) return null;
  // A reason may be a full sentence.
  const reason = restricted.reason.replace(/\.$/, '');
  return violation('account-restriction', `The account may only reduce: ${reason}.`, {
    restriction: restricted.restriction,
  });
}

function payoutPending({ portfolio }: Placement): Violation | null {
  if (!portfolio.account.policy.payoutPending) return null;
  return violation('payout-pending', "A payout is pending: the account can't add exposure.");
}

function competition({ portfolio, market }: Placement): Violation | null {
  const rules = portfolio.account.policy.competition;
  if (rules === null) return null;
  if (rules.openingExposureRestricted) {
    return violation('competition-exposure', 'The competition does not allow new exposure now.');
  }
  if (rules.marketAllowlist.length === 0 || rules.marketAllowlist.includes(market.id)) return null;
  return violation('competition-market', `${market.id} is not one of the competition's markets.`);
}

/** Refuses leverage out of bounds. A reduction has the leverage of its position, even if the bounds have changed. */
export function maxLeverage({ portfolio, market, order }: Ticket): Violation | null {
  if (isLeverageIn(portfolio, market, order.leverage) || addedLots(portfolio, order) === 0) return null;
  const most = allowedLeverage(portfolio, market);
  const { maintenanceMarginRatioBps } = portfolio.account.policy.limits;
  const isBelowMarket = most < market.definition.maxLeverage;
  const why = isBelowMarket ? `, at a maintenance margin of ${maintenanceMarginRatioBps / 100}%` : '';
  return violation('max-leverage', `Leverage in ${market.id} must be a whole number from 1 to ${most}${why}.`, {
    max_leverage: most,
    ...(isBelowMarket && { maintenance_margin_ratio_bps: maintenanceMarginRatioBps }),
  });
}

function leverageMatchesPosition({ portfolio, market, order, isAccepted }: Placement): Violation | null {
  const differs = (other: { leverage: number; marginMode: string }) =>
    other.leverage !== order.leverage || other.marginMode !== order.marginMode;
  const position = portfolio.positions.get(market.id);
  let different: { leverage: number; marginMode: string } | undefined;
  if (position !== undefined && position.direction === directionOf(order.side) && differs(position))
    different = position;
  else if (!isAccepted)
    different = portfolio.orders.values().find((other) => {
      const isOther = other.id !== order.id && other.marketId === market.id && differs(other);
      return isOther && addedLots(portfolio, other) > 0;
    });
  if (different === undefined) return null;
  const { leverage, marginMode } = different;
  return violation(
    'leverage-mismatch',
    `The account's position or orders in ${market.id} are already at ${leverage}x ${marginMode}.`,
    {
      leverage,
      margin_mode: marginMode,
    },
  );
}

function maxOpenPositions({ portfolio, market }: Placement): Violation | null {
  const maximum = portfolio.account.policy.limits.maxOpenPositions;
  if (portfolio.positions.has(market.id) || portfolio.positions.size < maximum) return null;
  return violation('max-open-positions', `The account already has ${maximum} open positions.`, {
    max_open_positions: maximum,
  });
}

function maxPositionValue(placement: Placement): Violation | null {
  const { portfolio, market, order } = placement;
  const maximum = portfolio.account.policy.limits.maxPositionValueUsd;
  const position = portfolio.positions.get(market.id);
  const isAdd = position !== undefined && position.direction === directionOf(order.side);
  const value = (isAdd ? valueAtMark(placement, market.id) : 0n) + addedNotional(placement);
  if (value <= toMoney(maximum)) return null;
  return violation('max-position-value-usd', `The position would be worth more than ${maximum} USD.`, {
    max_position_value_usd: maximum,
    position_value: moneyToNumber(value),
  });
}

function maximumTotalNotional(placement: Placement): Violation | null {
  const { portfolio, market, isAccepted } = placement;
  const maximum = portfolio.account.policy.maximumTotalNotionalUsd;
  if (maximum === null) return null;
  let total = addedNotional(placement);
  for (const { marketId, cost } of portfolio.positions.values()) {
    // A fill happens within its own market's event; other events of the same millisecond may still follow.
    const isMarked = !isAccepted || marketId === market.id;
    total += isMarked ? valueAtMark(placement, marketId) : cost;
  }
  total -= closedValue(placement);
  if (total <= toMoney(maximum)) return null;
  return violation('maximum-total-notional-usd', `All positions together would be worth more than ${maximum} USD.`, {
    maximum_total_notional_usd: maximum,
    total_notional: moneyToNumber(total),
  });
}

/** The owner's open notional in the market, over all accounts; the allowed amount is not disclosed. */
function exposureCap(placement: Placement): Violation | null {
  const { world, portfolio, market } = placement;
  const { exposureCapUsd } = observedOf(portfolio.account.policy);
  if (exposureCapUsd === null) return null;
  const { owner, environment } = portfolio.account;
  let exposure = addedNotional(placement) - closedValue(placement);
  for (const other of world.portfolios.values()) {
    const isOwn = other.account.owner === owner && other.account.environment === environment;
    if (isOwn && other.positions.has(market.id)) exposure += valueAtMark({ ...placement, portfolio: other }, market.id);
  }
  if (exposure <= toMoney(exposureCapUsd)) return null;
  return aboveCap(market.id);
}

/** An order is above the hidden exposure cap (simulation 6.3). */
export function aboveCap(marketId: string): Violation {
  return violation('exposure-cap', `No more open notional is possible in ${marketId} at present.`);
}

function sufficientMargin(placement: Placement): Violation | null {
  const { world, portfolio, order, isAccepted } = placement;
  const required = marginAndFee(placement, addedNotional(placement), order.leverage);
  const { balance, positions } = afterClosing(placement);
  const reserved = isAccepted ? 0n : reservedByOrders(world, portfolio, order);
  // An accepted order has its reservation: later unrealized losses do not take it away.
  const own = isAccepted ? balance - marginUsed(positions) : availableOf(world, portfolio, balance, positions);
  const available = own - reserved;
  if (required <= available) return null;
  return violation('insufficient-margin', "The order's margin and fee exceed the account's available balance.", {
    required_margin: moneyToNumber(required),
    available_balance: moneyToNumber(available > 0n ? available : 0n),
    reserved_by_orders: moneyToNumber(reserved),
  });
}

/** If the order is a flip, the lots that it closes before it opens the rest (simulation 5.1). */
function closedByFlip({
  portfolio,
  market,
  order,
  lots,
  addedLots,
}: Placement): { position: Position; lots: Lots } | null {
  const position = portfolio.positions.get(market.id);
  if (position === undefined || position.direction === directionOf(order.side)) return null;
  const closed = Math.min(position.size, lots - addedLots);
  return closed > 0 ? { position, lots: closed } : null;
}

/** Balance and open positions after a flip's close: its margin is released, its result is booked. */
function afterClosing(placement: Placement): { balance: Money; positions: Position[] } {
  const { portfolio, lots, addedLots, notional } = placement;
  const positions = [...portfolio.positions.values()];
  const closed = lots === addedLots ? null : closedByFlip(placement);
  if (closed === null || notional === null) return { balance: portfolio.account.balance, positions };
  const { position } = closed;
  const isWhole = closed.lots === position.size;
  const value = shareOf(notional, closed.lots, lots);
  const { cost, realized } = resultOfClose(position, closed.lots, value);
  const result = realized - feeOf(placement, value);
  const rest: Position = { ...position, size: position.size - closed.lots, cost: position.cost - cost };
  let balance = portfolio.account.balance + result;
  if (position.marginMode === 'isolated') {
    const { isolatedMarginExtra } = position;
    const charged = chargeClose(initialMargin(position), isolatedMarginExtra, result, initialMargin(rest));
    rest.isolatedMarginExtra = charged.extra;
    balance += charged.shortfall;
  }
  const others = positions.filter((one) => one !== position);
  return { balance, positions: isWhole ? others : [...others, rest] };
}

function closedValue(placement: Placement): Money {
  const closed = closedByFlip(placement);
  if (closed === null) return 0n;
  return shareOf(valueAtMark(placement, placement.market.id), closed.lots, closed.position.size);
}

/** The part of the notional that adds exposure. */
function addedNotional({ lots, notional, addedLots }: Placement): Money {
  if (notional === null) return 0n;
  return addedLots === lots ? notional : shareOf(notional, addedLots, lots);
}

/** Value of an open position at its fresh mark, else at its cost. */
function valueAtMark({ world, portfolio }: Placement, marketId: string): Money {
  const position = portfolio.positions.get(marketId)!;
  const market = marketOf(world, marketId);
  const mark = freshMark({ world, portfolio, market });
  return mark === null ? position.cost : notionalAtMark(market.definition, mark, position.size);
}

/** The subject of the rules: an order before it is accepted, or lots of an accepted one that are about to fill. */
export interface Placement extends Ticket {
  /** Whether the order was already accepted: then it has its reservation, and is only compared with the position. */
  readonly isAccepted: boolean;
  readonly lots: Lots;
  /** Lots of new exposure; 0: a reduction, which skips minimum notional, cooldown and trade counts (simulation 6.2). */
  readonly addedLots: Lots;
  /** Value of `lots` at the walk's price, else the order's own, else the mark; null if none is known. */
  readonly notional: Money | null;
}

/** One rule: the violation of an order, or null. */
export type Check = (placement: Placement) => Violation | null;

/** A whole order at its own price or the mark, as the rules see it. */
export function placementOf(ticket: Ticket): Placement {
  const { portfolio, market, order } = ticket;
  return {
    ...ticket,
    isAccepted: portfolio.orders.get(order.id) === order,
    lots: order.size,
    addedLots: addedLots(portfolio, order),
    notional: referenceNotional(market, order, order.size),
  };
}

/** The first violation, or null. */
export function firstViolation(placement: Placement, checks: readonly Check[]): Violation | null {
  for (const check of checks) {
    const broken = check(placement);
    if (broken !== null) return broken;
  }
  return null;
}
