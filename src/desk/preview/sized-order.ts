import type { Market, Quote } from '../../contract/markets.ts';
import type { Position } from '../../contract/positions.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure, usageFailure } from '../../ground/failure/failure.ts';
import { quantity } from '../../ground/text/format.ts';
import { limitFill } from '../resolve/quote.ts';

/** An order whose size follows from its risk. */
export interface RiskOrder {
  account_id: string;
  market: Market;
  side: 'buy' | 'sell';
  limit: number | undefined;
  /** Mark of its own market that triggers it. */
  trigger: number | undefined;
  /** The stop of an order that trades at this price. */
  stop(entry: number): Promise<number>;
}

/** The size, and its expected price. */
export interface Sized {
  size: number;
  entry: number;
}

/** A size that follows from a possible loss has no meaning for an order that reduces. */
export function checkAdds(
  text: string,
  { market, side }: Pick<RiskOrder, 'market' | 'side'>,
  held: Position | undefined,
): void {
  if (held === undefined || (held.side === 'long') === (side === 'buy')) return;
  throw usageFailure(
    `${text} sizes an order that opens or adds to a position, but ${market.symbol} is ${held.side} ${quantity(held.size)}.`,
    'Close it first with perp positions close, or give the size itself.',
  );
}

/** The notional and price of a size, from walking the visible book; undefined if the book does not fill it. */
export function fillOf(
  { side, limit, trigger }: Pick<RiskOrder, 'side' | 'limit' | 'trigger'>,
  size: number,
  quote: Quote,
) {
  const { estimated_fill_price: fill, estimated_notional: notional, mid } = quote;
  if (limit !== undefined) {
    const entry = trigger === undefined ? limitFill(side, limit, quote) : limit;
    return { entry, notional: entry === fill && notional !== undefined ? notional : entry * size };
  }
  if (fill === undefined || notional === undefined || quote.fillable === false) return undefined;
  if (trigger === undefined) return { entry: fill, notional };
  // Once triggered, its slippage is assumed to be that of walking the book now.
  const entry = trigger + fill - (mid ?? fill);
  return { entry: trigger, notional: entry * size };
}

/** A stop at or beyond the entry would trigger at once. */
export function checkSide({ side }: Pick<RiskOrder, 'side'>, stop: number, entry: number): void {
  if (side === 'buy' ? stop < entry : stop > entry) return;
  throw new Failure({
    exit: exitCodes.rejected,
    code: 'exit_side',
    ruleId: 'exit-side',
    message: `The stop-loss ${quantity(stop)} of a ${side} at ${quantity(entry)} must be ${side === 'buy' ? 'below' : 'above'} it. Nothing was sent.`,
    hint: 'Choose a --stop-loss on the losing side of the entry; --stop-loss 1% is 1% away, on that side.',
  });
}
