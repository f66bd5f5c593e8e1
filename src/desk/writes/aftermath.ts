import { orderKindOf } from '../../base/terms/order-types.ts';
import { marketName, quantity, word } from '../../base/text/format.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { coverOf, isWorking, withoutCanceled } from '../account/means.ts';
import { type Before, readsBeside, showsFigures } from '../reading/before.ts';
import { sawStop, withOneR } from '../reading/one-r.ts';
import { accountNow, exitMarks, prospectsOf, twapsBefore, twapsNow, workingNow } from '../reading/prospects.ts';
import { afterGain } from '../resolve/account.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { marksOf, withTicks } from '../resolve/quote.ts';
import { type Outlook, outlookOf } from '../risk/outlook.ts';
import type { Marks } from '../risk/path-account.ts';
import { filledSizeOf, positionsAfter } from '../risk/trade.ts';
import { noted, type Session } from '../session/session.ts';

/** An account after one of its writes. */
export interface Aftermath {
  /** All open positions; undefined if unknown. */
  readonly positions: readonly Position[] | undefined;
  /** All working orders; undefined if unknown. */
  readonly working: readonly Order[] | undefined;
  readonly marks: Marks;
  readonly outlook: Outlook;
}

/** Reads an account after a write in a market, all in parallel; notes what can't be read. */
export async function readAftermath(session: Session, written: Traded | Order): Promise<Aftermath> {
  const { account_id, market_id } = written;
  const account = accountNow(session, account_id);
  const own = marksOf(session, [market_id]);
  for (const read of [account, own]) read.catch(() => {});
  const [positions, working, twaps] = await Promise.all([
    positionsNow(session, account_id),
    workingNow(session, account_id),
    twapsNow(session, account_id),
  ]);
  if ('mode' in written) sawStop(session, written, positions);
  const others = positions?.map((open) => open.market_id).filter((id) => id !== market_id) ?? [];
  const read = Promise.all([own, marksOf(session, others)]).then((both) => new Map(both.flatMap((some) => [...some])));
  const marks = withTicks(session, read);
  const prospects = await prospectsOf(session, account, { positions: positions ?? [], working, twaps }, marks);
  return { positions, working, ...prospects };
}

type Traded = Pick<Order, 'account_id' | 'market_id'>;

/** The open positions of an account, read now; undefined, with a note, if they can't be. */
export function positionsNow(session: Session, account_id: string): Promise<Position[] | undefined> {
  const reading = session.call('listOpenPositions', { query: { account_id } }).then(({ data }) => data);
  return noted(session, 'The positions', reading, undefined);
}

/**
 * An account after a write that trades nothing: as read beside the write, with the write's changes. Undefined if it was
 * not read.
 */
export async function changedAftermath(
  session: Session,
  account_id: string,
  change: (before: Before) => Partial<Pick<Before, 'positions' | 'twaps'> & Pick<Aftermath, 'working'>> = () => ({}),
): Promise<Aftermath | undefined> {
  const reads = readsBeside(session);
  const before = await reads?.before.catch(() => undefined);
  if (reads === undefined || before?.account.id !== account_id) return undefined;
  const { positions, working, twaps } = { ...before, ...change(before) };
  return seen(session, before.account, { positions, working, twaps }, reads.marks);
}

/** An account after a TWAP or a ladder was placed; read again if that has traded or changed exits. */
export async function strategyAftermath(
  session: Session,
  placed: Traded,
  isUnchanged: boolean,
): Promise<Aftermath | undefined> {
  if (!showsFigures(session)) return undefined;
  const twaps = await twapsBefore(session, placed.account_id);
  const after = isUnchanged ? await changedAftermath(session, placed.account_id, () => ({ twaps })) : undefined;
  return after ?? readAftermath(session, placed);
}

/** These positions, with one of them as a write has changed it. */
export function withPosition(positions: readonly Position[], changed: Position): readonly Position[] {
  return [...positions.filter(({ id }) => id !== changed.id), changed];
}

/**
 * An account after an order of `filledBefore`, computed from earlier reads and its answer. If the fill may have changed
 * exits, or the position is isolated, only a read shows their ids and the liquidation price. Undefined if that is not
 * enough.
 */
export async function expectedAftermath(
  session: Session,
  order: Order,
  filledBefore = 0,
): Promise<Aftermath | undefined> {
  const filled = filledSizeOf(order) - filledBefore;
  if (filled === 0) {
    const others = (working: readonly Order[]) => working.filter(({ id }) => id !== order.id);
    return changedAftermath(session, order.account_id, ({ working }) => ({
      working: [...others(working), ...(isWorking(order) ? [order] : [])],
    }));
  }
  const reads = readsBeside(session);
  const was = await reads?.before.catch(() => undefined);
  const isWhole =
    filledBefore === 0 && order.status === 'filled' && order.fill_price !== undefined && order.size === filled;
  if (reads?.isBefore !== true || was?.account.id !== order.account_id || !isWhole) return undefined;
  const held = was.positions.find((position) => position.market_id === order.market_id);
  const isIsolated = order.margin_mode !== 'cross' || held?.margin_mode === 'isolated';
  const isComputed = !isIsolated && !changesExits(order, held, was.working);
  const [positions, working] = isComputed
    ? [positionsAfter(was.positions, order), was.working]
    : await Promise.all([positionsNow(session, order.account_id), workingNow(session, order.account_id)]);
  sawStop(session, order, positions);
  const account = afterGain(was.account, { equity: (order.realized_pnl ?? 0) - (order.fee ?? 0), unrealized: 0 });
  return seen(session, account, { positions, working, twaps: was.twaps }, reads.marks);
}

