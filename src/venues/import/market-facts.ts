import type { MarketProvider } from '../../base/terms/venues.ts';
import { catalogMarket, leverageWhenUnknown, splitMarketId, symbolOf } from '../../exchange/markets/catalog.ts';
import { checkMarketId, parseMarketLine } from '../../exchange/markets/recorded/line.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { decimalText } from '../tape/level-text.ts';
import { okxContracts, type Subject, type Tally, type Unit, unitOf } from '../tape/venue-events.ts';
import type { Precision } from './tidy.ts';

/**
 * Facts that are missing from the file, or that override it; by default they come from the default catalog, or else
 * from the data.
 */
export interface MarketOptions {
  marketId?: string;
  sizeDecimals?: number;
  /** A decimal, such as 0.1. */
  tick?: string;
  maxLeverage?: number;
  category?: string;
  /** Base units of one contract, a decimal, for files with sizes in contracts. */
  contractSize?: string;
  /** Accepts lots, best levels and contract sizes that differ widely from those perp knows. */
  anyScale?: boolean;
}

/** The recording's market line. */
export interface MarketFacts {
  market_id: string;
  symbol: string;
  coin: string;
  size_decimals: number;
  /** Absent for provider hyperliquid, which has its own rule. */
  tick?: string;
  max_leverage: number;
  category: string;
}

/** The market id of a file; throws a LineProblem if it is unknown, and for inverse contracts. */
export function marketIdOf(about: Subject, { marketId }: MarketOptions): string {
  const { provider, coin } = splitMarketId(marketId ?? '') ?? { provider: '', coin: '' };
  if (about.unit.kind === 'inverse') throw isInverse(about.coin ?? 'the market');
  if (unitOf(provider as MarketProvider, coin).kind === 'inverse') throw isInverse(coin);
  if (marketId !== undefined) return marketId;
  if (about.provider === null)
    throw new LineProblem('unknown venue. Name the market with --market-id, such as binance:BTCUSDT');
  if (about.coin === null)
    throw new LineProblem(
      `neither the file nor its name says the market. Name it with --market-id, such as ${about.provider}:BTCUSDT`,
    );
  return `${about.provider}|${about.coin}`;
}

const isInverse = (coin: string) =>
  new LineProblem(`${quoted(coin)} is an inverse contract, with sizes in USD: perp trades only linear perpetuals`);

/**
 * The base units of one unit of size in the file, a decimal, with a description. Throws a LineProblem where the size of
 * a contract is not known.
 */
export function contractSizeOf(
  about: Subject,
  marketId: string,
  options: MarketOptions,
): { size: string; unit: string } {
  const { provider, coin } = splitMarketId(marketId) ?? { provider: '', coin: '' };
  // The name of a market that the file does not name implies its unit.
  const unit: Unit = about.coin === null ? unitOf(provider as MarketProvider, coin) : about.unit;
  const asset = symbolOf(coin);
  const given = options.contractSize;
  if (given !== undefined) {
    if (!/^\d{1,12}(\.\d{1,12})?$/.test(given) || Number(given) === 0)
      throw new LineProblem(`--contract-size must be a decimal above 0, not ${quoted(given)}`);
    if (unit.kind === 'base' && Number(given) !== 1)
      throw new LineProblem(`--contract-size ${given} does not apply: sizes in this format are in ${asset}`);
    if (unit.kind === 'contracts' && unit.size !== null && Number(given) !== Number(unit.size) && !options.anyScale)
      throw new LineProblem(
        `--contract-size ${given} is not the venue's ${unit.size} (its table, ${okxContracts.asOf}): leave it out; if it is right, add --any-scale`,
      );
    return { size: given, unit: Number(given) === 1 ? asset : `contracts of ${given} ${asset} (--contract-size)` };
  }
  if (unit.kind === 'base') return { size: '1', unit: asset };
  if (unit.kind === 'contracts' && unit.size !== null)
    return { size: unit.size, unit: `contracts of ${unit.size} ${asset} (the venue's table, ${okxContracts.asOf})` };
  const what = unit.kind === 'contracts' ? 'in contracts of a size' : "in the exchange's own unit,";
  const or = unit.kind === 'contracts' ? '' : ' (1 if sizes are in the base asset)';
  throw new LineProblem(`sizes are ${what} that perp does not know: add --contract-size, the base units of one${or}`);
}

/** The market of a recording. */
export function marketOf(marketId: string, finest: Precision, options: MarketOptions, tally: Tally): MarketFacts {
  const { provider, coin } = splitMarketId(marketId) ?? { provider: '', coin: '' };
  checkMarketId(marketId, coin);
  const known = catalogMarket(marketId);
  const catalogTick = known?.tick == null ? 0 : known.priceDecimals;
  const tick = options.tick ?? decimalText(1, Math.max(catalogTick, finest.price));
  if (known === undefined && options.maxLeverage === undefined) {
    tally.note(`${marketId} is not in the default catalog: maximum leverage ${leverageWhenUnknown} is assumed.`);
  }
  const market = {
    market_id: marketId,
    symbol: known?.symbol ?? symbolOf(coin),
    coin,
    size_decimals: sizeDecimalsOf(known?.sizeDecimals, finest.size, options, tally),
    ...(provider === 'hyperliquid' && options.tick === undefined ? {} : { tick }),
    max_leverage: options.maxLeverage ?? known?.maxLeverage ?? leverageWhenUnknown,
    category: options.category ?? known?.category ?? 'crypto',
  };
  // Options that make the market invalid fail here, before anything is written.
  parseMarketLine(JSON.stringify({ time: 0, market }));
  return market;
}

/** Sizes stay exact: too few decimals in an option are an error; those of the catalog are increased. */
function sizeDecimalsOf(known: number | undefined, seen: number, options: MarketOptions, tally: Tally): number {
  const { sizeDecimals } = options;
  if (sizeDecimals !== undefined) {
    if (sizeDecimals < seen)
      throw new LineProblem(`sizes in the file have ${seen} decimals, more than ${sizeDecimals}`);
    return sizeDecimals;
  }
  if (known !== undefined && known < seen) {
    tally.note(`Sizes in the file have ${seen} decimals, but the default catalog says ${known}: using the file's.`);
  }
  return Math.max(known ?? 0, seen);
}
