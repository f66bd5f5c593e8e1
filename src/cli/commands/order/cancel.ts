import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, line, type Result, recordOf } from '../../../console/output/result.ts';
import { confirmWrite } from '../../../console/person.ts';
import { wantsJsonErrors } from '../../../console/settings/settings.ts';
import { withDestination } from '../../../console/where.ts';
import type { CanceledOrder, Order } from '../../../contract/orders.ts';
import { beginAccount, beginAftermath } from '../../../desk/reading/before.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolveOrder } from '../../../desk/resolve/holdings.ts';
import type { Aftermath } from '../../../desk/writes/aftermath.ts';
import { canceledAftermath, legsBefore, noteUncovered } from '../../../desk/writes/cancellation.ts';
import { writeComputed } from '../../../desk/writes/figures.ts';
import { type ExitCode, exitCodes } from '../../../ground/failure/failure.ts';
import { factsOf, failureReport } from '../../../ground/failure/report.ts';
import { counted, quantity, word } from '../../../ground/text/format.ts';
import { dryRunResult, placedQuestion } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Cancel orders',
  args: [{ name: 'order', kind: 'order', repeat: true, summary: 'order ids or client order ids' }],
  examples: [
    ['perp order cancel my-entry-1', 'one order'],
    ['perp order cancel my-entry-1 my-entry-2', 'several orders'],
    ['perp cancel-all', 'every working order of the account'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  beginAccount(console);
  const orders: Order[] = [];
  for (const text of new Set(input.order)) orders.push(ofChosenAccount(console, await resolveOrder(console, text)));
  if (console.settings.dryRun) {
    const { client } = await console.access();
    return dryRunResult(orders.map((order) => client.intend('cancelOrder', { path: { order_id: order.id } })));
  }
  const only = orders.length === 1 ? orders[0]! : undefined;
  const what = only === undefined ? counted(orders.length, 'order') : described(only);
  const { client, destination } = await console.access();
  const accounts = [...new Set(orders.map(({ account_id }) => account_id))];
  const question = await placedQuestion(console, `Cancel ${what}?`, accountOf(orders));
  await confirmWrite(console, question, { client, destination, accounts });
  const account = accountOf(orders);
  if (account !== undefined) beginAftermath(console, { account_id: account });
  const lostLegs = await legsBefore(console, orders);
  const { canceled, exit } = await cancelEach(console, orders);
  const lost = await lostLegs();
  const gone = orders.filter(({ id }) => canceled.some((answer) => answer.id === id));
  for (const id of new Set(gone.map(({ account_id }) => account_id))) await noteUncovered(console, id, gone);
  const after = account === undefined ? undefined : await canceledAftermath(console, account, gone);
  const shown = console.memory.sharesReads ? canceled : canceled.map((answer) => withFigures(answer, orders, after));
  const record = only === undefined ? shown : shown[0];
  const blocks = () => [
    ...canceled.map((answer) => canceledLine(answer, orders)),
    ...lost.map((text) => line({ text, tone: 'warn' as const })),
  ];
  return withDestination(console, account, recordOf(record, blocks, exit));
}

/** The answer, with the position of the order's market once all of them are canceled. */
function withFigures(answer: CanceledOrder, orders: readonly Order[], after: Aftermath | undefined) {
  const { market_id } = orders.find(({ id }) => id === answer.id) ?? { market_id: '' };
  return { ...answer, computed: writeComputed(market_id, market_id === '' ? undefined : after) };
}

/** The account of the orders, if it is one. */
function accountOf(orders: readonly Order[]): string | undefined {
  const accounts = new Set(orders.map(({ account_id }) => account_id));
  return accounts.size === 1 ? orders[0]!.account_id : undefined;
}

/** Cancels orders one by one; a failure is reported and the rest continue. The failure of a single order is thrown. */
async function cancelEach(
  console: Console,
  orders: readonly Order[],
): Promise<{ canceled: CanceledOrder[]; exit: ExitCode }> {
  const canceled: CanceledOrder[] = [];
  for (const order of orders) {
    try {
      canceled.push((await console.call('cancelOrder', { path: { order_id: order.id } })).data);
    } catch (error) {
      if (orders.length === 1) throw error;
      const facts = factsOf(error);
      if (facts.exit === exitCodes.bug || facts.exit === exitCodes.interrupted) throw error;
      const report = { ...facts, message: `${order.id}: ${facts.message}` };
      console.io.err(failureReport(report, wantsJsonErrors(console.settings), console.io.stderrColumns));
    }
  }
  return { canceled, exit: canceled.length === orders.length ? exitCodes.done : exitCodes.incomplete };
}

function canceledLine({ id, queued }: CanceledOrder, orders: readonly Order[]): Block {
  const order = orders.find((candidate) => candidate.id === id);
  const what = order === undefined ? id : `${described(order)}  ${id}`;
  return line(
    { text: queued === true ? 'Cancellation queued' : 'Canceled', tone: queued === true ? 'warn' : 'strong' },
    `  ${what}`,
  );
}

function described(order: Order): string {
  const at = order.limit_price ?? order.trigger_price;
  return `${word(order.mode)} ${word(order.side)} ${quantity(order.size)} ${word(order.symbol)}${at === undefined ? '' : ` at ${quantity(at)}`}`;
}
