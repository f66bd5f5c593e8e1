import { Fold, type Size, type Start, tableOfTrades } from '../../../src/desk/statistics/fold.ts';
import { numbersOf, type TwoPoint, tradeOf } from './traders.ts';

const [resamples, paths] = [250, 100];

/**
 * The 90 % interval of the plainest nested bootstrap: trades drawn one by one, and bounds between which 90 % of the
 * resampled chances are.
 */
export function plainInterval(
  multiples: readonly number[],
  { perDay, risk, rules }: TwoPoint,
  start: Omit<Start, 'open'>,
  seed: number,
): { low: number; high: number } {
  const number = numbersOf(seed);
  const pick = (count: number) => Math.floor(number() * count);
  const size: Size = { fixed: risk, share: 0 };
  const chances = Array.from({ length: resamples }, () => {
    const drawn = multiples.map(() => multiples[pick(multiples.length)]!);
    const fold = new Fold(tableOfTrades(drawn.map((r) => tradeOf(r, perDay))), rules, { ...start, open: [] });
    const draws = { next: () => pick(drawn.length), chance: number };
    let passed = 0;
    for (let path = 0; path < paths; path += 1) if (fold.run(draws, size).end === 1) passed += 1;
    return passed / paths;
  });
  chances.sort((one, other) => one - other);
  return { low: chances[Math.round(resamples * 0.05)]!, high: chances[Math.round(resamples * 0.95) - 1]! };
}
