import type { MarketDefinition, Ms, Price } from '../../engine/model.ts';
import { listed } from '../catalog.ts';
import { exp, type Loads, ln, moveTimingOf, spansPerMinute } from './draws.ts';
import type { PricePath } from './path.ts';
import type { Kind, Timetable } from './session.ts';

/** Groups of instruments: they share trading hours, factors, and the way that their venue's makers quote them. */
interface Group {
  kind: Kind;
  loads: Loads;
  /** How often its books change and its price moves; absent: like most markets. */
  pace?: Pace;
  /** Depth near the mid, and the spread, relative to those of a crypto market with the same volume. */
  depth: number;
  spread: number;
}

/** How often books change and prices move. */
interface Pace {
  /** Books a minute. */
  books: number;
  /** Moves of the price per second, at most. */
  moves: number;
  /** The share of prints right before a move, at the touch that is about to move. */
  burstShare: number;
}

/** An instrument's price level and activity. */
interface Instrument {
  group: Group;
  /** Price in the quote currency around which the market moves. */
  base: number;
  /** Standard deviation of a day's relative price change. */
  dailyVolatility: number;
  /** USD volume on an ordinary day. */
  dailyUsd: number;
}

/** The pace of most markets. */
const usualPace: Pace = { books: 180, moves: 0.6, burstShare: 0.6 };
const bitcoinPace: Pace = { books: 600, moves: 1.2, burstShare: 0.65 };
const etherPace: Pace = { books: 600, moves: 1.2, burstShare: 0.35 };

/** The groups, by name. */
const groups = {
  bitcoin: { kind: 'crypto', loads: [['crypto', 0.96]], pace: bitcoinPace, depth: 1, spread: 1 },
  ether: { kind: 'crypto', loads: [['crypto', 0.95]], pace: etherPace, depth: 2.6, spread: 1 },
  major: { kind: 'crypto', loads: [['crypto', 0.87]], depth: 1, spread: 1 },
  alt: { kind: 'crypto', loads: [['crypto', 0.84]], depth: 1, spread: 1 },
  meme: { kind: 'crypto', loads: [['crypto', 0.84]], depth: 0.8, spread: 1.2 },
  apart: { kind: 'crypto', loads: [['crypto', 0.82]], depth: 0.9, spread: 1.1 },
  index: { kind: 'equity', loads: [['equity', 0.96]], depth: 2.5, spread: 0.6 },
  abroad: { kind: 'equity', loads: [['equity', 0.8]], depth: 1.5, spread: 1 },
  stock: { kind: 'equity', loads: [['equity', 0.75]], depth: 1, spread: 1.4 },
  chip: { kind: 'equity', loads: Object.entries({ equity: 0.7, chips: 0.45 }), depth: 1, spread: 1.4 },
  coinStock: { kind: 'equity', loads: Object.entries({ equity: 0.6, crypto: 0.55 }), depth: 1, spread: 1.4 },
  gold: { kind: 'metals', loads: [['metals', 0.92]], depth: 2, spread: 0.8 },
  metal: { kind: 'metals', loads: [['metals', 0.84]], depth: 1.5, spread: 1 },
  copper: { kind: 'metals', loads: [['metals', 0.55]], depth: 1.5, spread: 1 },
  oil: { kind: 'energy', loads: [['energy', 0.96]], depth: 1.5, spread: 1 },
  gas: { kind: 'energy', loads: [['energy', 0.35]], depth: 1.2, spread: 1 },
  euro: { kind: 'fx', loads: [['dollar', 0.85]], depth: 8, spread: 0.4 },
  yen: { kind: 'fx', loads: [['dollar', -0.8]], depth: 8, spread: 0.4 },
} satisfies Record<(typeof listed)[number][5], Group>;

/**
 * A market's character: price level, activity, depth and prints. Sizes are in USD at the base price.
 *
 * The depths follow recordings of the venues. Binance USD-M BTCUSDT, August 8, 2024, 345 s: the spread is one tick in
 * 99.2% of 6,545 books; the median touch is 2.97 BTC; bids within 1 / 5 / 10 / 25 bps of the mid are worth 0.42 / 2.9 /
 * 7.9 / 26 million USD, so depth grows with distance to the power of 1.27. Bybit XRPUSDT, December 1, 2024, 4.8 s: the
 * spread is always one tick and every tick has a level; the touch is about 10,000 XRP; bids within 10 / 25 / 100 bps
 * are worth 0.59 / 2.4 / 7.8 million USD.
 */
