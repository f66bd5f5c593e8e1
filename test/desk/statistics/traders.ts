import { dayMs, hourMs } from '../../../src/base/terms/day.ts';
import { fraction, nextHash } from '../../../src/base/terms/hash.ts';
import type { ChallengeRules, Start, Trade } from '../../../src/desk/statistics/fold.ts';

/** Numbers from 0 to 1 that a seed determines. */
export function numbersOf(seed: number): () => number {
  let hash = seed;
  return () => {
    hash = nextHash(hash);
    return fraction(hash);
  };
}

/** A trader who wins `reward` R with a chance and else loses one, so many times a day; a trade risks so many USD. */
export interface TwoPoint {
  readonly chance: number;
  readonly reward: number;
  readonly perDay: number;
  readonly risk: number;
  readonly days: number;
  readonly rules: ChallengeRules;
}

/** USD with which two-point traders start. */
export const starting = 100_000;

/** Draws a trader; rewards and floors are multiples of half an R, so that equity stays on a grid. */
export function drawTrader(number: () => number): TwoPoint {
  const one = <T>(values: readonly T[]) => values[Math.floor(number() * values.length)]!;
  const reward = one([1, 1.5, 2, 3]);
  const edge = -0.1 + 0.45 * number();
  return {
    chance: (1 + edge) / (1 + reward),
    reward,
    perDay: 1 + Math.floor(number() * 4),
    risk: one([250, 500, 750, 1_000]),
    days: 60,
    rules: { dailyLoss: 3_000, drawdownFloor: starting - one([3_000, 5_000]), target: 109_000, minimumDays: 0 },
  };
}

/** A trade of this result, evenly spaced. */
export function tradeOf(r: number, perDay: number): Trade {
  return { gap: dayMs / perDay, steps: [{ after: hourMs, change: r, worst: Math.min(r, 0) }] };
}

/** A start just so late that all trades of a day are on that day. */
export function startFor({ perDay, days }: Pick<TwoPoint, 'perDay' | 'days'>): Omit<Start, 'open'> {
  const time = -dayMs / perDay + hourMs / 2;
  const midnights = Float64Array.from({ length: days }, (_, at) => (at + 1) * dayMs);
  return { time, equity: starting, dayStart: starting, daysTraded: 0, hasTradedToday: false, midnights };
}

/** The exact chance to pass, by dynamic programming over the grid of equity. */
export function exactChance({ chance, reward, perDay, risk, days, rules }: TwoPoint): number {
  const half = risk / 2;
  const unitsOf = (usd: number) => usd / half;
  const [daily, floor, target] = [
    unitsOf(rules.dailyLoss ?? Number.POSITIVE_INFINITY),
    unitsOf((rules.drawdownFloor ?? Number.NEGATIVE_INFINITY) - starting),
    unitsOf((rules.target ?? Number.POSITIVE_INFINITY) - starting),
  ];
  let passed = 0;
  let mornings = new Map([[0, 1]]);
  const add = (to: Map<number, number>, key: number, share: number) => to.set(key, (to.get(key) ?? 0) + share);
  for (let day = 0; day < days; day += 1) {
    const next = new Map<number, number>();
    for (const [morning, share] of mornings) {
      let now = new Map([[morning, share]]);
      for (let trade = 0; trade < perDay; trade += 1) {
        const later = new Map<number, number>();
        for (const [equity, part] of now) {
          for (const [change, odds] of [
            [2 * reward, chance],
            [-2, 1 - chance],
          ] as const) {
            const after = equity + change;
            if (after <= floor + 1e-9 || after <= morning - daily + 1e-9) continue;
            if (after >= target - 1e-9) passed += part * odds;
            else add(later, after, part * odds);
          }
        }
        now = later;
      }
      for (const [equity, part] of now) add(next, equity, part);
    }
    mornings = next;
  }
  return passed;
}
