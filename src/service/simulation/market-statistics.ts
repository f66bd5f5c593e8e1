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
import { type Samples, sample } from '../../exchange/markets/statistics/samples.ts';
import { syntheticSource } from '../../exchange/markets/synthetic/synthetic-source.ts';
import { SimulationError } from '../state/state-directory.ts';

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
  /** Whether to show the measured profits of trading strategies instead of the usual figures. */
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

/** Known figures of a real market, to show beside synthetic ones. */
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

/**
 * The gates' measurements of a real market: 345 s of Binance USD-M BTCUSDT, its depth updates, best prices and trades
 * as received, imported with `perp sim books import` and played with `perp sim markets stats --gates --books`. Best
 * prices and trades come over different streams, whose times differ by some milliseconds: a part of what seems to trade
 * outside the neighboring books, or through a touch, is due to that. Figures for which 345 s are too few are missing.
 */
const recordedBitcoin: { marketId: string; from: number; to: number; figures: readonly Figure[] } = {
  marketId: 'binance|BTCUSDT',
  from: Date.UTC(2024, 7, 8, 23, 54, 16, 492),
  to: Date.UTC(2024, 7, 9, 0, 0, 1, 54),
  figures: [
    ['volume printed outside the neighboring books', '%', 1.96],
    ['wick of a minute beyond its best prices, largest', 'bps', 0],
    ['prints through the displayed touch', '%', 4.23],
    ['volume that the book did not display', '%', 9.24],
    ['maker at the back of both touches, share of volume', 'x', 0.115],
    ['maker at their front, share of volume', 'x', 0.507],
    ['markout from the mid before, 1 s', 'bps', 0.979],
    ['markout from the mid before, 30 s', 'bps', 0.518],
    ['markout after 30 s, relative to 1 s', 'x', 0.529],
    ['resting orders, mean result', 'bps', -5.87],
    ['resting orders, mean + 3 standard errors', 'bps', -4.58],
    ['books', '/s', 246],
    ['spread, mean', 'bps', 0.0179],
    ['spread of one tick', '%', 99],
    ['touch, median', 'USD', 190_847],
    ['depth within 10 bps, one side', 'USD', 13_759_668],
    ['depth within 25 bps, one side', 'USD', 39_136_783],
    ['move in 1 s', 'bps', 1.21],
    ['mid unchanged after 450 ms', '%', 66.7],
    ['kurtosis of 1 s moves, without the 5 largest', '', 3.28],
    ['autocorrelation of 1 s moves, largest of lags 1 to 10', '', -0.111],
    ['prints', '/s', 61.9],
    ['prints per second, variance / mean', '', 377],
    ['traded', 'USD/s', 434_775],
    ["takers' sides, autocorrelation at lag 1", '', 0.794],
    ["takers' sides, autocorrelation at lag 10", '', 0.581],
    ['flow and move in 1 s, correlation', '', 0.598],
    ['touch before it gives way / other side', '', 0.4],
    ['imbalance and next move (450 ms), correlation', '', 0.385],
    ['markout against makers after 1 s', 'bps', 0.409],
  ].map(([name, unit, value]) => ({ name, unit, value }) as Figure),
};

/** The lower and upper bound of a figure. */
interface Limits {
  least: number | null;
  most: number | null;
}

const noMemory: Limits = { least: -0.02, most: 0.02 };
const upTo = (most: number): Limits => ({ least: null, most });

/** By figure, or by the first words of its name. */
const ofEveryMarket: readonly (readonly [string, Limits])[] = [
  ['volume printed outside the neighboring books', upTo(0.1)],
  ['wick of a minute beyond its best prices', upTo(1)],
  ['prints through the displayed touch', upTo(5)],
  ['volume that the book did not display', upTo(0)],
  ['maker at the back of both touches', upTo(0.5)],
  ['autocorrelation of 10 s moves', noMemory],
  ['autocorrelation of 20 s moves', noMemory],
  ['resting orders, mean + 3 standard errors', upTo(0)],
  ['resting orders in', upTo(0)],
  ['best cell of resting orders', upTo(4.5)],
  ['best bot', upTo(4)],
];

/** A figure of BTC is within this factor of the recording's. */
const factor = 1.5;
const likeTheRecording = [
  'touch, median',
  'depth within 10 bps, one side',
  'depth within 25 bps, one side',
  'prints',
  'traded',
  "takers' sides, autocorrelation at lag 1",
  "takers' sides, autocorrelation at lag 10",
  'flow and move in 1 s, correlation',
  'imbalance and next move (450 ms), correlation',
];

/** Best bid and best ask change this often in BTC and ETH. */
const books: Limits = { least: 10, most: 20 };
const ofMarket: Record<string, Record<string, Limits>> = {
  BTC: {
    books,
    'markout from the mid before, 1 s': { least: 0.5, most: 1 },
    'markout after 30 s, relative to 1 s': upTo(1),
    ...Object.fromEntries(
      recordedBitcoin.figures
        .filter(({ name }) => likeTheRecording.includes(name))
        .map(({ name, value }) => [name, near(value)]),
    ),
  },
  // A real day of ETH: 71,000 USD a second, and a markout of 0.4 bps.
  ETH: { books, traded: near(71_000), 'markout from the mid before, 1 s': near(0.4) },
};

/** The required range of a synthetic market's figure; null if there is none. */
function limitsOf(name: string, symbol: string): Limits | null {
  return ofMarket[symbol]?.[name] ?? ofEveryMarket.find(([start]) => name.startsWith(start))?.[1] ?? null;
}

function near(value: number): Limits {
  return { least: value / factor, most: value * factor };
}
