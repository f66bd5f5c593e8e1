import type { Market, Quote } from '../../contract/markets.ts';
import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usageFailure } from '../failure.ts';
import { quantity, usd } from '../output/format.ts';
import type { Size } from '../values.ts';

export interface SizeBasis {
  market: Pick<Market, 'market_id' | 'symbol' | 'size_decimals'>;
  side: 'buy' | 'sell';
  /** The price that the order itself names, if it names one. */
  price?: number | undefined;
  /** What a percentage is a share of; only reductions have it. */
  position?: Position | undefined;
}

/**
 * A size in the base asset. A notional is divided by the order's own price, else by the best price it would meet; it
 * and a share are rounded down to whole lots. What it came to is noted.
 */
export async function resolveSize(context: Context, size: Size, basis: SizeBasis): Promise<number> {
  const { market, position } = basis;
  if (size.unit === 'base') return size.amount;
  const lot = quantity(10 ** -market.size_decimals);
  if (size.unit === 'percent') {
    if (position === undefined) {
      throw usageFailure(
        `${size.text} is a share of a position, and this is no reduction of one.`,
        'Write a size such as 0.05 or 500usd.',
      );
    }
    const share = wholeLots([position.size, size.amount], 100, market.size_decimals);
    if (share === 0) throw tooSmall(`${size.text} of ${quantity(position.size)} ${market.symbol}`, lot, market.symbol);
    context.note(
      `${size.text} of ${quantity(position.size)} ${market.symbol} is ${quantity(share)} ${market.symbol}, in lots of ${lot}.`,
    );
    return share;
  }
  const price = basis.price ?? (await bestPrice(context, basis));
  const amount = wholeLots([size.amount], price, market.size_decimals);
  if (amount === 0) throw tooSmall(`${size.text} at ${quantity(price)}`, lot, market.symbol);
  context.note(
    `${size.text} is ${quantity(amount)} ${market.symbol}, rounded down to lots of ${lot}: ${usd(amount * price)} USD at ${quantity(price)}.`,
  );
  return amount;
}

/** floor(product / divisor) in lots of 10^-decimals, exactly. */
export function wholeLots(factors: readonly number[], divisor: number, decimals: number): number {
  const parts = factors.map(fraction);
  const below = fraction(divisor);
  let numerator = parts.reduce((product, { digits }) => product * digits, 1n) * 10n ** BigInt(decimals);
  let denominator = below.digits;
  const scale = parts.reduce((sum, { scale: own }) => sum + own, 0) - below.scale;
  if (scale > 0) denominator *= 10n ** BigInt(scale);
  else numerator *= 10n ** BigInt(-scale);
  const lots = (numerator / denominator).toString().padStart(decimals + 1, '0');
  return Number(`${lots.slice(0, lots.length - decimals)}.${lots.slice(lots.length - decimals)}`);
}

/** The number's shortest decimal as digits over 10^scale. */
function fraction(value: number): { digits: bigint; scale: number } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', decimals = ''] = mantissa.split('.');
  const scale = decimals.length - Number(exponent);
  const digits = BigInt(whole + decimals);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

async function bestPrice(context: Context, { market, side }: SizeBasis): Promise<number> {
  const quote = (await context.call('getMarketQuote', { path: { market_id: market.market_id } })).data as Quote;
  const price = side === 'buy' ? quote.ask : quote.bid;
  if (price !== null) return price;
  throw new Failure({
    exit: exitCodes.unavailable,
    code: 'no_price',
    message: `${market.market_id} has no ${side === 'buy' ? 'ask' : 'bid'} to divide a notional by.`,
    hint: 'Write the size in the base asset, or name a price.',
    retryable: true,
  });
}

function tooSmall(what: string, lot: string, symbol: string): Failure {
  return usageFailure(`${what} is less than one lot of ${lot} ${symbol}.`, 'Write a larger size.');
}
