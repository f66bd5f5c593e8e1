import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Result, recordOf } from '../../output/result.ts';
import { accountNow, prospectsOf } from '../../reading/prospects.ts';
import { openPositions, resolvePosition, workingExits } from '../../resolve/position.ts';
import { computedOf } from '../../risk/outlook.ts';
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
  if (position.status !== 'open') return recordOf(position, () => positionBlocks(position));
  const isTable = context.settings.output === 'table';
  const { account_id } = position;
  const all = openPositions(context).then((open) => (open.some(({ id }) => id === position.id) ? open : [position]));
  const [exits, { marks, outlook }] = await Promise.all([
    isTable ? workingExits(context, position) : [],
    all.then((open) => prospectsOf(context, accountNow(context, account_id), open)),
  ]);
  const mark = marks.get(position.market_id);
  return recordOf({ ...position, computed: computedOf(position, mark, outlook) }, () => [
    ...positionBlocks(position, mark?.price, outlook),
    ...exitBlocks(exits),
  ]);
}