export type Profile = ReturnType<typeof profileOf>;

/** The depth of a side grows with the distance from the mid to this power. */
const depthPower = 1.55;
/**
 * How far a book reaches from the mid at least, in basis points, and the minimum number of levels behind each touch.
 */
const reachBps = 32;
const minLevels = 14;
/**
 * The mean touch is worth this share of what trades between two moves, so that a move takes most of it; but only where
 * that is less than this many USD, because elsewhere a small order hardly counts.
 */
const touchShare = 0.1;
const largeTouchUsd = 6000;
/** Moves per print, and per second at least. */
const movesPerPrint = 0.1;
const fewestMoves = 0.015;

/**
 * The profile of a market, around the price of its instrument or another one. A market whose symbol is not in the
 * catalog gets a plain profile at a price that suits its grid. `shown`: prices that must be on the grid.
 */
export function profileOf(definition: MarketDefinition, around: number | null = null, shown: readonly Price[] = []) {
  const unit = 10 ** -definition.priceDecimals;
  // An unknown instrument is a small crypto market.
  const plainBase = definition.tick === null ? 50 : definition.tick * unit * 50_000;
  const plain: Instrument = { group: groups.alt, base: plainBase, dailyVolatility: 0.03, dailyUsd: 5e7 };
  const usual = instrumentOf(definition.symbol) ?? plain;
  const instrument = around === null ? usual : { ...usual, base: around };
  const gridTick = gridTickOf(definition, instrument.base, shown);
  const tickBps = ((gridTick * unit) / instrument.base) * 1e4;
  const { group, base, dailyVolatility, dailyUsd } = instrument;
  const pace = group.pace ?? usualPace;
  const depth10 = depthWithin10(instrument);
  const printUsd = 250 * power(dailyUsd / 1e7, 0.38);
  const moves = movesPerSecond(pace.moves, dailyUsd / printUsd / 86_400, (dailyVolatility * 1e4) / tickBps);
  const usualTouch = depth10 * Math.max(0.055, Math.min(0.5, (0.6 * tickBps) / 10));
  const touch = touchOf(usualTouch, dailyUsd / 86_400 / moves);
  return {
    kind: group.kind,
    // Factors that the market moves with; at least one.
    loads: group.loads,
    // Price in the quote currency around which the market moves, and price units of one grid tick.
    base,
    gridTick,
    // Standard deviation of a day's relative price change.
    dailyVolatility,
    // In grid ticks.
    spread: spreadOf(instrument, tickBps),
    rhythm: moveTimingOf(pace.books, moves),
    // The share of prints right before a move, at the touch that is about to move.
    burstShare: pace.burstShare,
    // USD volume of an ordinary day, and of one print.
    dailyUsd,
    printUsd,
    touchUsd: touch.usd,
    // Whether the touch grows and shrinks with the volume of the time.
    touchFollows: touch.follows,
    ...levelsOf(depth10, tickBps),
  };
}

/**
 * Price units between two prices of the book. Prices follow provider hyperliquid's rule up to a third above the base,
 * unless already shown prices are finer.
 */
function gridTickOf(definition: MarketDefinition, base: number, shown: readonly Price[]): number {
  if (definition.tick !== null) return definition.tick;
  let decimals = 4;
  for (let rest = base * 1.33; rest >= 10; rest /= 10) decimals -= 1;
  for (let rest = base * 1.33; rest < 1; rest *= 10) decimals += 1;
  let step = 10 ** Math.max(0, definition.priceDecimals - Math.max(0, decimals));
  while (step > 1 && shown.some((price) => price % step !== 0)) step /= 10;
  return step;
}

/**
 * USD on one side within 10 basis points of the mid. Markets with more volume have more, but less than in proportion.
 */
function depthWithin10({ dailyUsd, group }: Instrument): number {
  return 280_000 * group.depth * power(dailyUsd / 1e9, dailyUsd > 1e9 ? 0.9 : 0.7);
}

/** The mean touch, and whether it follows the volume, because takers take most of it. */
function touchOf(usual: number, usdPerMove: number): { usd: number; follows: boolean } {
  const most = touchShare * usdPerMove;
  return most > largeTouchUsd || most > usual ? { usd: usual, follows: false } : { usd: most, follows: true };
}

/** The more volume, the narrower the spread, but never below one grid tick. */
function spreadOf({ dailyUsd, group }: Instrument, tickBps: number): number {
  if (dailyUsd > 4e9) return 1;
  return Math.max(1, Math.min(25, Math.round((0.3 * group.spread * power(dailyUsd / 1e9, -0.35)) / tickBps)));
}

