import type { Account } from '../../contract/accounts.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { Context } from '../context/context.ts';
import { afterTrade } from '../preview/liquidation.ts';
import { exposureOf } from '../preview/prospect.ts';
import { marksOf } from '../reading/marks.ts';
import { accountNow, noted, prospectsOf, workingNow } from '../reading/prospects.ts';
import { workingOrders } from '../resolve/order.ts';
import { openPositions } from '../resolve/position.ts';
import { quoteOnce } from '../resolve/price.ts';
import { accountRisk } from '../resolve/risk.ts';
import { exitPriceOf, exitRole, type PositionComputed, positionComputed } from '../risk/cover.ts';
import { type Marks, type Outlook, outlookOf } from '../risk/outlook.ts';
import { filledSizeOf, isWorking } from '../views/order-view.ts';

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
export async function readAftermath(
  context: Context,
  { account_id, market_id }: Pick<Order, 'account_id' | 'market_id'>,
): Promise<Aftermath> {
  const account = accountNow(context, account_id);
  const own = marksOf(context, [market_id]);
  for (const read of [account, own]) read.catch(() => {});
  const reading = context.call('listOpenPositions', { query: { account_id } }).then(({ data }) => data);
  const [positions, working] = await Promise.all([
    noted(context, 'The position', reading, undefined),
    workingNow(context, account_id),
  ]);
  const isAlone = positions?.every((open) => open.market_id === market_id) === true;
  const prospects = await prospectsOf(context, account, positions ?? [], isAlone ? own : undefined);
  return { positions, working, ...prospects };
}

/** What an account was like just before an order, as far as it could be read. */
interface Before {
  readonly account: Account;
  readonly positions: readonly Position[];
  readonly working: readonly Order[];
  readonly marks: Marks;
}

/**
 * Starts reading, beside the other reads of a new order, what its JSON result needs, so that it costs no further round
 * trip. Not in a batch: its lines share what they read, and each order changes it.
 */
export function beginAftermath(
  context: Context,
  { account_id, market_id }: Pick<Order, 'account_id' | 'market_id'>,
): void {
  const { output, dryRun, idempotencyKey } = context.settings;
  // Under a key of its own, the order may be one of an earlier run, which these reads already show.
  if (output === 'table' || dryRun || idempotencyKey !== undefined || context.sharesReads) return;
  const reading = readBefore(context, account_id, market_id);
  reading.catch(() => {});
  begun.set(context, reading);
}

const begun = new WeakMap<Context, Promise<Before>>();

async function readBefore(context: Context, account_id: string, market_id: string): Promise<Before> {
  const reading = openPositions(context);
  const others = reading.then((open) => open.map((one) => one.market_id).filter((id) => id !== market_id));
  const [account, positions, working, own, marks] = await Promise.all([
    accountRisk(context),
    reading,
    workingOrders(context, account_id),
    quoteOnce(context, market_id),
    others.then((ids) => marksOf(context, ids)),
  ]);
  const mark = own.mid === null ? [] : [[market_id, { price: own.mid, at: own.time }] as const];
  return { account, positions, working, marks: new Map([...marks, ...mark]) };
}

/**
 * The account after an order, computed from what was read before it and from its answer. Undefined if that is not
 * known, or if the fill may have changed exits, so that only a read can tell.
 */
export async function expectedAftermath(context: Context, order: Order): Promise<Aftermath | undefined> {
  const { market_id } = order;
  const was = await begun.get(context)?.catch(() => undefined);
  if (was === undefined) return undefined;
  const filled = filledSizeOf(order);
  const working = isWorking(order) ? [...was.working, order] : was.working;
  if (filled === 0) {
    return { ...was, working, outlook: outlookOf(was.account, was.positions, was.marks) };
  }
  const isWhole = order.status === 'filled' && order.fill_price !== undefined && order.size === filled;
  const held = was.positions.find((position) => position.market_id === market_id);
  // An isolated position ends at its liquidation price, which only the service knows.
  const isKnown = isWhole && order.margin_mode === 'cross' && held?.margin_mode !== 'isolated';
  if (!isKnown || changesExits(order, held, was.working)) return undefined;
  const positions = traded(was.positions, held, order);
  const booked = (order.realized_pnl ?? 0) - (order.fee ?? 0);
  return {
    positions,
    working,
    marks: was.marks,
    outlook: outlookOf(gained(was.account, booked), positions, was.marks),
  };
}

