import { firstPlace } from '../../../base/terms/sorted.ts';
import type { MarketSource } from '../../../exchange/engine/source.ts';
import type { TrialSpec } from '../trial.ts';

/** This many numbers in the tape's order are not a coincidence. */
const leastChain = 10;
/** This share of a text's numbers in the range of the tape's prices must be in that order; for a longer chain, less. */
const leastShare = 0.9;
const longChain = 16;
const leastShareOfLong = 0.5;
/** A price goes up and down; the levels of a grid only go up. This many numbers have at least one turn. */
const mostInOneDirection = 6;
/** The next of them must come this soon, as a share of the trial's time, and at least this many ms. */
const reachShare = 0.03;
const leastReachMs = 2_000;
/** The number of its numbers from which a chain may begin. */
const mostStarts = 500;
/** Factors that may turn a number into a price. */
const scales = Array.from({ length: 17 }, (_, at) => 10 ** (at - 8)).sort(
  (one, other) => Math.abs(Math.log(one)) - Math.abs(Math.log(other)),
);
/** Further numbers of a text are ignored. */
const mostNumbers = 20_000;

/**
 * Whether a strategy's own files contain prices of the tape that come after the trial's start: a long chain of numbers,
 * in order, that the tape shows in this order. Null if they don't.
 */
export function embeddedPrices(
  source: MarketSource,
  spec: Pick<TrialSpec, 'from' | 'to'>,
  texts: readonly { readonly name: string; readonly text: string }[],
): { sentence: string; at: number } | null {
  const numbers = texts.map(({ name, text }) => ({ name, values: numbersIn(text) }));
  for (const { marketId, priceDecimals } of source.definitions) {
    const about = (source.book(marketId, spec.from)?.bids[0] ?? Number.NaN) / 10 ** priceDecimals;
    const isNear = (value: number) => value > about / 4 && value < about * 4;
    // Prices may be in other units, such as cents, and the last may come first.
    const series = numbers.flatMap(({ name, values }) =>
      scales.flatMap((scale) => {
        const scaled = values.map((value) => value * scale);
        // Without such numbers, the tape isn't read.
        if (about > 0 && scaled.filter(isNear).length < leastChain) return [];
        return [scaled, [...scaled].reverse()].map((each) => ({ name, values: each }));
      }),
    );
    if (series.length === 0) continue;
    const shown = shownPrices(source, marketId, priceDecimals, spec);
    for (const { name, values } of series) {
      const candidates = values.filter((value) => value >= shown.lowest && value <= shown.highest);
      const chain = longestChain(candidates, shown.times, Math.max(leastReachMs, (spec.to - spec.from) * reachShare));
      if (chain === null) continue;
      const at = new Date(chain.first).toISOString().replace('T', ' ');
      return { sentence: `${name} contains its prices, ${chain.length} in a row from ${at} on`, at: chain.first };
    }
  }
  return null;
}

function numbersIn(text: string): number[] {
  const values: number[] = [];
  for (const [digits] of text.matchAll(/[0-9.]+/g)) {
    const value = Number(digits);
    // Zero, and whole numbers with few digits, are in every program.
    if (Number.isFinite(value) && value > 0) values.push(value);
    if (values.length === mostNumbers) break;
  }
  return values;
}

/** When a tape shows each price, ascending. */
type Times = ReadonlyMap<number, readonly number[]>;

const key = (price: number) => Math.round(price * 1e9) / 1e9;

/** When the tape shows each price (best bid, best ask, midpoint, print), and their range. */
function shownPrices(
  source: MarketSource,
  marketId: string,
  decimals: number,
  { from, to }: { from: number; to: number },
) {
  const times = new Map<number, number[]>();
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const show = (units: number, time: number) => {
    if (!(units > 0)) return;
    const price = key(units / 10 ** decimals);
    const known = times.get(price);
    if (known === undefined) times.set(price, [time]);
    else if (known.at(-1) !== time) known.push(time);
    lowest = Math.min(lowest, price);
    highest = Math.max(highest, price);
  };
  const tape = source.open(from);
  tape.watch(marketId, true);
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    if (event.kind === 'print') show(event.price, event.time);
    if (event.kind !== 'book' && event.kind !== 'delta') continue;
    const book = source.book(marketId, event.time);
    const [bid, ask] = [book?.bids[0] ?? Number.NaN, book?.asks[0] ?? Number.NaN];
    show(bid, event.time);
    show(ask, event.time);
    show((bid + ask) / 2, event.time);
  }
  return { lowest, highest, times };
}

interface Chain {
  readonly length: number;
  /** When the tape shows the first of them. */
  readonly first: number;
}

/** The longest chain that begins with one of the first numbers; null if it may be a coincidence. */
function longestChain(values: readonly number[], times: Times, reachMs: number): Chain | null {
  let longest: Chain | null = null;
  const starts = Math.max(1, Math.floor(values.length / mostStarts));
  for (let start = 0; start <= values.length - leastChain; start += starts) {
    const chain = chainFrom(values, start, times, reachMs);
    if (chain !== null && chain.length > (longest?.length ?? 0)) longest = chain;
  }
  return longest;
}

/** Numbers, in order, each of which the tape shows soon after the one before; others are skipped. */
function chainFrom(values: readonly number[], start: number, times: Times, reachMs: number): Chain | null {
  const first = times.get(key(values[start]!))?.[0];
  if (first === undefined) return null;
  const fitting = [values[start]!];
  let [last, end, others] = [first, start, 0];
  for (let at = start + 1; at < values.length; at += 1) {
    // The same price again is no further evidence.
    if (values[at] === values[at - 1]) continue;
    const shown = times.get(key(values[at]!));
    const time = shown?.[firstAfter(shown, last)];
    if (time === undefined || time > last + reachMs) {
      others += 1;
      if (others > fitting.length + leastChain) break;
      continue;
    }
    fitting.push(values[at]!);
    last = time;
    end = at;
  }
  const { length } = fitting;
  const share = length / (end - start + 1 - sameIn(values, start, end));
  const isLong = length >= longChain && share >= leastShareOfLong;
  if (!isLong && !(length >= leastChain && share >= leastShare)) return null;
  return turnsIn(fitting) * mostInOneDirection >= length ? { length, first } : null;
}

/** How often a series changes its direction. */
function turnsIn(values: readonly number[]): number {
  let [turns, way] = [0, 0];
  for (let at = 1; at < values.length; at += 1) {
    const next = Math.sign(values[at]! - values[at - 1]!);
    if (next !== 0 && way !== 0 && next !== way) turns += 1;
    if (next !== 0) way = next;
  }
  return turns;
}

function sameIn(values: readonly number[], start: number, end: number): number {
  let same = 0;
  for (let at = start + 1; at <= end; at += 1) if (values[at] === values[at - 1]) same += 1;
  return same;
}

function firstAfter(times: readonly number[], time: number): number {
  return firstPlace(times.length, (place) => times[place]! <= time);
}
