import type { Account } from '../../contract/accounts.ts';
import type { Market, Quote } from '../../contract/markets.ts';
import type { Position } from '../../contract/positions.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure, usageFailure } from '../../ground/failure/failure.ts';
import { quantity, usd } from '../../ground/text/format.ts';
import { positionIn } from '../resolve/position.ts';
import { fetchQuote } from '../resolve/quote.ts';
import { accountRisk } from '../resolve/risk.ts';
import { nearestFloor } from '../risk/breach.ts';
import { type Fitting, fittingSize, type Judgment } from '../risk/fitting-size.ts';
import { fits, largestSize, lossAtStop, type RiskLimit, type StoppedOrder } from '../risk/worst-case.ts';
import type { Session } from '../session/session.ts';
import type { RiskSize } from '../values/sizes.ts';
import { limitFill } from './limit-fill.ts';

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

/**
 * The largest size, in whole lots, with which an order loses no more than the risk when its stop fills at its trigger
 * price. The risk includes slippage, commissions and a position that the order adds to. Prints the result as a note.
 */
export async function riskedSize(session: Session, risk: RiskSize, order: RiskOrder): Promise<Sized> {
  const { account_id, market } = order;
  const [account, held] = await Promise.all([accountRisk(session), positionIn(session, market.market_id)]);
  checkAdds(risk.text, order, held);
  const limit = limitOf(risk, account);
  const signed = held === undefined ? 0 : held.side === 'long' ? held.size : -held.size;
  const entries = new Map<number, number>();
  const trial = async (size: number) => {
    const quote = await fetchQuote(session, market.market_id, { side: order.side, size, account: account_id });
    const filled = fillOf(order, size, quote);
    if (filled === undefined) return undefined;
    entries.set(size, filled.entry);
    const stop = await order.stop(filled.entry);
    checkSide(order, stop, filled.entry);
    const feeBps = quote.estimated_fee === 0 ? 0 : (quote.fee_bps ?? 0);
    return { ...filled, side: order.side, size, stop, mark: quote.mid ?? filled.entry, feeBps, held: signed };
  };
  const judgment: Judgment<StoppedOrder> = {
    fits: (tried) => fits(lossAtStop(tried), limit),
    largest: (tried) => largestSize(tried, limit, market.size_decimals),
  };
  const fitting = await fittingSize(trial, judgment, market.size_decimals);
  if (fitting.order === undefined) throw noSize(risk, order, limit, { ...fitting, held: signed });
  const { size, stop } = fitting.order;
  session.note(
    `${risk.text} is ${quantity(size)} ${market.symbol}: at the stop ${quantity(stop)} it loses ${usd(lossAtStop(fitting.order))} of ${usd(limit.amount)} USD, including slippage and fees${fitting.isTooDeep ? "; the visible book can't fill more" : ''}.`,
  );
  return { size, entry: entries.get(size)! };
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

function limitOf({ amount, of, text }: RiskSize, { risk, status }: Account): RiskLimit {
  if (of === 'usd') return { amount, isInclusive: true };
  const share = (whole: number) => Number(((whole * amount) / 100).toFixed(8));
  if (of === 'equity') {
    if (risk?.equity !== null && risk?.equity !== undefined) return { amount: share(risk.equity), isInclusive: true };
    throw new Failure({
      exit: exitCodes.unavailable,
      code: 'no_equity',
      message: `${text} is a share of the account's equity, which is currently unknown.`,
      hint: 'Try again in a moment, or give the risk in USD: risk:200usd.',
      retryable: true,
    });
  }
  const floor = nearestFloor(risk);
  if (floor === undefined) {
    throw usageFailure(
      `${text} is a share of the room to a floor, but the account has no floor with a known room.`,
      'Give the risk in USD or as a share of the equity: risk:200usd, risk:0.5%.',
    );
  }
  if (floor.room > 0 && status === 'active') return { amount: share(floor.room), isInclusive: amount < 100 };
  throw new Failure({
    exit: exitCodes.rejected,
    code: 'no_room',
    message:
      status === 'active'
        ? `No room is left above the ${floor.name} floor at ${usd(floor.at)}, so no size fits.`
        : `The account is ${status}: it has no room, so no size fits.`,
    hint: 'perp accounts show prints the floors.',
  });
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

function noSize(
  risk: RiskSize,
  { market }: RiskOrder,
  limit: RiskLimit,
  { isTooDeep, lot: smallest, held }: Fitting<StoppedOrder> & { held: number },
): Failure {
  if (isTooDeep || smallest === undefined) {
    return new Failure({
      exit: exitCodes.rejected,
      code: 'insufficient_depth',
      message: `${risk.text} at this stop needs more ${market.symbol} than the visible book can fill. Nothing was sent.`,
      hint: 'Risk less, move the stop further away, or use a --limit-price.',
    });
  }
  const lot = quantity(10 ** -market.size_decimals);
  const what = held === 0 ? `one lot of ${lot} ${market.symbol} loses` : `one more lot and the open position lose`;
  return usageFailure(
    `${risk.text} (${usd(limit.amount)} USD) is less than what ${what} at this stop: ${usd(lossAtStop(smallest))} USD.`,
    'Risk more, or move the stop closer to the entry.',
  );
}
