import { type TestContext, test } from 'node:test';
import { seed } from '../../seed.ts';
import { hostileTrial, type Tally } from './hostile-trials.ts';
import { ordinaryTrial } from './ordinary-trials.ts';

/** Registers both trials, each so many times. */
export function mandateTrials(count: { hostile: number; ordinary: number }): void {
  test('whatever a bot tries under a mandate, nothing beyond it ever exists on the exchange', (t) => {
    const sum: Tally = { attempts: 0, allowed: 0, sent: 0, done: 0, fills: 0 };
    each(t, count.hostile, (one) => {
      for (const [name, value] of Object.entries(hostileTrial(one, 40))) sum[name as keyof Tally] += value;
    });
    t.diagnostic(
      Object.entries(sum)
        .map((entry) => entry.toReversed().join(' '))
        .join(', '),
    );
  });

  test('what a bot does within its mandate is never refused', (t) => {
    let writes = 0;
    each(t, count.ordinary, (one) => {
      writes += ordinaryTrial(one);
    });
    t.diagnostic(`${writes} writes, none refused`);
  });
}

function each(t: TestContext, count: number, trial: (seed: number) => void): void {
  const from = seed * 1_000_003;
  t.diagnostic(`${count} trials from seed ${from}`);
  for (let at = 0; at < count; at += 1) {
    try {
      trial(from + at);
    } catch (error) {
      (error as Error).message = `trial ${from + at}: ${(error as Error).message}`;
      throw error;
    }
  }
}
