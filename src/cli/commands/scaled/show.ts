import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { scaledBlocks } from '../../../console/views/strategy-view.ts';
import { called } from '../../../desk/resolve/unknown.ts';

export const command = defineCommand({
  summary: 'Show one ladder and its rungs',
  args: [{ name: 'id', kind: 'scaled', summary: 'ladder id' }],
  examples: [['perp scaled show scaled_3', 'with every rung']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const look = () => console.call('getScaledOrder', { path: { scaled_order_id: input.id } });
  const { data } = await called(console, 'scaled', input.id, look);
  return recordOf(data, () => scaledBlocks(data));
}
