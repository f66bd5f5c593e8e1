import type { Book, BookSide } from '../../exchange/engine/book/book.ts';
import { finestTick, lotDecimalsOf } from '../../exchange/engine/book/price-grid.ts';
import type { OpenState } from '../../exchange/engine/commands.ts';
import { defaultPolicy } from '../../exchange/engine/defaults.ts';
import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { Tape, VenueMarks } from '../../exchange/engine/source.ts';
import type { Bar } from '../../exchange/markets/bars.ts';
import { type VenueFigures, Market as WireMarket } from '../../wire/contract/markets.ts';
import type { SimulationBook, SimulationPast } from '../../wire/contract/simulation-history.ts';
import { decimal, wireForm } from './wire-form.ts';

/** Smallest notional of an order that adds exposure in every new account's policy, USD. */
const minNotional = defaultPolicy().limits.minOrderNotionalUsd;

/** A market in wire form (contract: Market). Reduce-only during a halt, and once it is no longer in the catalog. */
export function presentMarket(market: MarketDefinition, halt: OpenState['halt']): WireMarket {
  const isHalted = halt.platform || halt.categories.includes(market.category);
  const lot = decimal(1, lotDecimalsOf(market));
  return wireForm(WireMarket, market, {
    provider: market.provider as WireMarket['provider'],
    size_decimals: lotDecimalsOf(market),
    size_step: lot,
    min_size: lot,
    min_notional: minNotional,
    tick_size: decimal(finestTick(market), market.priceDecimals),
    market_type: 'perpetual',
    trading_enabled: !halt.platform,
    reduce_only: isHalted || market.isRetired === true,
  });
}

/** Levels per side that are shown, as on the stream of books. */
const shownLevels = 50;

/** A book in wire form (contract: SimulationBook). */
export function presentBook(
  market: MarketDefinition,
  { bids, asks, time }: Readonly<Pick<Book, 'bids' | 'asks' | 'time'>>,
  marks: VenueMarks | null,
): SimulationBook {
  return {
    market_id: market.marketId,
    time: Number.isFinite(time) ? time : null,
    bids: levelsOf(bids, market),
    asks: levelsOf(asks, market),
    marks: presentMarks(market, marks),
  };
}

/** A market's own prices in wire form (contract: SimulationBook); null if there are none. */
export function presentMarks({ priceDecimals }: MarketDefinition, marks: VenueMarks | null): VenueFigures | null {
  if (marks === null) return null;
  const { mark, index, fundingRate, fundingHours, nextFundingAt, time } = marks;
  // Half of an odd number of units needs one more decimal to be exact.
  const half = (value: number | null) => (value === null ? null : decimal(value * 5, priceDecimals + 1));
  const funding = { funding_rate: fundingRate, funding_hours: fundingHours, next_funding_at: nextFundingAt };
  return { mark: half(mark)!, index: half(index), ...funding, time };
}

/** A bar in wire form (contract: SimulationPast); none before a market's first print. */
export function presentCandle({ priceDecimals, sizeDecimals }: MarketDefinition, bar: Bar): SimulationPast['candles'] {
  const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) =>
    decimal(price ?? 0, priceDecimals),
  );
  const volume = decimal(bar.volume, sizeDecimals);
  if (bar.close === null) return [];
  return [{ time: bar.openTime, open: open!, high: high!, low: low!, close: close!, volume, trades: bar.count }];
}

/** The prints of a market that a tape has up to a time, in wire form (contract: SimulationPast). */
export function presentTrades(market: MarketDefinition, tape: Tape, until: Ms): SimulationPast['trades'] {
  const trades: SimulationPast['trades'] = [];
  for (let event = tape.next(until); event !== null; event = tape.next(until)) {
    if (event.kind !== 'print') continue;
    const { time, side, price, size } = event;
    trades.push({ time, side, price: decimal(price, market.priceDecimals), size: decimal(size, market.sizeDecimals) });
  }
  return trades;
}

function levelsOf({ prices, sizes, count }: BookSide, { priceDecimals, sizeDecimals }: MarketDefinition): number[][] {
  const levels: number[][] = [];
  for (let at = count - 1; at >= 0 && levels.length < shownLevels; at -= 1)
    levels.push([decimal(prices[at]!, priceDecimals), decimal(sizes[at]!, sizeDecimals)]);
  return levels;
}
