import { usageFailure } from '../../../base/failure/failure.ts';
import { closeTypes, takesAtOnce } from '../../../base/terms/order-types.ts';
import { quantity, usd } from '../../../base/text/format.ts';
import { actingIn, actingText } from '../../../desk/account/acting.ts';
import { exitsOf, positionComputed } from '../../../desk/account/means.ts';
import { type CloseDraft, draftClose } from '../../../desk/preview/order-draft.ts';
import { beginAccount, beginAftermath, beginOrderAftermath } from '../../../desk/reading/before.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { accountNow, noteActing, type Prospect, prospectOf } from '../../../desk/reading/prospects.ts';
import { accountId, allAccounts, ofChosenAccount } from '../../../desk/resolve/account.ts';
import { openPositions, resolvePosition } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { netPnl } from '../../../desk/risk/profit.ts';
import { changedAftermath, withPosition } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/write-figures.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { triggerDirection } from '../../console/grammar/option-groups.ts';
import { type Blocks, line, listOf, recordOf, sideCell, tableOf } from '../../console/output/result.ts';
import { actingBlocks } from '../../console/views/account-view.ts';
import { endingCell, endingText } from '../../console/views/ending-view.ts';
import { exitBlocks } from '../../console/views/order-view.ts';
import {
  closedColumns,
  openColumns,
  openPositionFields,
  positionBlocks,
  positionFields,
} from '../../console/views/position-view.ts';
import { orderPreview } from '../preview/order-preview.ts';
import { extentOptions, firstOf, listed } from '../reading/lists.ts';
import { type Look, watch } from '../reading/watch-reading.ts';
import { noteAhead, withinOption } from '../reading/within.ts';
import { checkWait, placed } from '../writes/order-outcome.ts';
import { write } from '../writes/write.ts';

const list = defineCommand({
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
    ['perp positions --within 4h', 'their end prices with four hours of carry and a new day'],
    ['perp positions --watch', 'live updates'],
  ],
  async run(console, input) {
    if (input.closed) {
      if (input.within !== undefined) throw usageFailure('--within works only for open positions.', 'Omit --closed.');
      if (input.watch) throw usageFailure('--watch works only for open positions.', 'Omit --closed.');
      const rows = withNet(
        listed(console, 'listOpenPositions', { account_id: await accountId(console), status: 'closed' }, input),
      );
      return listOf(rows, { fields: closedFields, columns: closedColumns, empty: 'No closed positions yet.' });
    }
    if (input.watch) return watch(console, () => look(console, input.within));
    const id = await accountId(console);
    const account = accountInUse(console, id);
    const seen = await prospectOf(console, id, { account, positions: openPositions(console), within: input.within });
    noteAhead(console, input.within, seen.outlook.ahead);
    for (const one of seen.acting) console.note(actingText(one));
    const { positions } = seen;
    const rows = firstOf(console, positions, input).map((position) => withComputed(position, seen));
    const columns = openColumns(seen.marks, seen.outlook, seen.working);
    return listOf(rows, { fields: openPositionFields, columns, empty: nothingOpen });
  },
});

const nothingOpen = 'No open positions.';
const closedFields = [...positionFields, 'computed.net_pnl'];

/** The account as the list of accounts has just shown it, or else as it is now. */
async function accountInUse(console: Console, id: string): Promise<Account> {
  if (console.settings.account !== undefined) return accountNow(console, id);
  return (await allAccounts(console)).find((account) => account.id === id)!;
}

async function* withNet(positions: AsyncIterable<Position>) {
  for await (const position of positions) yield { ...position, computed: { net_pnl: netPnl(position) ?? null } };
}

function withComputed(position: Position, { marks, outlook, working, acting }: Prospect) {
  const computed = positionComputed(position, marks.get(position.market_id), outlook, working);
  return { ...position, computed: { ...computed, acts_without_you: actingIn(position.market_id, acting) } };
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
  return { records, blocks: [...says, shown, ...actingBlocks(seen.acting)], fields: openPositionFields };
}

const show = defineCommand({
  summary: 'Show one position, open or closed',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  examples: [
    ['perp positions show BTC', 'the open position in BTC'],
    ['perp positions show BTC --json', 'every field'],
  ],
  async run(console, input) {
    const position = await resolvePosition(console, input.position);
    if (position.status !== 'open') return recordOf(position, () => positionBlocks(position));
    const { account_id } = position;
    const all = openPositions(console).then((open) => (open.some(({ id }) => id === position.id) ? open : [position]));
    const account = accountNow(console, account_id);
    const seen = await prospectOf(console, account_id, { account, positions: all });
    const { working, marks, outlook, acting } = seen;
    const mark = marks.get(position.market_id);
    return recordOf(withComputed(position, seen), () => [
      ...positionBlocks(position, { mark, outlook, working }),
      exitBlocks(exitsOf(position, working ?? [])),
      ...actingBlocks(actingIn(position.market_id, acting)),
    ]);
  },
});