/** A fill places, grows or cuts exits if it has legs, or reduces a position that has some. */
function changesExits(order: Order, held: Position | undefined, working: readonly Order[]): boolean {
  if (order.attached_stop_loss_price !== undefined || order.attached_take_profit_price !== undefined) return true;
  if (held === undefined || (order.side === 'buy') === (held.side === 'long')) return false;
  return working.some(({ market_id, reduce_only }) => market_id === held.market_id && reduce_only);
}

function traded(positions: readonly Position[], held: Position | undefined, order: Order): Position[] {
  const { account_id, market_id, provider, symbol, coin, leverage, margin_mode: marginMode, fill_price: price } = order;
  const size = order.side === 'buy' ? filledSizeOf(order) : -filledSizeOf(order);
  const after = afterTrade(exposureOf(held), { size, price: price!, leverage, marginMode });
  const others = positions.filter((position) => position !== held);
  if (after === null) return others;
  const isSame = held !== undefined && after.size > 0 === (held.side === 'long');
  const fresh = {
    id: '',
    account_id,
    market_id,
    provider,
    symbol,
    coin,
    status: 'open',
    opened_at: order.requested_at,
  } as const;
  const { liquidation_price: _, ...kept }: Omit<Position, PositionShape> = isSame ? held : fresh;
  return [
    ...others,
    {
      ...kept,
      side: after.size > 0 ? 'long' : 'short',
      size: Math.abs(after.size),
      entry_price: Number(after.entry.toPrecision(15)),
      leverage: after.leverage,
      margin_mode: after.marginMode,
      isolated_margin_extra: after.extraMargin,
    },
  ];
}

/** What a fill determines. */
type PositionShape = 'side' | 'size' | 'entry_price' | 'leverage' | 'margin_mode' | 'isolated_margin_extra';

/** The account after its balance has changed, USD. */
function gained(account: Account, amount: number): Account {
  const { risk } = account;
  if (risk === undefined) return account;
  const more = (value: number | null) => (value === null ? null : Number((value + amount).toFixed(8)));
  return {
    ...account,
    risk: {
      ...risk,
      equity: more(risk.equity),
      daily_loss_room: more(risk.daily_loss_room),
      max_drawdown_room: more(risk.max_drawdown_room),
    },
  };
}

/** Figures of perp in the JSON result of a write; null if unknown. */
export interface WriteComputed extends Partial<PositionComputed> {
  /** The position in the market afterwards; `side` is `flat` if there is none. */
  readonly position: { side: string; size: number; entry_price: number | null; position_id: string | null } | null;
  /** The working stops and targets of the position. */
  readonly exits: readonly ComputedExit[] | null;
  /** USD above the floor that is touched first. */
  readonly room: number | null;
}

interface ComputedExit {
  readonly order_id: string;
  readonly kind: 'stop' | 'target';
  readonly price: number;
  readonly size: number;
  readonly oco_sibling_order_id: string | null;
}

/** The computed figures of a write in a market. */
export function writeComputed(market_id: string, after: Aftermath | undefined): WriteComputed {
  if (after?.positions === undefined) return { position: null, exits: null, room: null };
  const { positions, working, marks, outlook } = after;
  const room = outlook.room ?? null;
  const held = positions.find((position) => position.market_id === market_id);
  if (held === undefined) {
    return { position: { side: 'flat', size: 0, entry_price: null, position_id: null }, exits: [], room };
  }
  const { id, side, size, entry_price } = held;
  return {
    position: { side, size, entry_price, position_id: id === '' ? null : id },
    exits: working === undefined ? null : working.flatMap((order) => exitOf(order, held)),
    ...positionComputed(held, marks.get(market_id), outlook, working),
    room,
  };
}

function exitOf(order: Order, held: Position): ComputedExit[] {
  const kind = exitRole(order, held);
  if (kind === undefined) return [];
  const { id: order_id, size, oco_sibling_order_id } = order;
  return [{ order_id, kind, price: exitPriceOf(order), size, oco_sibling_order_id: oco_sibling_order_id ?? null }];
}

/** How far the fill of an order was from the price that its sender saw, bps; above zero is worse. Null without a fill. */
export function slippageOf({ side, fill_price: price, expected_price: expected }: Order): number | null {
  if (price === undefined || !(expected > 0)) return null;
  return Number((((price - expected) / expected) * 1e4 * (side === 'buy' ? 1 : -1)).toFixed(4));
}
