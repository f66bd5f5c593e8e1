import type { MarketSource } from '../../engine/source.ts';
import type { TrialSpec } from '../trial.ts';
import type { Line } from './difference.ts';

/** Into how many steps the tape is cut, and how far from any chance the gain on it must be, in standard deviations. */
const steps = 512;
const leastDeviations = 3.3;
/** Positions that came this much earlier or later, as a share of the time, fit in part. */
const besideShare = 0.05;
/** Fewer changes of position say nothing about what a strategy knows. */
export const leastChanges = 6;

/**
 * Whether positions that a strategy took while it saw other markets fit the moves of this tape: the time of its first
 * position, or null. The gain of its positions on the tape is compared with the gains if they had come earlier or later
 * by any time, so whoever is always long, or trades by a clock, is as good at any other time.
 */
export function foresightOf(
  source: MarketSource,
  spec: Pick<TrialSpec, 'from' | 'to'>,
  runs: readonly (readonly Line[])[],
): number | null {
  return fitOf(source, spec, runs, leastDeviations);
}

/** The same for positions that fit by at least so many standard deviations. */
export function fitOf(
  source: MarketSource,
  { from, to }: Pick<TrialSpec, 'from' | 'to'>,
  runs: readonly (readonly Line[])[],
  least: number,
): number | null {
  const width = (to - from) / steps;
  const markets = new Set(runs.flatMap((lines) => lines.flatMap(({ content }) => content.fill?.market ?? [])));
  for (const market of markets) {
    const id = marketIdOf(source, market);
    if (id === undefined) continue;
    const moves = movesOf(source, id, from, width);
    const { held, changes, first } = positionsOf(runs, market, from, width);
    if (changes < leastChanges || first === null) continue;
    if (deviations(held, moves) >= least) return first;
  }
  return null;
}

/** How often a run changed between long, short and flat, in the market where it did so most. */
export function positionChanges(lines: readonly Line[]): number {
  const held = new Map<string, { size: number; changes: number }>();
  for (const { content } of lines) {
    const { fill } = content;
    if (fill === undefined) continue;
    const one = held.get(fill.market) ?? { size: 0, changes: 0 };
    const size = one.size + (fill.side === 'buy' ? fill.size : -fill.size);
    held.set(fill.market, { size, changes: one.changes + (way(size) === way(one.size) ? 0 : 1) });
  }
  return Math.max(0, ...[...held.values()].map(({ changes }) => changes));
}

/** Whether a size is long, short or, apart from the noise of binary fractions, flat. */
function way(size: number): number {
  return Math.abs(size) < 1e-12 ? 0 : Math.sign(size);
}

function marketIdOf({ definitions }: MarketSource, name: string): string | undefined {
  return definitions.find(({ marketId, symbol, coin }) => [marketId, symbol, coin].includes(name))?.marketId;
}

/** The relative move of the midpoint in each step. */
function movesOf(source: MarketSource, marketId: string, from: number, width: number): Float64Array {
  const moves = new Float64Array(steps);
  let last = Number.NaN;
  for (let step = 0; step <= steps; step += 1) {
    const book = source.book(marketId, Math.floor(from + step * width));
    const mid = book === null ? Number.NaN : (book.bids[0] ?? Number.NaN) + (book.asks[0] ?? Number.NaN);
    if (step > 0) moves[step - 1] = mid > 0 && last > 0 ? Math.log(mid / last) : 0;
    if (mid > 0) last = mid;
  }
  return moves;
}

/** The direction of the position in each step, as the mean of the runs: -1 to 1. */
function positionsOf(runs: readonly (readonly Line[])[], market: string, from: number, width: number) {
  const held = new Float64Array(steps);
  let changes = 0;
  let first: number | null = null;
  for (const lines of runs) {
    let [size, at] = [0, 0];
    const fillTo = (end: number) => {
      for (; at < Math.min(steps, end); at += 1) held[at]! += way(size) / runs.length;
    };
    for (const { time, content } of lines) {
      const { fill } = content;
      if (fill === undefined || fill.market !== market) continue;
      fillTo(Math.ceil((time - from) / width));
      const before = way(size);
      size += fill.side === 'buy' ? fill.size : -fill.size;
      if (way(size) !== before) changes += 1 / runs.length;
      first ??= time;
    }
    fillTo(steps);
  }
  return { held, changes, first };
}

/** How many standard deviations the gain is above those of circular shifts; 0 if one of them gains as much. */
function deviations(held: Float64Array, moves: Float64Array): number {
  const gainOf = (shift: number) => {
    let gain = 0;
    for (let step = 0; step < steps; step += 1) gain += held[step]! * moves[(step + shift + steps) % steps]!;
    return gain;
  };
  const beside = Math.ceil(steps * besideShare);
  const others = Float64Array.from({ length: steps - 2 * beside + 1 }, (_, at) => gainOf(at + beside));
  const mean = others.reduce((sum, gain) => sum + gain, 0) / others.length;
  const spread = Math.sqrt(others.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / others.length);
  const best = others.reduce((top, gain) => Math.max(top, gain), Number.NEGATIVE_INFINITY);
  // A fill at the end of a step counts for the next one.
  const own = Math.max(gainOf(0), gainOf(1));
  return own > best && spread > 0 ? (own - mean) / spread : 0;
}
