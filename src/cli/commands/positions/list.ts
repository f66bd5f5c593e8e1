import type { Context } from '../../context/context.ts';
import { usageFailure } from '../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Block, line, listOf, type Result, tableOf } from '../../output/result.ts';
import { extentOptions, firstOf, listed } from '../../reading/lists.ts';
import { marksOf } from '../../reading/marks.ts';
import { watch } from '../../reading/watch.ts';
import { accountId } from '../../resolve/account.ts';
import { openPositions } from '../../resolve/position.ts';
import { closedColumns, openColumns, positionFields } from '../../views/position-view.ts';

export const command = defineCommand({
  summary: 'List open positions, or closed ones',
  options: {
    closed: { summary: 'list closed positions, newest first' },
    ...extentOptions,
    watch: { summary: 'keep updating until Ctrl-C' },
  },
  examples: [
    ['perp positions', 'open positions'],
    ['perp positions --closed --limit 10', 'the last ten closed positions'],
    ['perp positions --watch', 'live updates'],
  ],
});

const nothingOpen = 'No open positions.';

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  if (input.closed) {
    if (input.watch) throw usageFailure('--watch works only for open positions.', 'Omit --closed.');
    const closed = listed(
      context,
      'listOpenPositions',
      { account_id: await accountId(context), status: 'closed' },
      input,
    );
    return listOf(closed, { fields: positionFields, columns: closedColumns, empty: 'No closed positions yet.' });
  }
  if (input.watch) return watch(context, () => look(context));
  const positions = await openPositions(context);
  const shown = firstOf(context, positions, input);
  const isTable = context.settings.output === 'table';
  const marks = isTable
    ? await marksOf(
        context,
        shown.map(({ market_id }) => market_id),
      )
    : new Map();
  return listOf(shown, { fields: positionFields, columns: openColumns(marks), empty: nothingOpen });
}

async function look(context: Context): Promise<{ records: readonly unknown[]; blocks: Block[] }> {
  const account_id = await accountId(context);
  const { data } = await context.call('listOpenPositions', { query: { account_id } });
  if (data.length === 0) return { records: data, blocks: [line({ text: nothingOpen, tone: 'faint' })] };
  const marks = await marksOf(
    context,
    data.map(({ market_id }) => market_id),
  );
  return { records: data, blocks: [tableOf(data, openColumns(marks))] };
}
