import { join } from 'node:path';
import type { MarketDefinition, Ms } from '../engine/model.ts';
import type { MarketData } from '../markets/bars.ts';
import { defaultCatalog } from '../markets/catalog.ts';
import { type Figure, minuteFigures, playedFigures, togetherness } from '../markets/statistics/figures.ts';
import { type Samples, sample } from '../markets/statistics/samples.ts';
import { syntheticSource } from '../markets/synthetic.ts';
import { SimulationError } from './simulation-error.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Moves over minutes and hours are told from so many days of a synthetic market. */
const daysOfMinutes = 30;
/** Kurtosis of an hour, and days, are not told from less. */
const fewestMinutes = 180;

/** One of each kind: what is shown when no market is named. */
const usualSymbols = ['BTC', 'ETH', 'SOL', 'LINK', '1000PEPE', 'SP500', 'NVDA', 'MSTR', 'GOLD', 'CL', 'EUR'];

export interface StatisticsOptions {
  /** A recording; its markets are shown beside the synthetic ones of the same symbol. */
  books?: string | undefined;
  /** Folder for what is compiled of a recording. */
  stateDir: string;
  /** Symbols or ids; empty: those of the recording, or one of each kind. */
  markets: readonly string[];
  seed: number;
  /** How many hours of a synthetic market are played, and up to when. A recording is played whole. */
  hours: number;
  until: Ms;
}

/** The figures of one market of one source. */
export interface MarketStatistics {
  source: string;
  market: MarketDefinition;
  /** What was played. */
  from: Ms;
  to: Ms;
  figures: Figure[];
}

/**
 * Plays markets and tells their figures, those of a recording first, each beside its synthetic namesake. Throws a
 * SimulationError for a market there is none of, and a RecordingError.
 */
export async function marketStatistics(options: StatisticsOptions): Promise<MarketStatistics[]> {
  if (options.books === undefined) {
    const symbols = options.markets.length === 0 ? usualSymbols : options.markets;
    return synthetic(
      options,
      symbols.map((text) => named(text, defaultCatalog)),
      options.hours * hourMs,
    );
  }
  const { openRecording } = await import('../markets/recorded.ts');
  const recording = await openRecording(options.books, { cacheDir: join(options.stateDir, 'recordings') });
  try {
    const { source, firstTime, lastTime, definitions } = recording;
    const chosen = options.markets.length === 0 ? definitions : options.markets.map((text) => named(text, definitions));
    const recorded = figuresOf(source, chosen, firstTime - 1, lastTime, firstTime);
    return recorded.flatMap((one) => {
      const namesake = defaultCatalog.find(({ symbol }) => symbol === one.market.symbol);
      return namesake === undefined ? [one] : [one, ...synthetic(options, [namesake], lastTime - firstTime)];
    });
  } finally {
    recording.close();
  }
}

function synthetic(options: StatisticsOptions, markets: readonly MarketDefinition[], length: Ms): MarketStatistics[] {
  const { seed, until } = options;
  return figuresOf(syntheticSource({ seed }), markets, until - length, until, until - daysOfMinutes * 24 * hourMs);
}

function figuresOf(
  source: MarketData,
  markets: readonly MarketDefinition[],
  from: Ms,
  to: Ms,
  minutesFrom: Ms,
): MarketStatistics[] {
  let first: Samples | null = null;
  return markets.map((market) => {
    const samples = sample(source, market.marketId, from, to);
    first ??= samples;
    const minutes = Math.floor((to - minutesFrom) / minuteMs);
    const bars = source.bars(market.marketId, '1m', minutesFrom, minutes, to);
    const closes = bars.flatMap(({ close }) => close ?? []);
    const figures = [
      ...playedFigures(samples),
      {
        name: `moves in 1 s, correlation with ${first.definition.symbol}`,
        unit: '',
        value: togetherness(first, samples),
      },
      ...(closes.length < fewestMinutes ? [] : minuteFigures(closes)),
    ];
    return { source: source.name, market, from, to, figures };
  });
}

function named(text: string, markets: readonly MarketDefinition[]): MarketDefinition {
  const wanted = text.toLowerCase().replace(':', '|');
  const found =
    markets.find(({ marketId }) => marketId.toLowerCase() === wanted) ??
    markets.find(({ symbol, coin }) => [symbol, coin].some((name) => name.toLowerCase() === text.toLowerCase()));
  if (found === undefined) throw new SimulationError('invalid', `There is no market ${JSON.stringify(text)}.`);
  return found;
}
