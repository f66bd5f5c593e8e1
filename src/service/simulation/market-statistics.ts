import { join } from 'node:path';
import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { defaultCatalog } from '../../exchange/markets/catalog.ts';
import {
  type Figure,
  minuteFigures,
  moveCorrelation,
  playedFigures,
} from '../../exchange/markets/statistics/figures.ts';
import { type Gates, measureGates, pooledFigures } from '../../exchange/markets/statistics/gates.ts';
import { type Limits, limitsOf, recordedBitcoin } from '../../exchange/markets/statistics/limits.ts';
import { type Samples, sample } from '../../exchange/markets/statistics/samples.ts';
import { syntheticSource } from '../../exchange/markets/synthetic/synthetic-source.ts';
import { SimulationError } from '../state/simulation-error.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Figures over minutes and hours use this many days of a synthetic market. */
const daysOfMinutes = 30;
/** Longest time that a synthetic market is played next to a recording, however long the recording is. */
const longestBesideMs = 24 * hourMs;

/** One market of each kind, shown if no market is given. */
const defaultSymbols = ['BTC', 'ETH', 'SOL', 'LINK', '1000PEPE', 'SP500', 'NVDA', 'MSTR', 'GOLD', 'CL', 'EUR'];

/** Which markets to measure, and over which time. */
export interface StatisticsOptions {
  /** A recording; its markets are shown next to the synthetic ones with the same symbol. */
  books?: string | undefined;
  /** Folder for compiled recordings. */
  stateDir: string;
  /** Symbols or ids; empty: those of the recording, or one of each kind. */
  markets: readonly string[];
  seed: number;
  /**
   * How many hours of a synthetic market are played, and up to when; next to a recording, as long as the recording, but
   * at most a day.
   */
  hours: number;
  until: Ms;
  /** Whether to show what the markets pay to those who search them for money, instead of the usual figures. */
  gates: boolean;
}

/** The figures of one market of one source. */
export interface MarketStatistics {
  source: string;
  market: MarketDefinition;
  /** The time that was played, Unix ms. */
  from: Ms;
  to: Ms;
  figures: (Figure & Partial<Limits>)[];
}

/**
 * Plays markets and returns their figures: of a recording's markets, each followed by its synthetic counterpart, or of
 * synthetic ones. Throws a SimulationError for an unknown market, a RecordingError or a TapeError.
 */
export async function marketStatistics(options: StatisticsOptions): Promise<MarketStatistics[]> {
  if (options.books === undefined) {
    const symbols = options.markets.length === 0 ? defaultSymbols : options.markets;
    const markets = symbols.map((text) => named(text, defaultCatalog));
    const played = synthetic(options, markets, options.hours * hourMs);
    return options.gates ? [recordedFigures(), ...played] : played;
  }
  const { openBooks } = await import('../live/books.ts');
  const recording = await openBooks(options.books, join(options.stateDir, 'recordings'));
  try {
    const { source, firstTime, lastTime, definitions } = recording;
    const chosen = options.markets.length === 0 ? definitions : options.markets.map((text) => named(text, definitions));
    const recorded = options.gates
      ? gatesOf(source, chosen, firstTime - 1, lastTime)
      : figuresOf(source, chosen, firstTime - 1, lastTime, ({ mids }) => everyMinute(mids));
    const length = Math.min(longestBesideMs, lastTime - firstTime);
    return recorded.flatMap((one) => {
      const counterpart = defaultCatalog.find(({ symbol }) => symbol === one.market.symbol);
      return counterpart === undefined ? [one] : [one, ...synthetic(options, [counterpart], length)];
    });
  } finally {
    recording.close();
  }
}

function synthetic(options: StatisticsOptions, markets: readonly MarketDefinition[], length: Ms): MarketStatistics[] {
  const { seed, until } = options;
  const source = syntheticSource({ seed });
  if (options.gates) return gatesOf(source, markets, until - length, until);
  const minutes = daysOfMinutes * 24 * 60;
  return figuresOf(source, markets, until - length, until, ({ definition }) =>
    source
      .bars(definition.marketId, '1m', until - minutes * minuteMs, minutes, until)
      .map(({ close }) => close ?? Number.NaN),
  );
}

/** Every sixtieth of these values, one per second: one per minute. */
function everyMinute(seconds: readonly number[]): number[] {
  return seconds.filter((_, second) => second % 60 === 0);
}

function figuresOf(
  source: MarketSource,
  markets: readonly MarketDefinition[],
  from: Ms,
  to: Ms,
  minutesOf: (samples: Samples) => readonly number[],
): MarketStatistics[] {
  let first: Samples | null = null;
  return markets.map((market) => {
    const samples = sample(source, market.marketId, from, to);
    first ??= samples;
    const figures = [
      ...playedFigures(samples),
      {
        name: `moves in 1 s, correlation with ${first.definition.symbol}`,
        unit: '',
        value: moveCorrelation(first, samples),
      },
      ...minuteFigures(minutesOf(samples)),
    ];
    return { source: source.name, market, from, to, figures };
  });
}

/** The gates of markets, followed by those of all markets of its class together, if there are several. */
function gatesOf(source: MarketSource, markets: readonly MarketDefinition[], from: Ms, to: Ms): MarketStatistics[] {
  const leader = markets[0]!.marketId;
  const measured = markets.map((market): { market: MarketDefinition; gates: Gates; usual: Figure[] } => {
    const samples = sample(source, market.marketId, from, to);
    const leaderId = market.marketId === leader ? null : leader;
    const gates = measureGates(source, market, { from, to, samples, leader: leaderId });
    return { market, gates, usual: playedFigures(samples) };
  });
  return measured.map(({ market, gates, usual }) => {
    const alike = measured.filter((one) => one.market.category === market.category);
    const pooled =
      alike.length < 2
        ? []
        : pooledFigures(
            market.category,
            alike.map((one) => one.gates),
          );
    const figures = [...gates.figures, ...pooled, ...usual];
    if (source.name !== 'synthetic') return { source: source.name, market, from, to, figures };
    const limited = figures.map((one) => ({ ...one, ...limitsOf(one.name, market.symbol) }));
    return { source: source.name, market, from, to, figures: limited };
  });
}

/** What the project knows of a real market, to show beside synthetic ones. */
function recordedFigures(): MarketStatistics {
  const { marketId, from, to, figures } = recordedBitcoin;
  return { source: 'recorded', market: named(marketId, defaultCatalog), from, to, figures: [...figures] };
}

function named(text: string, markets: readonly MarketDefinition[]): MarketDefinition {
  const wanted = text.toLowerCase().replace(':', '|');
  const found =
    markets.find(({ marketId }) => marketId.toLowerCase() === wanted) ??
    markets.find(({ symbol, coin }) => [symbol, coin].some((name) => name.toLowerCase() === text.toLowerCase()));
  if (found === undefined) throw new SimulationError('invalid', `There is no market ${JSON.stringify(text)}.`);
  return found;
}
