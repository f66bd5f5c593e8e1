import type { CandleEvent, Interval } from '../../contract/streams.ts';
import type { Ms, Trip } from '../../desk/history/records.ts';
import type { Results } from '../../desk/history/results.ts';
import { readCandles } from '../../desk/reading/candle-history.ts';
import { resolveMarket } from '../../desk/resolve/market.ts';
import { marketName } from '../../ground/text/market-name.ts';
import type { Console } from '../console/console.ts';
import { decimalsOf } from '../watch/market-chart.ts';
import type { ReportMarket } from './report-page.ts';

const lengths: readonly (readonly [Interval, Ms])[] = [
  ['1m', 60_000],
  ['5m', 300_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['4h', 14_400_000],
  ['1d', 86_400_000],
];
const maxMarkets = 6;
const maxCandles = 1_000;

/** Reads the candles of the most traded markets, for the time in which they were traded. */
export async function readReportMarkets(
  console: Console,
  trips: readonly Trip[],
  { markets, from, to }: Results,
): Promise<{ markets: ReportMarket[]; missing: string[] }> {
  const most = [...markets].sort((one, other) => Number(other.volume - one.volume)).slice(0, maxMarkets);
  const missing: string[] = [];
  const found: ReportMarket[] = [];
  for (const { key: marketId } of most) {
    if (marketId === null) continue;
    const fills = trips
      .filter((trip) => trip.marketId === marketId)
      .flatMap(({ steps }) => steps.map(({ fill }) => fill))
      .filter(({ time }) => time >= from && time <= to);
    if (fills.length === 0) continue;
    const market = await resolveMarket(console, marketId);
    const [first, last] = [fills[0]!.time, fills.at(-1)!.time];
    const [interval, length] = lengths.find(([, ms]) => (last - first) / ms <= maxCandles * 0.9) ?? lengths.at(-1)!;
    const margin = 20 * length;
    const range = { interval, from: { at: Math.max(0, first - margin) }, to: { at: Math.min(to, last + margin) } };
    try {
      const candles = await readCandles(console, market, range);
      found.push({
        name: marketName(market.market_id, market.symbol),
        interval,
        decimals: decimalsOf(candles),
        candles: candles.map(candleRow),
        fills: fills.map(({ time, side, price }) => [time - (time % length), side, price] as const),
      });
    } catch (error) {
      missing.push(`No candles for ${marketName(marketId)}: ${(error as Error).message}`);
    }
  }
  return { markets: found, missing };
}

function candleRow({ openTime, open, high, low, close }: CandleEvent) {
  return [openTime, Number(open), Number(high), Number(low), Number(close)] as const;
}
