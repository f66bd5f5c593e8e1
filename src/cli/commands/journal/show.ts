import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import type { Result } from '../../output/result.ts';

export const command = defineCommand({
  summary: 'Show one round trip: prices, costs, R, excursions, note and tags',
  args: [{ name: 'position', kind: 'position', summary: 'id, or the market of an open one' }],
  examples: [
    ['perp journal show pos_000000005', 'a closed position'],
    ['perp journal show BTC --json', 'the open one, for a program'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { showTrip } = await import('../../history/show-trip.ts');
  return showTrip(context, input);
}
