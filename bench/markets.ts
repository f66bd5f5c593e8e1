/** What a synthetic market costs: 1 500 bars of every interval, the book of any moment, markets that nobody asks for. */

import { barIntervals, barStart } from '../src/markets/bars.ts';
import { syntheticSource } from '../src/markets/synthetic.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';

const btc = 'binance|BTCUSDT';
const now = Date.UTC(2026, 10, 18, 12);
const years = 365 * 86_400_000;
const samples = 7;

/** Milliseconds; the budgets are those of docs/markets.md. */
export async function markets(): Promise<Figure[]> {
  const source = syntheticSource({ seed: 1 });
  const minutes = median(repeat(1, (i) => barsOf(source, '1m', i)));
  const slowest = barIntervals
    .map((interval) => ({ interval, ms: median(repeat(1, (i) => barsOf(source, interval, i))) }))
    .sort((one, other) => other.ms - one.ms)[0]!;
  return [
    { name: 'bars: 1 500 of a minute', value: minutes, unit: 'ms', target: { atMost: 50 } },
    {
      name: 'bars: 1 500 of the slowest interval',
      value: slowest.ms,
      unit: 'ms',
      target: { atMost: 200 },
      note: slowest.interval,
    },
    {
      name: 'book: of any moment',
      value: median(repeat(0, (i) => millisecondsOf(() => source.book(btc, now - i * 12_345_678_901)))),
      unit: 'ms',
      target: { atMost: 2 },
    },
    {
      name: 'books: of a day, one after the other',
      value: median(repeat(1, () => playedMs(source, false))),
      unit: 'ms',
    },
    { name: 'books and prints: of a day', value: median(repeat(1, () => playedMs(source, true))), unit: 'ms' },
  ];
}

type Source = ReturnType<typeof syntheticSource>;

function barsOf(source: Source, interval: (typeof barIntervals)[number], round: number): number {
  // Months go back to the epoch; nothing shorter needs that.
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
