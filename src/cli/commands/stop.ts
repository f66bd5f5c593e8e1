import type { Context } from '../context/context.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Result } from '../output/result.ts';
import { steer, steerArgs } from '../writes/steer.ts';

export const command = defineCommand({
  summary: "Move a position's stop-loss, or place one",
  description:
    'The stop-loss then covers the whole position at this price. A distance (1%, +150) is measured from the entry.',
  args: steerArgs('95000, entry, entry-1%, 1%'),
  examples: [
    ['perp stop BTC 95000', 'stop at this mark'],
    ['perp stop BTC entry', 'to break-even'],
    ['perp stop BTC 1%', '1% from the entry, on the losing side'],
    ['perp stop BTC mark-200', '200 USD below the mark'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  return steer(context, input, 'sl');
}
