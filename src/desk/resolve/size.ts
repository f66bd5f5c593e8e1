import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { decimalsOf, exact, roundedUnits } from '../../base/terms/decimal.ts';
import { marketName, quantity, usd } from '../../base/text/format.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { Session } from '../session/session.ts';
import type { Size } from '../values/sizes.ts';
import { quoteOnce } from './quote.ts';

/** The base that a size given as a notional, a share or a risk is computed from. */
interface SizeBasis {
  market: Pick<Market, 'market_id' | 'symbol' | 'size_decimals'>;
  side: 'buy' | 'sell';
  /** The order's limit price, if any. */
  price?: number | undefined;
  /** Mark at which the order triggers; absent if it meets the book right away. */
  trigger?: number | undefined;
  /** The limit prices of a ladder, used instead of `price`, with each rung's share of the size. */
  rungs?: readonly { price: number; weight: number }[] | undefined;
  /** The position that a percentage refers to; only for reductions. */
  position?: Position | undefined;
}

/**
 * Resolves a size to the base asset. A notional is divided by the highest price the order can trade at (see {@link
 * notionalPrice}). A notional and a percentage are rounded down to whole lots. Prints the result as a note.
 */
export async function resolveSize(session: Session, size: Size, basis: SizeBasis): Promise<number> {
  const { market, position } = basis;
  if (size.unit === 'base') return size.amount;
  const lot = quantity(10 ** -market.size_decimals);
  if (size.unit === 'percent') {
    if (position === undefined) {
      throw usageFailure(
        `${size.text} is a share of a position, but there is no position that this order reduces.`,
        'A share needs --reduce-only and an open position on the other side. Otherwise, write a size such as 0.05 or 500usd.',
      );
    }
    const share = wholeLots([position.size, size.amount], 100, market.size_decimals);
    if (share === 0) throw tooSmall(`${size.text} of ${quantity(position.size)} ${market.symbol}`, lot, market.symbol);
    session.note(
      `${size.text} of ${quantity(position.size)} ${market.symbol} is ${quantity(share)} ${market.symbol}, in lots of ${lot}.`,
    );
    return share;
  }
  const { price, factors, divisor, remark } = await notionalPrice(session, basis);
  const amount = wholeLots([size.amount, ...factors], divisor, market.size_decimals);
  if (amount === 0) throw tooSmall(`${size.text} at ${quantity(price)}`, lot, market.symbol);
  session.note(
    `${size.text} is ${quantity(amount)} ${market.symbol}, rounded down to lots of ${lot}: ${usd(amount * price)} USD at ${quantity(price)}${remark}.`,
  );
  return amount;
}

/**
 * The price that a notional is divided by. A buy never trades above its limit. A sell may: its limit is a minimum, and
 * if the book, or the mark that triggers it, is better, it trades there. Without a limit it is the trigger, or else the
 * best price. For a ladder it is the weighted mean over its rungs.
 */
async function notionalPrice(session: Session, basis: SizeBasis) {
  const { side, trigger } = basis;
  const rungs = basis.rungs ?? [{ price: basis.price, weight: 1 }];
  const limits = rungs.flatMap(({ price }) => price ?? []);
  const isLimited = limits.length === rungs.length;
  const meets = trigger ?? (side === 'buy' && isLimited ? undefined : await bestPrice(session, basis, !isLimited));
  const most = (limit: number | undefined) =>
    limit === undefined ? (meets ?? 0) : side === 'buy' || meets === undefined ? limit : Math.max(limit, meets);
  const weights = rungs.reduce((sum, { weight }) => sum + weight, 0);
  const divisor = exact(rungs.reduce((sum, { price, weight }) => sum + most(price) * weight, 0));
  const isBetter = side === 'sell' && limits.some((limit) => most(limit) > limit);
  const better = trigger === undefined ? 'the best bid' : 'the trigger';
  const remark = !isBetter
    ? basis.rungs === undefined
      ? ''
      : ' on average'
    : basis.rungs === undefined
      ? ` (${better}, better than the limit ${quantity(limits[0] ?? 0)})`
      : ` on average, counting rungs below ${better} at ${better}`;
  return { price: exact(divisor / weights), factors: weights === 1 ? [] : [weights], divisor, remark };
}

/** floor(product / divisor) in lots of 10^-decimals, exactly. */
export function wholeLots(factors: readonly number[], divisor: number, decimals: number): number {
  const places = [...factors, divisor].reduce((sum, value) => sum + decimalsOf(value), 0);
  const product = factors.reduce((part, factor) => part * roundedUnits(factor, decimalsOf(factor)), 1n);
  // Both have the decimals of all factors and of the divisor.
  const scaled = product * 10n ** BigInt(decimals + decimalsOf(divisor));
  const by = roundedUnits(divisor, places);
  return Number(`${scaled / by}e-${decimals}`);
}

/** The best price for an order of this side; undefined if the book has none and none is needed. */
async function bestPrice(
  session: Session,
  { market, side }: SizeBasis,
  isNeeded: boolean,
): Promise<number | undefined> {
  const quote = await quoteOnce(session, market.market_id);
  const price = side === 'buy' ? quote.ask : quote.bid;
  if (price !== null) return price;
  if (!isNeeded) return undefined;
  throw new Failure({
    code: 'no_price',
    message: `${marketName(market.market_id, market.symbol)} has no ${side === 'buy' ? 'ask' : 'bid'}, so a notional can't be converted to a size.`,
    hint: 'Give the size in the base asset, or give a price.',
    retryable: true,
  });
}

function tooSmall(what: string, lot: string, symbol: string): Failure {
  return usageFailure(`${what} is less than one lot of ${lot} ${symbol}.`, 'Use a larger size.');
}
