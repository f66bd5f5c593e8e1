import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Result, recordOf } from '../../output/result.ts';
import { marksOf } from '../../reading/marks.ts';
import { resolvePosition, workingExits } from '../../resolve/position.ts';
import { exitBlocks } from '../../views/order-view.ts';
import { positionBlocks } from '../../views/position-view.ts';

export const command = defineCommand({
  summary: 'Show one position, open or closed',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  examples: [
    ['perp positions show BTC', 'the open position in BTC'],
    ['perp positions show BTC --json', 'every field'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const position = await resolvePosition(context, input.position);
  const isShown = context.settings.output === 'table' && position.status === 'open';
  const marks = isShown ? await marksOf(context, [position.market_id]) : new Map<string, number>();
  const exits = isShown ? await workingExits(context, position) : [];
  return recordOf(position, () => [...positionBlocks(position, marks.get(position.market_id)), ...exitBlocks(exits)]);
}