/**
 * A move takes several prints, and is larger than a grid tick, so that rounding hardly shows. `dailyTicks`: a day's
 * move.
 */
function movesPerSecond(most: number, printsPerSecond: number, dailyTicks: number): number {
  return Math.max(fewestMoves, Math.min(most, movesPerPrint * printsPerSecond, dailyTicks ** 2 / 172_800));
}

/**
 * Levels whose sizes add up to the target depth at any distance. `near`: ticks behind the touch that may have a level,
 * the share of them that do, the mean size of such a level, and its tail weight: from 0 (sizes close to the mean) to 1
 * (most are small and few very large). Behind those, `count` levels at the next multiples of each distance `apart` (in
 * grid ticks), with mean sizes: orders gather at round prices.
 */
function levelsOf(depth10: number, tickBps: number) {
  const depthAt = (ticks: number) => depth10 * power((ticks * tickBps) / 10, depthPower);
  const all = Math.max(minLevels, Math.ceil(reachBps / tickBps));
  const ticks = Math.min(24, all);
  const share = tickBps < 0.05 ? 0.4 : tickBps < 0.5 ? 0.7 : 1;
  const near = { ticks, share, usd: depthAt(ticks) / (ticks * share), tailWeight: share < 1 ? 0.85 : 0.5 };
  const round: { apart: number; count: number; usd: number }[] = [];
  let apart = 1;
  for (let reached = ticks; reached < all; ) {
    // Six levels at each distance; the distances grow away from the touch, each a multiple of the one before.
    const left = all - reached;
    apart *= [10, 5, 4, 2].find((factor) => apart * factor <= Math.min(0.75 * reached, left / 3)) ?? 1;
    // The last distance reaches to the end of the book.
    const count = left < 12 * apart ? Math.ceil(left / apart) : 6;
    const until = reached + count * apart;
    round.push({ apart, count, usd: (depthAt(until) - depthAt(reached)) / count });
    reached = until;
  }
  return { near, round };
}

function power(base: number, exponent: number): number {
  return exp(exponent * ln(base));
}

/** The instrument of a symbol; null if the catalog lacks it. */
export function instrumentOf(symbol: string): Instrument | null {
  const row = listed.find(([name]) => name === symbol);
  if (row === undefined) return null;
  const [, , , , , group, base, percent, millions] = row;
  return { group: groups[group], base, dailyVolatility: percent / 100, dailyUsd: millions * 1e6 };
}

/** The touch that a market showed at a time under an older version of its prices; the market continues from there. */
export interface LastTouch {
  readonly marketId: string;
  readonly time: Ms;
  readonly bid: Price;
  readonly ask: Price;
}

/** The starting level of a market's prices. */
export interface Start {
  profile: Profile;
  /** Price at path value 1, in grid ticks. */
  base: number;
  /** The slot whose best prices are fixed, in grid ticks. */
  fixed: { slot: number; bid: number; ask: number } | null;
}

/** The starting point at which the slot of `last.time` shows exactly that touch. */
export function startFrom(
  definition: MarketDefinition,
  last: LastTouch,
  { path, timetable }: { path: PricePath; timetable: Timetable },
): Start {
  const slot = Math.max(0, timetable.bookSlotAt(last.time));
  const level = levelAt(path, slot, timetable.slotsPerMinute);
  const mid = (last.bid + last.ask) / 2 / 10 ** definition.priceDecimals;
  const profile = profileOf(definition, mid * level, [last.bid, last.ask]);
  const bid = Math.round(last.bid / profile.gridTick);
  const ask = Math.round(last.ask / profile.gridTick);
  // The middle of the tick, so that rounding can't change it.
  const middle = Math.floor((bid + ask - profile.spread) / 2) + 0.5;
  return { profile, base: middle * level, fixed: { slot, bid, ask } };
}

/** The factor from path value 1 to the price at a slot's book. */
function levelAt(path: PricePath, slot: number, slotsPerMinute: number): number {
  const minute = Math.floor(slot / slotsPerMinute);
  const perSpan = slotsPerMinute / spansPerMinute;
  const place = slot - minute * slotsPerMinute;
  path.openMinute(minute);
  path.openSpan(Math.floor(place / perSpan));
  path.slots.complete();
  return 1 / path.slots.values[(place % perSpan) + 1]!;
}
