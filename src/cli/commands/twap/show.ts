import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { twapBlocks } from '../../../console/views/strategy-view.ts';
import { called } from '../../../desk/resolve/unknown.ts';

export const command = defineCommand({
  summary: 'Show one TWAP or VWAP order',
  args: [{ name: 'id', kind: 'twap', summary: 'TWAP id' }],
  examples: [['perp twap show twap_7', 'its progress']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const look = () => console.call('getTwapOrder', { path: { twap_order_id: input.id } });
  const { data } = await called(console, 'twap', input.id, look);
  return recordOf(data, () => twapBlocks(data));
}
