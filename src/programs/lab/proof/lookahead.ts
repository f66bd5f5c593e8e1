import type { MarketSource } from '../../../exchange/engine/source.ts';
import type { TrialSpec } from '../trial.ts';
import type { Line } from './difference.ts';

/**
 * The number of steps into which the tape is cut, and the required distance of the gain from chance, in standard
 * deviations.
 */
const steps = 512;
const leastDeviations = 3.3;
/** Positions that came this much earlier or later, as a share of the time, fit in part. */
const besideShare = 0.05;
/** Fewer changes of position are inconclusive. */
export const leastChanges = 6;

/** The fit of the positions in one market to the moves of a tape. */
interface Fit {
  readonly market: string;
  /** The distance of the gain from the gains of the same positions at other times, in standard deviations. */
  readonly deviations: number;
  /** Whether they gain most here. */
  readonly isBest: boolean;
  /** The time of the first position. */
  readonly first: number;
}

/**
 * The fit of a strategy's positions, perhaps taken while it saw other markets, to the moves of this tape. The gain of
 * its positions on the tape is compared with the gains if they had come earlier or later by any time, so a strategy
 * that is always long, or trades by a clock, is as good at any other time. Positions count by their direction, and then
 * by their size.
 */
export function fitsOf(
  source: MarketSource,
  { from, to }: Pick<TrialSpec, 'from' | 'to'>,
  runs: readonly (readonly Line[])[],
): Fit[] {
  const width = (to - from) / steps;
  const markets = new Set(runs.flatMap((lines) => lines.flatMap(({ content }) => content.fill?.market ?? [])));
  const fits: Fit[] = [];
  for (const market of markets) {
    const id = marketIdOf(source, market);
    if (id === undefined) continue;
    const moves = movesOf(source, id, from, width);
    for (const weight of [way, share]) {
      const { held, changes, first } = positionsOf(runs, market, from, width, weight);
      if (changes < leastChanges || first === null) continue;
      fits.push({ market, first, ...deviations(held, moves) });
    }
  }
  return fits;
}

/** The best fit that isn't chance; null if there is none. */
export function lookaheadOf(...fitting: Parameters<typeof fitsOf>): Fit | null {
  const fits = fitsOf(...fitting).filter(({ isBest, deviations: own }) => isBest && own >= leastDeviations);
  return fits.sort((one, other) => other.deviations - one.deviations)[0] ?? null;
}

/** The similarity of two runs' positions at all times, by direction: 1 if they are the same, about 0 if unrelated. */
export function similarity({ from, to }: Pick<TrialSpec, 'from' | 'to'>, one: readonly Line[], other: readonly Line[]) {
  const markets = new Set([...one, ...other].flatMap(({ content }) => content.fill?.market ?? []));
  let [both, ofOne, ofOther] = [0, 0, 0];
  for (const market of markets) {
    const [held, heldThere] = [one, other].map(
      (run) => positionsOf([run], market, from, (to - from) / steps, way).held,
    );
    for (let step = 0; step < steps; step += 1) {
      const [mine, there] = [held![step]!, heldThere![step]!];
      both += mine * there;
      ofOne += mine * mine;
      ofOther += there * there;
    }
  }
  return ofOne === ofOther && ofOne === 0 ? 1 : both / Math.sqrt(ofOne * ofOther || 1);
}

/** How often a run changed between long, short and flat or between buying and selling, in its most active market. */
export function positionChanges(lines: readonly Line[]): number {
  const held = new Map<string, { size: number; last: string; changes: number }>();
  for (const { content } of lines) {
    const { fill } = content;
    if (fill === undefined) continue;
    const one = held.get(fill.market) ?? { size: 0, last: '', changes: 0 };
    const size = one.size + (fill.side === 'buy' ? fill.size : -fill.size);
    const isChange = way(size) !== way(one.size) || fill.side !== one.last;
    held.set(fill.market, { size, last: fill.side, changes: one.changes + (isChange ? 1 : 0) });
  }
  return Math.max(0, ...[...held.values()].map(({ changes }) => changes));
}

/** Whether a size is long, short or, apart from the noise of binary fractions, flat. */
function way(size: number): number {
  return Math.abs(size) < 1e-12 ? 0 : Math.sign(size);
}

/** A size as a share of the largest. */
function share(size: number, largest: number): number {
  return way(size) === 0 ? 0 : size / largest;
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

/** The position in each step, weighed, as the mean of the runs: -1 to 1. */
function positionsOf(
  runs: readonly (readonly Line[])[],
  market: string,
  from: number,
  width: number,
  weight: (size: number, largest: number) => number,
) {
  const held = new Float64Array(steps);
  let changes = 0;
  let first: number | null = null;
  for (const lines of runs) {
    const fills = lines.filter(({ content }) => content.fill?.market === market);
    const sizes = sizesAfter(fills);
    const largest = Math.max(...sizes.map(Math.abs));
    let [at, before] = [0, 0];
    const fillTo = (end: number) => {
      for (; at < Math.min(steps, end); at += 1) held[at]! += weight(before, largest) / runs.length;
    };
    for (const [index, { content }] of fills.entries()) {
      const { time } = content.fill!;
      fillTo(Math.ceil((time - from) / width));
      before = sizes[index]!;
      first ??= time;
    }
    fillTo(steps);
    changes += positionChanges(fills) / runs.length;
  }
  return { held, changes, first };
}

/** The position after each fill. */
function sizesAfter(fills: readonly Line[]): number[] {
  let size = 0;
  return fills.map(({ content }) => {
    const fill = content.fill!;
    size += fill.side === 'buy' ? fill.size : -fill.size;
    return size;
  });
}

/** The gain compared with those of circular shifts. */
function deviations(held: Float64Array, moves: Float64Array): Pick<Fit, 'deviations' | 'isBest'> {
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
  return { deviations: spread > 0 ? (own - mean) / spread : 0, isBest: own > best };
}