/** An account with the limit that ends it. */
async function seen(
  session: Session,
  account: Account,
  { positions, working, twaps }: Pick<Aftermath, 'positions' | 'working'> & { twaps?: readonly TwapOrder[] },
  known: Promise<Marks>,
): Promise<Aftermath> {
  const holdings = { positions: positions ?? [], working, twaps };
  const marks = await exitMarks(session, holdings, known).catch(() => known);
  const outlook = await withOneR(session, outlookOf(account, holdings, marks), { ...holdings, marks });
  return { positions, working, marks, outlook };
}

/** A fill places, grows or cuts exits if it has legs, or reduces a position that has some. */
function changesExits(order: Order, held: Position | undefined, working: readonly Order[]): boolean {
  if (order.attached_stop_loss_price !== undefined || order.attached_take_profit_price !== undefined) return true;
  if (held === undefined || (order.side === 'buy') === (held.side === 'long')) return false;
  return working.some(({ market_id, reduce_only }) => market_id === held.market_id && reduce_only);
}

/** After an account's stops have been canceled, notes which parts of its positions have no stop. */
export async function noteUncovered(session: Session, account_id: string, canceled: readonly Order[]): Promise<void> {
  const markets = new Set(canceled.filter(mayBeStop).map(({ market_id }) => market_id));
  if (markets.size === 0) return;
  const isGone = isAmong(canceled);
  const after = (await canceledAftermath(session, account_id, isGone)) ?? (await readStanding(session, account_id));
  if (after.positions === undefined || after.working === undefined) return;
  const left = withoutCanceled(after.working, isGone);
  for (const position of after.positions.filter(({ market_id }) => markets.has(market_id))) {
    const { uncovered } = coverOf(position, left, after.outlook);
    const name = `${word(position.side)} ${quantity(position.size)} ${marketName(position.market_id, position.symbol)}`;
    if (uncovered > 0) session.note(`${quantity(uncovered)} of ${name} has no stop now.`);
  }
}

/** Whether an order is one of these. */
export function isAmong(orders: readonly Order[]): (order: Order) => boolean {
  const ids = new Set(orders.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

/** The account after these orders were canceled, as read beside the cancellation; undefined if it wasn't. */
export function canceledAftermath(
  session: Session,
  account_id: string,
  isCanceled: (order: Order) => boolean,
): Promise<Aftermath | undefined> {
  return changedAftermath(session, account_id, ({ working }) => ({ working: withoutCanceled(working, isCanceled) }));
}

async function readStanding(session: Session, account_id: string): Promise<Partial<Aftermath>> {
  const [positions, working] = await Promise.all([positionsNow(session, account_id), workingNow(session, account_id)]);
  return { positions, working };
}

function mayBeStop({ reduce_only, mode }: Order): boolean {
  const { fires } = orderKindOf(mode) ?? {};
  return reduce_only && (fires === 'against' || fires === 'directed');
}

const legs = { attached_take_profit_price: 'take-profit', attached_stop_loss_price: 'stop-loss' } as const;

/**
 * Reads the working entries before exits are canceled; the returned function then reports which entries lost a leg as a
 * result (simulation 4). Only in text output: JSON results are the API's own.
 */
export async function legsBefore(session: Session, canceled: readonly Order[]): Promise<() => Promise<string[]>> {
  const exit = canceled.find(({ reduce_only }) => reduce_only);
  if (exit === undefined || session.settings.output !== 'table') return async () => [];
  const { account_id } = exit;
  const working = async () => (await session.call('listOrders', { query: { account_id, status: 'working' } })).data;
  const before = await workingOrders(session, account_id);
  return async () => {
    // The cancellation is done even if this can't be read.
    const now = new Map((await working().catch(() => [])).map((order) => [order.id, order]));
    return before.flatMap((order) => lostBy(order, now.get(order.id)));
  };
}

function lostBy(before: Order, now: Order | undefined): string[] {
  if (now === undefined) return [];
  return Object.entries(legs).flatMap(([field, name]) => {
    const at = before[field as keyof typeof legs];
    if (typeof at !== 'number' || typeof now[field as keyof typeof legs] === 'number') return [];
    const text =
      `${now.id} (${word(now.mode)} ${quantity(now.size)} ${word(now.symbol)}) is still working but lost its ${name} ` +
      `at ${quantity(at)}; further fills will not have one.`;
    return [text];
  });
}
