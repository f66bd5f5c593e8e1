import {
  catalogMarket,
  hyperliquidDecimals,
  leverageWhenUnknown,
  symbolOf,
} from '../../../exchange/markets/catalog.ts';
import { DecimalText } from '../../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem } from '../../../exchange/markets/recorded/recording-error.ts';
import type { VenueMarket } from './venue.ts';

/** The precision of a market's prices and sizes, and of an order's size; the tick is in price units. */
interface Grid {
  priceDecimals: number;
  sizeDecimals: number;
  lotDecimals: number;
  tick: number;
}

/** The same without a tick; only for provider hyperliquid, which has its own rule. */
type Tickless = Omit<Grid, 'tick'> & { tick: null };

/**
 * While a tape is recorded, a venue may make its tick or lots finer by this many decimals: they still fit the tape's
 * units.
 */
const spareDecimals = 2;
const maxDecimals = 12;

/**
 * The grid of a market with a fixed tick and a size step, both as decimals. If the tick was finer in the past, orders
 * may still rest at finer prices: `priceDecimals` is the precision of the venue's prices.
 */
export function onGrid(tick: string, step: string, priceDecimals: number): Grid {
  const decimal = new DecimalText();
  decimal.read(step, 'the size step');
  const sizes = onLots(decimal.decimals);
  decimal.read(tick, 'the tick');
  if (decimal.digits === 0) throw new LineProblem('the tick must be above 0');
  const decimals = Math.min(maxDecimals, Math.max(decimal.decimals + spareDecimals, priceDecimals));
  return { ...sizes, priceDecimals: decimals, tick: decimal.units(decimals, 'the tick') };
}

/** The grid of provider hyperliquid: five significant figures. */
export function onSignificantFigures(lotDecimals: number): Tickless {
  // Coarser lots come with finer prices.
  return { ...onLots(lotDecimals), priceDecimals: hyperliquidDecimals(lotDecimals - spareDecimals), tick: null };
}

function onLots(lotDecimals: number): Pick<Grid, 'sizeDecimals' | 'lotDecimals'> {
  return { sizeDecimals: Math.min(maxDecimals, lotDecimals + spareDecimals), lotDecimals };
}

/** What a venue's list says of a market. */
interface Listed extends Partial<Pick<VenueMarket, 'channel' | 'contractSize'>> {
  leverage?: number | undefined;
  category?: 'crypto' | 'tradfi';
  symbol?: string;
}

/**
 * A market: its grid comes from the venue. Symbol, category and leverage come from the default catalog if it lists the
 * market, because these are the service's. Its channel is its coin by default.
 */
export function marketOf<Provider extends string>(
  provider: Provider,
  coin: string,
  grid: Provider extends 'hyperliquid' ? Tickless : Grid,
  { leverage, category, symbol, channel = coin, contractSize = null }: Listed = {},
): VenueMarket {
  const marketId = `${provider}|${coin}`;
  const known = catalogMarket(marketId);
  const definition = {
    marketId,
    provider,
    symbol: symbol ?? known?.symbol ?? symbolOf(coin),
    coin,
    category: known?.category ?? category ?? (isOfBuilder(coin) ? 'tradfi' : 'crypto'),
    ...grid,
    maxLeverage: known?.maxLeverage ?? Math.max(1, Math.floor(leverage ?? leverageWhenUnknown)),
  };
  return { definition, channel, contractSize };
}

/**
 * Whether a market of Hyperliquid's belongs to a third-party exchange and isn't on a coin that Hyperliquid also lists.
 */
function isOfBuilder(coin: string): boolean {
  const colon = coin.indexOf(':');
  return colon >= 0 && catalogMarket(`hyperliquid|${coin.slice(colon + 1)}`) === undefined;
}
