import { codeText, type ExitCode, exitCodes, Failure } from '../../../base/failure/failure.ts';
import { hintFor } from '../../../base/failure/hints.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { counted, marketName, quantity, signedUsd, usd, word } from '../../../base/text/format.ts';
import { actingOf, actingText } from '../../../desk/account/acting.ts';
import { recentCopies } from '../../../desk/reading/prospects.ts';
import { accountId, allAccounts } from '../../../desk/resolve/account.ts';
import { fetchQuote } from '../../../desk/resolve/quote.ts';
import { unrealizedPnl } from '../../../desk/risk/profit.ts';
import {
  type Flattened,
  flatten,
  isNothing,
  laddersOf,
  type Standing,
  standingOf,
} from '../../../desk/writes/flatten.ts';
import { newIdempotencyKey } from '../../../wire/client/form-request.ts';
import type { Intent } from '../../../wire/client/intent.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import {
  type Blocks,
  blank,
  type Cell,
  line,
  profitCell,
  type RecordResult,
  type Result,
  recordOf,
  sideCell,
  tableOf,
} from '../../console/output/result.ts';
import { orderColumns } from '../../console/views/order-view.ts';
import { twapColumns } from '../../console/views/strategy-view.ts';
import { goesTo, withDestination } from '../../console/where.ts';
import { confirmBulk, dryRunResult } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Go flat: stop strategies, close positions, cancel orders',
  description:
    "On a terminal, shows open positions and orders and the PnL of closing, and asks. Closes and cancels everything at the same time, so one failure delays nothing else; exits are canceled last, so a position that can't be closed keeps its exits. Repeats until everything is closed; if something can't be closed, lists it and exits 9. After Ctrl-C, run it again to continue. Without a terminal, this needs --yes.",
  options: { 'all-accounts': { summary: 'every account of the credential, at the same time' } },
  examples: [
    ['perp flatten', 'the account in use'],
    ['perp flatten --all-accounts --yes', 'everything, without a prompt'],
  ],
  async run(console, input) {
    const ids = input.allAccounts ? (await allAccounts(console)).map(({ id }) => id) : [await accountId(console)];
    if (console.settings.dryRun) return dryRun(console, ids);
    const [only] = ids;
    const which = ids.length === 1 ? `${only}` : `all ${ids.length} accounts`;
    const open = console.person.isInteractive ? await openOf(console, ids) : undefined;
    if (open?.length !== 0) await confirmBulk(console, `Flatten ${which}?`, ids, () => preview(console, open ?? []));
    const flattened = await Promise.all(ids.map((id) => one(console, id, ids.length === 1)));
    // Copying continues: it may open positions again.
    const copies = await recentCopies(console);
    for (const copy of ids.flatMap((id) => actingOf(id, { copies, twaps: [], working: [] })))
      console.note(actingText(copy));
    return withDestination(console, ids.length === 1 ? only : undefined, flattenedRecord(flattened));
  },
});

/** One of several accounts must not keep the others from being flattened, so its failure becomes part of the result. */
async function one(console: Console, account_id: string, isOnly: boolean): Promise<Flattened> {
  try {
    return await console.person.during('Flattening', () => flatten(console, account_id));
  } catch (error) {
    const { exit, code, message } = factsOf(error);
    if (isOnly || exit === exitCodes.bug) throw error;
    return {
      account_id,
      canceled: { twaps: [], ladders: [], orders: [] },
      closed: [],
      left: null,
      failures: [{ what: 'account', id: account_id, code: codeText(code), message }],
      interrupted: console.signal.aborted,
      outcome_unknown: false,
    };
  }
}

async function dryRun(console: Console, ids: readonly string[]): Promise<Result> {
  const { client } = await console.access();
  const intents = (await openOf(console, ids)).flatMap(([account_id, standing]): Intent[] => {
    const bulk = () => ({ path: { account_id }, idempotencyKey: newIdempotencyKey() });
    return [
      ...standing.twaps.map(({ id }) => client.intend('cancelTwapOrder', { path: { twap_order_id: id } })),
      ...(standing.positions.length === 0 ? [] : [client.intend('closeAllAccountPositions', bulk())]),
      ...laddersOf(standing).map((id) => client.intend('cancelScaledOrder', { path: { scaled_order_id: id } })),
      ...(standing.orders.length === 0 ? [] : [client.intend('cancelAllAccountOrders', bulk())]),
    ];
  });
  return dryRunResult(intents);
}

