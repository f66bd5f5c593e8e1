import { type ExitCode, exitCodes } from '../../../base/failure/failure.ts';
import { factsOf, failureReport } from '../../../base/failure/report.ts';
import { counted, quantity, word } from '../../../base/text/format.ts';
import { plainLines } from '../../../base/text/plain-text.ts';
import { actingOf, actingText, isChase } from '../../../desk/account/acting.ts';
import { beginAftermath, showsFigures } from '../../../desk/reading/before.ts';
import { withOneR } from '../../../desk/reading/one-r.ts';
import { accountNow, recentCopies } from '../../../desk/reading/prospects.ts';
import { outlookOf } from '../../../desk/risk/outlook.ts';
import { noted } from '../../../desk/session/session.ts';
import {
  type Aftermath,
  canceledAftermath,
  changedAftermath,
  isAmong,
  legsBefore,
  noteUncovered,
} from '../../../desk/writes/aftermath.ts';
import { whatClosed, withAccountFigures, writeComputed } from '../../../desk/writes/write-figures.ts';
import type { Answer } from '../../../wire/client/client.ts';
import type { CancelAllOrdersOperation, CloseAllPositionsOperation } from '../../../wire/contract/accounts.ts';
import type { CanceledOrder, Order } from '../../../wire/contract/orders.ts';
import type { Console } from '../../console/console.ts';
import {
  type Block,
  type Blocks,
  type Column,
  line,
  type RecordResult,
  type Result,
  recordOf,
  statusCell,
  tableOf,
} from '../../console/output/result.ts';
import { wantsJsonErrors } from '../../console/settings/settings.ts';
import { orderColumns } from '../../console/views/order-view.ts';
import { openColumns } from '../../console/views/position-view.ts';
import { withDestination } from '../../console/where.ts';
import { sendBulk } from './write.ts';

/** Cancels every working order, then checks whether any is left. */
export function cancelEverything(console: Console, account_id: string) {
  return {
    send: sendBulk(console, 'cancelAllAccountOrders', 'Canceling orders'),
    async done({ data }: Answer<'cancelAllAccountOrders'>): Promise<RecordResult> {
      const { data: left } = await console.call('listOrders', { query: { account_id, status: 'working' } });
      const after = await changedAftermath(console, account_id, () => ({ working: left }));
      // Queued cancellations of armed orders are in progress; only failed and newly placed orders count as left.
      const queued = new Set(data.results.filter(({ status }) => status === 'queued').map(({ order_id }) => order_id));
      const remaining = left.filter((order) => !queued.has(order.id) && order.status === 'resting');
      const failed = data.failed_count > 0 || remaining.length > 0;
      const blocks = () => [
        summary(data, 'order', 'canceled'),
        failures(data.results.map(({ order_id, ...one }) => ({ id: order_id, ...one }))),
        stillThere(remaining, 'order', 'working', orderColumns),
      ];
      return ofTargets(withAccountFigures(console, data, after), blocks, failed);
    },
  };
}

/** The operation; as CSV, a row for each of its targets. */
function ofTargets(data: { results: readonly object[] }, blocks: () => Blocks, failed: boolean): RecordResult {
  const record = recordOf(data, blocks, failed ? exitCodes.incomplete : undefined);
  return data.results.length === 0 ? record : { ...record, rows: data.results };
}

/**
 * Closes every position, then checks whether the account is flat. With `forGood`, a running strategy makes the result
 * incomplete.
 */
