/** The time that odds take, beside a bare loop that draws as many trades from the same record. */
import { dayMs, hourMs } from '../src/base/terms/day.ts';
import { hash32 } from '../src/base/terms/hash.ts';
import { BlockDraws } from '../src/desk/statistics/bootstrap.ts';
import { Fold, type Trade, tableOfTrades } from '../src/desk/statistics/fold.ts';
import { drawn, oddsOf, type Question, resultOf } from '../src/desk/statistics/odds.ts';
import { type Figure, median } from './measure.ts';

const runs = 9;
const record: Trade[] = Array.from({ length: 60 }, (_, at) => {
  const r = (at * 7) % 20 < 9 ? 1.5 : -1;
  return { gap: 8 * hourMs, steps: [{ after: 2 * hourMs, change: r, worst: r > 0 ? -0.4 : -1 }] };
});
const question: Question = {
  record,
  open: [],
  rules: { dailyLoss: 3_000, drawdownFloor: 97_000, target: 109_000, minimumDays: 0 },
  start: {
    time: 0,
    equity: 100_000,
    dayStart: 100_000,
    daysTraded: 0,
    hasTradedToday: false,
    midnights: Float64Array.from({ length: 90 }, (_, at) => (at + 1) * dayMs),
  },
  size: { fixed: 0, share: 0.005 },
  seed: 1,
};

/** Processor time of what is run, ms: the median, once it is compiled. */
function timeOf(run: () => void): number {
  for (let warm = 0; warm < 3; warm += 1) run();
  const times = Array.from({ length: runs }, () => {
    const begun = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return median(times);
}

/** 10,000 paths and the interval of 250 resampled records. */
export async function odds(): Promise<Figure[]> {
  // As many trades as the paths of the answer draw, their resampled records included.
  const draws = new BlockDraws(record.length, 1);
  const fold = new Fold(tableOfTrades(record), question.rules, { ...question.start, open: [] });
  let trades = 0;
  for (let path = 0; path < drawn.paths; path += 1) {
    draws.begin(hash32(1, path, 0));
    trades += fold.run(draws, question.size).trades + 1;
  }
  const all = trades * (1 + (drawn.resamples * drawn.within) / drawn.paths) + drawn.resamples * record.length;
  const results = Float64Array.from(record, resultOf);
  let total = 0;
  const bare = timeOf(() => {
    draws.begin(7);
    let sum = 0;
    for (let at = 0; at < all; at += 1) sum += results[draws.next()]!;
    total += sum;
  });
  const whole = timeOf(() => void oddsOf(question));
  if (!Number.isFinite(total)) throw new Error('The bare loop drew nothing.');
  return [
    { name: 'odds: 10,000 paths with their interval', value: whole, unit: 'ms', note: 'processor time' },
    {
      name: 'odds: as a multiple of a bare loop that draws as many trades',
      value: whole / bare,
      unit: 'times',
      target: { atMost: 4 },
      note: `bare: ${bare.toFixed(1)} ms`,
    },
  ];
}