const close = defineCommand({
  summary: 'Close a position, or part of it',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  options: {
    size: { value: 'SIZE', kind: 'size', summary: 'size to close: 0.02, 500usd or 50% (default: all)' },
    type: {
      value: 'TYPE',
      choices: closeTypes,
      summary: 'order type (default: market, or limit with --limit-price)',
    },
    'limit-price': { value: 'PRICE', kind: 'price', summary: 'worst price to accept' },
    'trigger-price': { value: 'PRICE', kind: 'price', summary: 'mark that triggers a conditional close' },
    'trigger-market': {
      value: 'MARKET',
      kind: 'market',
      summary: "market whose mark triggers it (default: the position's)",
    },
    'trigger-direction': triggerDirection,
    slippage: { value: 'BPS', kind: 'basisPoints', summary: 'maximum distance from mid of a market close' },
    'cross-ok': { summary: 'let a limit order that crosses the book fill as taker' },
    'expected-price': { value: 'PRICE', kind: 'price', summary: 'price you saw; recorded, not used for pricing' },
    'client-order-id': { value: 'ID', kind: 'text', summary: 'your own name for the closing order' },
    wait: { summary: 'wait until the order ends' },
  },
  examples: [
    ['perp positions close BTC', 'close it at market'],
    ['perp positions close BTC --size 50%', 'close half of it'],
    ['perp positions close BTC --limit-price 160000', 'close it at a limit price'],
    ['perp close-all', 'every position of the account'],
  ],
  async run(console, input) {
    if (input.wait) await checkWait(console);
    beginAccount(console);
    const position = ofChosenAccount(console, await resolvePosition(console, input.position));
    beginOrderAftermath(console, position);
    const draft = await draftClose(console, input, position);
    const { body, order } = draft;
    const request = { path: { position_id: position.id }, body };
    return write(console, 'closePosition', request, {
      preview: () => preview(console, draft),
      account: position.account_id,
      taker: takesAtOnce(body.type) ? order : undefined,
      question: `Close ${quantity(order.size)} ${position.symbol} of the ${position.side} position?`,
      done: async ({ data, body: { queued } }) => {
        const noted = noteActing(console, data.account_id, data.market_id);
        const [result] = await Promise.all([placed(console, data, input.wait, queued), noted]);
        return result;
      },
    });
  },
});

async function preview(console: Console, { position, order }: CloseDraft): Promise<Blocks> {
  const market = await resolveMarket(console, order.market_id);
  const title = line(
    { text: 'Close', tone: 'strong' },
    '  ',
    sideCell(position.side),
    ` ${quantity(order.size)} of ${quantity(position.size)} ${position.symbol}, entry ${quantity(position.entry_price)}`,
  );
  return orderPreview(console, { order, market, judging: { force: true, addsNothing: true } }, title);
}

const margin = defineCommand({
  summary: 'Set the extra margin of an isolated position',
  description: 'AMOUNT is the new total of extra margin, not a change, so repeating the command changes nothing.',
  args: [
    { name: 'position', kind: 'position', summary: 'position id or market' },
    { name: 'amount', kind: 'amount', summary: 'USD, zero or more' },
  ],
  examples: [
    ['perp positions margin BTC 250', '250 USD on top of the initial margin'],
    ['perp positions margin BTC 100', 'withdraw 150 USD'],
  ],
  async run(console, input) {
    beginAccount(console);
    const position = ofChosenAccount(console, await resolvePosition(console, input.position));
    beginAftermath(console, position);
    const request = { path: { position_id: position.id }, body: { extra_margin: input.amount } };
    return write(console, 'setPositionIsolatedMargin', request, {
      account: position.account_id,
      question: `Set the extra margin of ${position.side} ${position.symbol} from ${usd(position.isolated_margin_extra)} to ${usd(input.amount)} USD?`,
      done: async ({ data }) => {
        const after = await changedAftermath(console, data.account_id, ({ positions }) => ({
          positions: withPosition(positions, data),
        }));
        return recordOf(withMarketFigures(console, data, after), () => positionBlocks(data));
      },
    });
  },
});

export const commands = { list, show, close, margin };
