import type { Context } from '../context/context.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Result } from '../output/result.ts';
import { steer, steerArgs } from '../writes/steer.ts';

export const command = defineCommand({
  summary: "Move a position's take-profit, or place one",
  description:
    'The take-profit then covers the whole position at this price. A distance (3%, +150) is measured from the entry.',
  args: steerArgs('99000, entry+3%, 3%'),
  examples: [
    ['perp target BTC 160000', 'take the profit at this mark'],
    ['perp target BTC 3%', '3% from the entry, on the winning side'],
    ['perp target BTC none', 'no take-profit'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  return steer(context, input, 'tp');
}