export function closeEverything(console: Console, account_id: string, forGood: boolean) {
  return {
    send: sendBulk(console, 'closeAllAccountPositions', 'Closing positions'),
    async done({ data }: Answer<'closeAllAccountPositions'>): Promise<RecordResult> {
      const [{ data: left }, { strategies, orders, working }, account] = await Promise.all([
        console.call('listOpenPositions', { query: { account_id } }),
        reopening(console, account_id),
        showsFigures(console) ? noted(console, 'The room', accountNow(console, account_id), undefined) : undefined,
      ]);
      const held = { positions: left, working, marks: new Map() };
      const after = { ...held, outlook: await withOneR(console, outlookOf(account, held, held.marks), held) };
      const whole = await withExecutions(console, data);
      const undone = forGood ? strategies : [];
      for (const text of forGood ? orders : [...strategies, ...orders]) console.note(text);
      // Not a note, so --quiet does not hide it: the command has not reached its goal.
      for (const text of undone) console.io.err(`${plainLines(text)}\n`);
      const failed = data.failed_count > 0 || left.length > 0 || undone.length > 0;
      const blocks = () => [
        summary(data, 'position', 'closed'),
        whole.results.map(({ order }) => order && closingLine(order, order.computed.average_price)),
        failures(data.results.map(({ position_id, ...one }) => ({ id: position_id, ...one }))),
        left.length === 0 ? flatLine(undone.length) : stillThere(left, 'position', 'open', openColumns(new Map())),
      ];
      const record = showsFigures(console) ? withAccountFigures(console, whole, after) : data;
      return ofTargets(record, blocks, failed);
    },
  };
}

/** What an order closed; nothing if it closed nothing. */
function closingLine(order: Order, average: number | null | undefined): Blocks {
  if (average === undefined) return undefined;
  const at = average === null ? '' : ` at ${quantity(average)}`;
  return line(`  ${word(order.side)} ${quantity(order.filled_size ?? order.size)} ${word(order.symbol)}${at}`);
}

/** The orders or positions that the operation has left. */
function stillThere<Row>(rows: readonly Row[], noun: string, how: string, columns: readonly Column<Row>[]): Blocks {
  if (rows.length === 0) return [];
  return [line({ text: `${counted(rows.length, noun)} still ${how}:`, tone: 'bad' }), tableOf(rows, columns)];
}

/** The operation, with the size that each closing order traded. */
async function withExecutions(console: Console, data: CloseAllPositionsOperation) {
  const results = data.results.map(async ({ order, ...one }) => ({
    ...one,
    order: order && (await whatClosed(console, order)),
  }));
  return { ...data, results: await Promise.all(results) };
}

/** Whatever may open a position again in a flat account, with the command that stops it. */
async function reopening(console: Console, account_id: string) {
  const [{ data: twaps }, { data: orders }, copies] = await Promise.all([
    console.call('listActiveTwapOrders', { query: { account_id } }),
    console.call('listOrders', { query: { account_id, status: 'working' } }),
    recentCopies(console),
  ]);
  const acts = (order: Order) => order.twap_order_id ?? order.scaled_order_id;
  const entries = orders.filter((order) => !order.reduce_only && acts(order) === undefined && !isChase(order));
  return {
    working: orders,
    strategies: actingOf(account_id, { twaps, working: orders, copies })
      .filter(({ reduce_only: reduces }) => !reduces)
      .map((one) => actingText(one)),
    orders:
      entries.length === 0
        ? []
        : [`${counted(entries.length, 'working order')} may open a position again; cancel with perp cancel-all`],
  };
}

function flatLine(strategyCount: number): Block {
  if (strategyCount === 0) return line({ text: 'The account is flat.', tone: 'good' });
  const running = strategyCount === 1 ? '1 running strategy' : `${strategyCount} running strategies`;
  return line({ text: `The account is flat for now, but ${running} may trade again.`, tone: 'bad' });
}

function summary(data: CancelAllOrdersOperation | CloseAllPositionsOperation, noun: string, done: string): Block {
  if (data.total_count === 0) return line(`No ${noun}s were ${done}.`);
  const failed = data.failed_count === 0 ? '' : `, ${word(data.failed_count)} failed`;
  return line({
    text: `${word(data.succeeded_count)} of ${counted(data.total_count, noun)} ${done}${failed}.`,
    tone: failed === '' ? 'good' : 'bad',
  });
}

function failures(
  results: readonly { id: string; status: string; rule_id?: string | undefined; failure_code?: string | undefined }[],
): Block {
  return tableOf(
    results.filter(({ status }) => status === 'failed'),
    [
      { header: 'FAILED', cell: ({ id }) => id },
      { header: 'STATUS', cell: ({ status }) => statusCell(status), keep: 1 },
      { header: 'WHY', cell: ({ rule_id, failure_code }) => rule_id ?? failure_code },
    ],
  );
}

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
    canceled.map((answer) => canceledLine(answer, orders)),
    lost.map((text) => line({ text, tone: 'warn' })),
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
