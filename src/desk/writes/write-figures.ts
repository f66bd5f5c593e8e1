import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import {
  averageOf,
  type Executed,
  exitPriceOf,
  exitRole,
  type PositionComputed,
  positionComputed,
} from '../account/means.ts';
import { wholeOrder } from '../reading/account-changes.ts';
import type { Session } from '../session/session.ts';
import type { Aftermath } from './aftermath.ts';

/** perp's figures in the JSON result of a write; null if unknown. */
interface WriteComputed extends Partial<PositionComputed> {
  /** The position in the market afterwards; `side` is `flat` if there is none. */
  readonly position: { side: string; size: number; entry_price: number | null; position_id: string | null } | null;
  /** The working stops and targets of the position. */
  readonly exits: readonly ReturnType<typeof exitOf>[number][] | null;
  /** USD above the floor that is touched first. */
  readonly room: number | null;
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

/** perp's figures in the JSON result of a write that concerns a whole account; null if unknown. */
export type AccountFigures = ReturnType<typeof accountFigures>;

/** The answer to a write that concerns a whole account with its figures; in a batch, without them. */
export function withAccountFigures<R extends object>(session: Session, answer: R, after: Aftermath | undefined): R {
  return session.memory.sharesReads ? answer : { ...answer, computed: accountFigures(after) };
}

/**
 * The computed figures of a write that concerns a whole account: for each open position afterwards, those of a write in
 * its market, and the USD above the floor that is touched first.
 */
export function accountFigures(after: Aftermath | undefined) {
  if (after?.positions === undefined) return { positions: null, room: null };
  const positions = after.positions.map(({ market_id }) => {
    const { room: _, ...figures } = writeComputed(market_id, after);
    return { market_id, ...figures };
  });
  return { positions, room: after.outlook.room ?? null };
}

/** The answer to a write in a market with its figures; in a batch, without them. */
export function withMarketFigures<R extends { market_id: string }>(
  session: Session,
  answer: R,
  after: Aftermath | undefined,
): R {
  return session.memory.sharesReads ? answer : { ...answer, computed: writeComputed(answer.market_id, after) };
}

/** The computed figures of one order and its market; in a batch, only those of the order. */
export function orderFigures(session: Session, order: Order, after: Aftermath | undefined): object {
  const shared = session.memory.sharesReads ? {} : writeComputed(order.market_id, after);
  return { ...shared, slippage_bps: slippageOf(order) };
}

/** A closing order with the slippage, the average and the sums of its executions. */
export type Closing = Order & { readonly computed: { readonly slippage_bps: number | null } & Partial<Executed> };

/** A closing order whose price and money are those of all its executions. */
export function asWhole({ computed, ...order }: Closing): Order {
  const { average_price: price, filled_notional: notional, total_fee: fee, total_realized_pnl: realized } = computed;
  const whole = { fill_price: price, notional, fee, realized_pnl: realized };
  return { ...order, ...Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, value ?? undefined])) };
}

/** Reads the executions of a closing order, if it has filled in parts. After Ctrl-C they are unknown. */
export async function whatClosed(session: Session, order: Order): Promise<Closing> {
  const { order: whole, computed } = await wholeOrder(session, order).catch((error) => {
    if (!session.signal.aborted) throw error;
    return { order, computed: averageOf(order, []) };
  });
  return { ...order, computed: { slippage_bps: slippageOf(whole), ...computed } };
}

function exitOf(order: Order, held: Position) {
  const kind = exitRole(order, held);
  if (kind === undefined) return [];
  const { id: order_id, size, oco_sibling_order_id } = order;
  return [{ order_id, kind, price: exitPriceOf(order), size, oco_sibling_order_id: oco_sibling_order_id ?? null }];
}

/** The distance of an order's fill from the price its sender saw, bps; above zero is worse. Null without a fill. */
export function slippageOf({ side, fill_price: price, expected_price: expected }: Order): number | null {
  if (price === undefined || !(expected > 0)) return null;
  return Number((((price - expected) / expected) * 1e4 * (side === 'buy' ? 1 : -1)).toFixed(4));
}