/** The PnL that closing a position at market would realize now; undefined without a fresh book. */
type Close = Awaited<ReturnType<typeof closeOf>>;

type Open = readonly (readonly [account: string, standing: Standing])[];

/** The accounts that have anything open or working. */
async function openOf(console: Console, ids: readonly string[]): Promise<Open> {
  const standings = await Promise.all(ids.map(async (id) => [id, await standingOf(console, id)] as const));
  return standings.filter(([, standing]) => !isNothing(standing));
}

async function preview(console: Console, open: Open): Promise<Blocks> {
  const parts = await Promise.all(open.map(([id, standing]) => previewOf(console, id, standing)));
  return parts.flatMap((part, at) => (at === 0 ? part : [blank, part]));
}

async function previewOf(console: Console, account: string, standing: Standing): Promise<Blocks> {
  const { twaps, orders, positions, unread } = standing;
  const closes = await Promise.all(positions.map((position) => closeOf(console, position)));
  const ladders = laddersOf(standing);
  const head = [counted(positions.length, 'position'), counted(orders.length, 'working order')];
  if (ladders.length > 0) head.push(counted(ladders.length, 'ladder'));
  if (twaps.length > 0) head.push(counted(twaps.length, 'TWAP'));
  return [
    line({ text: 'Flatten', tone: 'strong' }, `  ${await goesTo(console, account)}`),
    line(head.join(', ')),
    ...unread.map(({ what, facts }) => {
      const noun = what === 'twaps' ? 'TWAPs' : what;
      return line({
        text: `The ${noun} could not be fetched: ${facts.message} perp ends them if it can.`,
        tone: 'bad',
      });
    }),
    twaps.length === 0 ? [] : tableOf(twaps, twapColumns),
    orders.length === 0 ? [] : tableOf(orders, orderColumns),
    closes.length === 0 ? [] : [tableOf(closes, closeColumns), line(...totalOf(closes))],
  ];
}

async function closeOf(console: Console, position: Position) {
  const { market_id, account_id: account, size } = position;
  const side = position.side === 'long' ? 'sell' : 'buy';
  try {
    const quote = await fetchQuote(console, market_id, { side, size, account });
    const price = quote.estimated_fill_price;
    return { position, price, realized: unrealizedPnl(position, price), fee: quote.estimated_fee };
  } catch (error) {
    const { exit } = factsOf(error);
    // Going flat must not depend on a price.
    if (error instanceof Failure || exit !== exitCodes.unavailable) throw error;
    return { position, price: undefined, realized: undefined, fee: undefined };
  }
}

const closeColumns = [
  { header: 'CLOSES', cell: ({ position }: Close) => marketName(position.market_id, position.symbol) },
  { header: 'SIDE', cell: ({ position }: Close) => sideCell(position.side) },
  { header: 'SIZE', cell: ({ position }: Close) => quantity(position.size), align: 'right' },
  { header: 'ENTRY', cell: ({ position }: Close) => quantity(position.entry_price), align: 'right', keep: 2 },
  { header: 'AT', cell: ({ price }: Close) => (price === undefined ? 'no price' : quantity(price)), align: 'right' },
  { header: 'REALIZES', cell: ({ realized }: Close) => profitCell(realized), align: 'right' },
  { header: 'FEE', cell: ({ fee }: Close) => (fee === undefined ? '' : usd(fee)), align: 'right', keep: 1 },
] as const;

function totalOf(closes: readonly Close[]): Cell[] {
  const known = closes.filter(({ realized }) => realized !== undefined);
  const sum = (of: (close: Close) => number | undefined) => known.reduce((total, close) => total + (of(close) ?? 0), 0);
  const without = closes.length - known.length;
  return [
    'Realizes ',
    profitCell(sum(({ realized }) => realized)),
    ` USD and costs ${usd(sum(({ fee }) => fee))} USD in fees`,
    without === 0 ? '.' : `; ${counted(without, 'position')} without a price.`,
  ];
}

