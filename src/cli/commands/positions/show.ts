import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { exitBlocks } from '../../../console/views/order-view.ts';
import { positionBlocks } from '../../../console/views/position-view.ts';
import { accountNow, prospectOf } from '../../../desk/reading/prospects.ts';
import { openPositions, resolvePosition } from '../../../desk/resolve/holdings.ts';
import { exitsOf, positionComputed } from '../../../desk/risk/cover.ts';

export const command = defineCommand({
  summary: 'Show one position, open or closed',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  examples: [
    ['perp positions show BTC', 'the open position in BTC'],
    ['perp positions show BTC --json', 'every field'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const position = await resolvePosition(console, input.position);
  if (position.status !== 'open') return recordOf(position, () => positionBlocks(position));
  const { account_id } = position;
  const all = openPositions(console).then((open) => (open.some(({ id }) => id === position.id) ? open : [position]));
  const account = accountNow(console, account_id);
  const { working, marks, outlook } = await prospectOf(console, account_id, { account, positions: all });
  const mark = marks.get(position.market_id);
  return recordOf({ ...position, computed: positionComputed(position, mark, outlook, working) }, () => [
    ...positionBlocks(position, { mark, outlook, working }),
    ...exitBlocks(exitsOf(position, working ?? [])),
  ]);
}
