/**
 * A page of orders at a million rows against the same page at a thousand: a page reads only its own rows, so its cost
 * must not grow with history.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '../src/exchange/store/store.ts';
import { historyOf } from './history.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';

const sizes = [1_000, 1_000_000] as const;
const pagesPerSample = 200;
const samples = 9;

/**
 * Time of a page of 50 orders at 1,000,000 rows divided by the time at 1,000 rows, for first pages and pages from the
 * middle.
 */
export async function pages(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  try {
    const stores = sizes.map((rows) => {
      const store = Store.open(join(folder, `${rows}.db`));
      historyOf(store, rows);
      return { store, rows };
    });
    const figures = (['first', 'middle'] as const).map((place): Figure => {
      const times = stores.map(() => [] as number[]);
      for (let sample = -1; sample < samples; sample++) {
        stores.forEach(({ store, rows }, index) => {
          const after = place === 'first' ? null : middleOf(rows);
          const ms = millisecondsOf(() => {
            for (let page = 0; page < pagesPerSample; page++) {
              store.orders({ owner: 'owner', environment: 'live', accountId: null, limit: 50, after });
            }
          });
          if (sample >= 0) times[index]!.push(ms / pagesPerSample);
        });
      }
      const [small, large] = times.map(median) as [number, number];
      return {
        isQuoted: true,
        name: `${place} page of 50 orders, 1,000,000 rows / 1,000 rows`,
        value: large / small,
        unit: 'x',
        target: { atMost: 1.5 },
        note: `${(large * 1000).toFixed(0)} us / ${(small * 1000).toFixed(0)} us`,
      };
    });
    for (const { store } of stores) store.close();
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The key of the row in the middle of a history made by `historyOf` (ten orders share each millisecond). */
function middleOf(rows: number): { time: number; sequence: number } {
  const sequence = rows / 2;
  return { time: Math.floor(sequence / 10), sequence };
}