/** The result of flattening one or more accounts: exit 9 lists what remains, 130 also what was done before Ctrl-C. */
export function flattenedRecord(accounts: readonly Flattened[]): RecordResult {
  const blocks = () => accounts.flatMap(blocksOf);
  return { ...recordOf({ accounts }, blocks, exitOf(accounts)), rows: accounts };
}

function exitOf(accounts: readonly Flattened[]): ExitCode {
  if (accounts.some(({ interrupted }) => interrupted)) return exitCodes.interrupted;
  if (accounts.some(({ left, outcome_unknown: unknown }) => left === null && unknown)) return exitCodes.outcomeUnknown;
  if (accounts.some((account) => !isFlat(account))) return exitCodes.incomplete;
  return accounts.some(({ outcome_unknown: unknown }) => unknown) ? exitCodes.outcomeUnknown : exitCodes.done;
}

/** Whether nothing is open or working anymore. */
export function isFlat({ left }: Flattened): boolean {
  return left !== null && Object.values(left).every((ids) => ids?.length === 0);
}

function blocksOf(account: Flattened): Blocks {
  const { canceled, closed, failures } = account;
  const done = [
    counts(canceled.twaps, 'TWAP', 'stopped'),
    counts(canceled.ladders, 'ladder', 'canceled'),
    counts(canceled.orders, 'order', 'canceled'),
  ].filter((text) => text !== '');
  return [
    line({ text: account.account_id, tone: 'strong' }, '  ', stateCell(account)),
    done.length === 0 ? [] : line(`  ${done.join(', ')}`),
    ...closed.map((order) => {
      const filled = order.filled_size ?? 0;
      const { average_price: price, total_realized_pnl: realized, total_fee: fee } = order.computed;
      const at = price ? ` at ${quantity(price)}` : '';
      const gained = price ? `, realized ${signedUsd(realized ?? 0)} USD, fee ${usd(fee ?? 0)} USD` : '';
      const size = filled > 0 ? filled : order.size;
      return line(`  ${word(order.status)}  ${word(order.side)} ${quantity(size)} ${word(order.symbol)}${at}${gained}`);
    }),
    leftBlocks(account),
    ...failures.map(({ what, id, code, message }) => {
      const hint = hintFor(code, code);
      return line({
        text: `  ${what} ${id}: ${message} (${code})${hint === undefined ? '' : ` ${hint}`}`,
        tone: 'bad',
      });
    }),
  ];
}

function stateCell(account: Flattened): Cell {
  const { interrupted, left, outcome_unknown: unknown } = account;
  if (left === null) return { text: 'The remaining positions and orders could not be fetched.', tone: 'bad' };
  const again = 'run perp flatten again to continue.';
  if (interrupted && !isFlat(account)) return { text: `Interrupted, and not flat yet; ${again}`, tone: 'bad' };
  if (!isFlat(account)) return { text: `Not flat; ${again}`, tone: 'bad' };
  if (unknown) return { text: 'Flat, but a write got no answer: see perp pending.', tone: 'warn' };
  return { text: 'Flat; no working orders.', tone: 'good' };
}

function leftBlocks({ left }: Flattened): Blocks {
  if (left === null) return [];
  const listed = [
    ['position', left.positions],
    ['order', left.orders],
    ['TWAP', left.twaps],
  ] as const;
  return listed.flatMap(([noun, ids]) => {
    if (ids === null) return [line({ text: `  left: unknown, the ${noun}s could not be fetched`, tone: 'bad' })];
    if (ids.length === 0) return [];
    return [line({ text: `  left: ${counted(ids.length, noun)} (${ids.map(word).join(', ')})`, tone: 'bad' })];
  });
}

function counts(ids: readonly string[], noun: string, done: string): string {
  return ids.length === 0 ? '' : `${counted(ids.length, noun)} ${done}`;
}
