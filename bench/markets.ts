/**
 * The cost of a synthetic market: 1,500 bars of every interval, the book at any moment, markets that nobody requests.
 */

import { barIntervals, barStart } from '../src/exchange/markets/bars.ts';
import { syntheticSource } from '../src/exchange/markets/synthetic/synthetic-source.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';

const btc = 'binance|BTCUSDT';
const now = Date.UTC(2026, 10, 18, 12);
const years = 365 * 86_400_000;
const samples = 7;

/** Milliseconds; the goals are those of docs/markets.md. */
export async function markets(): Promise<Figure[]> {
  const source = syntheticSource({ seed: 1 });
  const minutes = median(repeat(1, (i) => barsOf(source, '1m', i)));
  const slowest = barIntervals
    .map((interval) => ({ interval, ms: median(repeat(1, (i) => barsOf(source, interval, i))) }))
    .sort((one, other) => other.ms - one.ms)[0]!;
  return [
    { name: 'bars: 1,500 of one minute', value: minutes, unit: 'ms', target: { atMost: 50 } },
    {
      name: 'bars: 1,500 of the slowest interval',
      value: slowest.ms,
      unit: 'ms',
      target: { atMost: 200 },
      note: slowest.interval,
    },
    {
      name: 'book: at any moment',
      value: median(repeat(0, (i) => millisecondsOf(() => source.book(btc, now - i * 12_345_678_901)))),
      unit: 'ms',
      target: { atMost: 2 },
    },
    {
      name: 'books: a day of them, one after the other',
      value: median(repeat(1, () => playedMs(source, false))),
      unit: 'ms',
    },
    { name: 'books and prints: a day of them', value: median(repeat(1, () => playedMs(source, true))), unit: 'ms' },
  ];
}

type Source = ReturnType<typeof syntheticSource>;

function barsOf(source: Source, interval: (typeof barIntervals)[number], round: number): number {
  // Monthly bars reach back to the epoch; shorter ones do not need to.
  const from =
    interval === '1M' || interval === '1w' ? 0 : barStart(interval, now - 12 * years + round * 77_777_777_777);
  return millisecondsOf(() => source.bars(btc, interval, from, 1500, now));
}

function playedMs(source: Source, prints: boolean): number {
  const tape = source.open(now);
  const none = { buys: Number.NEGATIVE_INFINITY, sells: Number.POSITIVE_INFINITY };
  tape.watch(btc, true, prints ? undefined : none);
  return millisecondsOf(() => {
    while (tape.next(now + 86_400_000) !== null);
  });
}

function repeat(warmUps: number, sample: (round: number) => number): number[] {
  for (let i = 0; i < warmUps; i += 1) sample(samples + i);
  return Array.from({ length: samples }, (_, i) => sample(i));
}
