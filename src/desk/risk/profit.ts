import { boundMargin } from '../../base/margin/holding.ts';
import { gain, type Money, netOf, toNotional } from '../../base/margin/notional.ts';
import { decimalsOf, moneyToNumber, roundedUnits, toMoney } from '../../base/terms/decimal.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Position } from '../../wire/contract/positions.ts';

/** Equity at the start of the trading day, from the daily-loss floor; undefined if the account has no such rule. */
export function dayStartEquity({ starting_balance, risk }: Account): number | undefined {
  const { daily_loss_floor: floor, requirements } = risk ?? {};
  if (typeof floor !== 'number' || typeof requirements?.daily_loss_pct !== 'number') return undefined;
  return floor + (starting_balance * requirements.daily_loss_pct) / 100;
}

/** The parts of an open position that determine its result at a mark. */
export type HeldPosition = Pick<
  Position,
  'market_id' | 'side' | 'size' | 'entry_price' | 'leverage' | 'margin_mode' | 'isolated_margin_extra'
>;

/** Profit of a position at a mark before fees and carry, exact (simulation 5). */
export function profitOf(
  { side, size, entry_price }: Pick<HeldPosition, 'side' | 'size' | 'entry_price'>,
  mark: number,
): Money {
  return gain(side, notionalOf(mark, size), notionalOf(entry_price, size));
}

/** The value of a size at a price, rounded to money as it is booked. */
export function notionalOf(price: number, size: number): Money {
  const [priceDecimals, sizeDecimals] = [decimalsOf(price), decimalsOf(size)];
  return toNotional(
    { priceDecimals, sizeDecimals },
    roundedUnits(price, priceDecimals) * roundedUnits(size, sizeDecimals),
  );
}

/** Profit of a position at a mark in USD; its size is negative if it is short. */
export function profitAt({ size, entryPrice }: { size: number; entryPrice: number }, mark: number): number {
  return moneyToNumber(
    profitOf({ side: size < 0 ? 'short' : 'long', size: Math.abs(size), entry_price: entryPrice }, mark),
  );
}

/** Profit of an open position at a mark in USD; undefined without a mark, or if a host has sent no numbers. */
export function unrealizedPnl(position: Position, mark: number | undefined): number | undefined {
  if (mark === undefined || !Number.isFinite(mark) || position.status !== 'open' || !isSound(position))
    return undefined;
  return moneyToNumber(profitOf(position, mark));
}

/** A host may have sent anything: only numbers are usable. */
export function isSound({ size, entry_price, leverage, isolated_margin_extra }: HeldPosition): boolean {
  return [size, entry_price, leverage, isolated_margin_extra].every(Number.isFinite) && leverage > 0;
}

/**
 * Balance plus the profit of every position at its mark, USD; an isolated one loses at most its margin (simulation
 * 5.2). Undefined if a mark is missing.
 */
export function equityAt(
  balance: number,
  positions: Iterable<HeldPosition>,
  markOf: (marketId: string) => number | undefined,
): number | undefined {
  if (!Number.isFinite(balance)) return undefined;
  let equity = toMoney(balance);
  for (const position of positions) {
    const mark = markOf(position.market_id);
    if (mark === undefined || !Number.isFinite(mark) || !isSound(position)) return undefined;
    const profit = profitOf(position, mark);
    const { entry_price, size, leverage, isolated_margin_extra } = position;
    const isolatedMarginExtra = toMoney(isolated_margin_extra);
    const margin = boundMargin({ cost: notionalOf(entry_price, size), leverage, isolatedMarginExtra });
    equity += position.margin_mode === 'isolated' && profit < -margin ? -margin : profit;
  }
  return moneyToNumber(equity);
}

/** A closed position's effect on the balance, USD; undefined if its profit, its fees or its carry are not reported. */
export function netPnl({ realized_pnl, fees, funding }: Partial<Position>): number | undefined {
  const parts = [realized_pnl, fees, funding];
  if (!parts.every((part): part is number => Number.isFinite(part))) return undefined;
  const [realizedPnl, paid, carry] = parts.map(toMoney) as [Money, Money, Money];
  return moneyToNumber(netOf({ realizedPnl, fees: paid, funding: carry, bankruptcy: 0n }));
}

/** The same of a round trip whose carry is negative if it was charged. */
export function netOfTrip({ realized, fees, carry }: { realized: number; fees: number; carry: number }): number {
  return netPnl({ realized_pnl: realized, fees, funding: -carry }) ?? 0;
}
