import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, listOf, type Result, tableOf } from '../../../console/output/result.ts';
import { endingCell, endingText } from '../../../console/views/ending-view.ts';
import { closedColumns, closedFields, openColumns, openPositionFields } from '../../../console/views/position-view.ts';
import type { Account } from '../../../contract/accounts.ts';
import type { Position } from '../../../contract/positions.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { accountNow, type Prospect, prospectOf } from '../../../desk/reading/prospects.ts';
import { accountId, allAccounts } from '../../../desk/resolve/account.ts';
import { openPositions } from '../../../desk/resolve/holdings.ts';
import { positionComputed } from '../../../desk/risk/cover.ts';
import { netPnl } from '../../../desk/risk/profit.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';
import { extentOptions, firstOf, listed } from '../../reading/lists.ts';
import { type Look, watch } from '../../reading/watch.ts';
import { noteAhead, withinOption } from '../../reading/within.ts';

export const command = defineCommand({
  summary: 'List open positions, or closed ones',
  options: {
    closed: { summary: 'list closed positions, newest first' },
    ...extentOptions,
    ...withinOption,
    watch: { summary: 'keep updating until Ctrl-C' },
  },
  examples: [
    ['perp positions', 'open positions'],
    ['perp positions --closed --limit 10', 'the last ten closed positions'],
    ['perp positions --within 4h', 'what ends them, with the carry of four hours and a new day'],
    ['perp positions --watch', 'live updates'],
  ],
});

const nothingOpen = 'No open positions.';

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  if (input.closed) {
    if (input.within !== undefined) throw usageFailure('--within works only for open positions.', 'Omit --closed.');
    if (input.watch) throw usageFailure('--watch works only for open positions.', 'Omit --closed.');
    const closed = listed(
      console,
      'listOpenPositions',
      { account_id: await accountId(console), status: 'closed' },
      input,
    );
    const rows = withNet(closed);
    return listOf(rows, { fields: closedFields, columns: closedColumns, empty: 'No closed positions yet.' });
  }
  if (input.watch) return watch(console, () => look(console, input.within));
  const id = await accountId(console);
  const account = accountInUse(console, id);
  const seen = await prospectOf(console, id, { account, positions: openPositions(console), within: input.within });
  noteAhead(console, input.within, seen.outlook.ahead);
  const { positions } = seen;
  const rows = firstOf(console, positions, input).map((position) => withComputed(position, seen));
  const columns = openColumns(seen.marks, seen.outlook, seen.working);
  return listOf(rows, { fields: openPositionFields, columns, empty: nothingOpen });
}

/** The account as the list of accounts has just shown it, else as it is now. */
async function accountInUse(console: Console, id: string): Promise<Account> {
  if (console.settings.account !== undefined) return accountNow(console, id);
  return (await allAccounts(console)).find((account) => account.id === id)!;
}

async function* withNet(positions: AsyncIterable<Position>) {
  for await (const position of positions) yield { ...position, computed: { net_pnl: netPnl(position) ?? null } };
}

function withComputed(position: Position, { marks, outlook, working }: Prospect) {
  return { ...position, computed: positionComputed(position, marks.get(position.market_id), outlook, working) };
}

async function look(console: Console, within: number | undefined): Promise<Look> {
  const account_id = await accountId(console);
  const account = accountNow(console, account_id);
  account.catch(() => {});
  const positions = console.call('listOpenPositions', { query: { account_id } }).then(({ data }) => data);
  const seen = await prospectOf(console, account_id, { account, positions, within });
  const ending = await account.then((known) => endingOf(console, known)).catch(() => undefined);
  const says = ending === undefined ? [] : [line(endingCell(ending, endingText(ending)))];
  const records = seen.positions.map((position) => withComputed(position, seen));
  const table = tableOf(records, openColumns(seen.marks, seen.outlook, seen.working));
  const shown = records.length === 0 ? line({ text: nothingOpen, tone: 'faint' }) : table;
  return { records, blocks: [...says, shown], fields: openPositionFields };
}
