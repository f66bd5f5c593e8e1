import {
  catalogMarket,
  hyperliquidDecimals,
  leverageWhenUnknown,
  symbolOf,
} from '../../../exchange/markets/catalog.ts';
import { DecimalText, product } from '../../../exchange/markets/recorded/decimal-text.ts';
import { LineProblem, quoted } from '../../../exchange/markets/recorded/recording-error.ts';
import type { Fields } from '../../tape/venue-events.ts';
import { textOf } from './frame.ts';
import type { UnknownRows, VenueList, VenueMarket } from './venue.ts';

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

/** A size in base units, from one in contracts. */
export function baseSize({ contractSize }: VenueMarket, contracts: string): string {
  return contractSize === null || contractSize === '1' ? contracts : product(contracts, contractSize);
}

/** Levels with sizes in contracts, in the form of a recording. */
export function baseLevels(market: VenueMarket, levels: readonly (readonly [string, string])[]): string {
  return JSON.stringify(levels.map(([price, contracts]) => [price, baseSize(market, contracts)]));
}

/**
 * Reads a venue's list row by row. Invalid rows, and those of unknown kind, are left out and counted, so that one bad
 * market doesn't make the whole venue fail and none goes missing silently.
 */
export class ListReader {
  private readonly markets: VenueMarket[] = [];
  private readonly unknown = new Map<string, UnknownRows>();
  private readonly name: string;
  private problem: LineProblem | null = null;
  private isPartial = false;

  /** `name`: the field with a row's name. */
  constructor(name: string) {
    this.name = name;
  }

  /** Whether a field has one of the wanted values; notes a value that isn't known to be unwanted. */
  has(row: Fields, field: string, wanted: readonly unknown[], unwanted: readonly unknown[]): boolean {
    if (wanted.includes(row[field])) return true;
    if (!unwanted.includes(row[field])) this.note(row, `${field} ${quoted(row[field])}`);
    return false;
  }

  /** Notes something unknown in a row. */
  note(row: Fields, what: string): void {
    const { rows, example } = this.unknown.get(what) ?? { rows: 0, example: textOf(row[this.name]) };
    this.unknown.set(what, { what, rows: rows + 1, example });
  }

  /** Reads rows; null for those that are not wanted. */
  read(rows: readonly Fields[], read: (row: Fields) => VenueMarket | null): this {
    for (const row of rows) {
      try {
        const market = read(row);
        if (market !== null) this.markets.push(market);
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        this.problem = error;
        this.isPartial = true;
        this.note(row, 'unreadable');
      }
    }
    return this;
  }

  /** Records that a whole part is missing. */
  miss(what: string, example: string): void {
    this.isPartial = true;
    this.unknown.set(what, { what, rows: 1, example });
  }

  /** The list. Throws a LineProblem if all rows are invalid. */
  list(): VenueList {
    if (this.problem !== null && this.markets.length === 0) throw this.problem;
    return {
      markets: this.markets,
      unknown: [...this.unknown.values()],
      isPartial: this.isPartial || this.markets.length === 0,
    };
  }
}
