import { type ExitCode, exitCodes } from '../../../base/failure/failure.ts';
import { factsOf, failureReport } from '../../../base/failure/report.ts';
import { quantity, word } from '../../../base/text/format.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import {
  type Aftermath,
  canceledAftermath,
  isAmong,
  legsBefore,
  noteUncovered,
} from '../../../desk/writes/aftermath.ts';
import { writeComputed } from '../../../desk/writes/write-figures.ts';
import type { CanceledOrder, Order } from '../../../wire/contract/orders.ts';
import type { Console } from '../../console/console.ts';
import { type Block, line, type Result, recordOf } from '../../console/output/result.ts';
import { wantsJsonErrors } from '../../console/settings/settings.ts';
import { withDestination } from '../../console/where.ts';

/** Cancels orders as confirmed by the user, and reports positions left without a stop. */
export async function cancelEach(console: Console, orders: readonly Order[]): Promise<Result> {
  const account = accountOf(orders);
  if (account !== undefined) beginAftermath(console, { account_id: account });
  const lostLegs = await legsBefore(console, orders);
  const { canceled, exit } = await oneByOne(console, orders);
  const lost = await lostLegs();
  const gone = orders.filter(({ id }) => canceled.some((answer) => answer.id === id));
  for (const id of new Set(gone.map(({ account_id }) => account_id))) await noteUncovered(console, id, gone);
  const after = account === undefined ? undefined : await canceledAftermath(console, account, isAmong(gone));
  const shown = console.memory.sharesReads ? canceled : canceled.map((answer) => withFigures(answer, orders, after));
  const record = orders.length === 1 ? shown[0] : shown;
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
export function accountOf(orders: readonly Order[]): string | undefined {
  const accounts = new Set(orders.map(({ account_id }) => account_id));
  return accounts.size === 1 ? orders[0]!.account_id : undefined;
}

/** Cancels orders one by one; a failure is reported and the rest continue. The failure of a single order is thrown. */
async function oneByOne(
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

/** An order in a few words: mode, side, size, market and price. */
export function described(order: Order): string {
  const at = order.limit_price ?? order.trigger_price;
  return `${word(order.mode)} ${word(order.side)} ${quantity(order.size)} ${word(order.symbol)}${at === undefined ? '' : ` at ${quantity(at)}`}`;
}
