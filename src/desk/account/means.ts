import { roundedUnits } from '../../base/terms/decimal.ts';
import { assert } from '../../base/terms/invariants.ts';
import { type Fires, orderKindOf } from '../../base/terms/order-types.ts';
import { quantity } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { type Computed, computedFields, computedOf, endOf, noOutlook, type Outlook } from '../risk/outlook.ts';
import { type Mark, usualFeeBps } from '../risk/path-account.ts';

/** The part of a position that determines which orders exit it. */
type Exitable = Pick<
  Position,
  'id' | 'account_id' | 'market_id' | 'side' | 'size' | 'entry_price' | 'liquidation_price'
>;

/** The marks between which a stop closes its part of a position: from its trigger on, to its limit if it has one. */
export interface Reach {
  readonly from: number;
  readonly to: number | undefined;
}

/** The size of a position that its working stops close. */
export interface Cover {
  /** The market and limit stops that close a part of the position, in the order in which its mark reaches them. */
  readonly stops: readonly Order[];
  /** The reach of the first of them. */
  readonly first: Reach | undefined;
  /** Its other working stops: past their limit, or reached only after the account or the position has ended. */
  readonly idle: readonly Order[];
  /** Its working take-profits, in the order in which its mark reaches them. */
  readonly targets: readonly Order[];
  /** Base asset: the size that the stops close, at most the position. */
  readonly covered: number;
  /** Base asset: the rest of the position. */
  readonly uncovered: number;
}

/**
 * The cover of a position: the remaining size of its working market and limit stops on its own market that can still
 * close it before the account or the position ends, siblings counted once, at most the position. A reduce-only stop
 * counts, too; one that waits for another market's mark does not. Without an outlook, only its liquidation price is
 * known to end it.
 */
export function coverOf(position: Exitable, working: readonly Order[], outlook: Outlook = noOutlook): Cover {
  const reductions = working.filter((order) => isReduction(order, position));
  const reached = (role: ExitRole) => {
    const isAbove = (role === 'target') === (position.side === 'long');
    return reductions
      .filter((order) => exitRole(order, position) === role)
      .sort((one, other) => (exitPriceOf(one) - exitPriceOf(other)) * (isAbove ? 1 : -1));
  };
  const end = endOf(position, outlook);
  const [stops, idle]: [Order[], Order[]] = [[], []];
  for (const order of reached('stop')) {
    const reach = reachOf(order, position);
    (reach !== undefined && !isEndedBefore(position, reach, end?.price) ? stops : idle).push(order);
  }
  const first = stops[0] && reachOf(stops[0], position);
  const { covered, uncovered } = partsOf(position, stops);
  // A size with more decimals than any market's lots have is rounded.
  assert(!(covered > Math.max(0, position.size) + 10 ** -sizeDecimals), 'cover-within-position', position.size);
  return { stops, first, idle, targets: reached('target'), covered, uncovered };
}

/**
 * The marks at which a stop of a position closes it; undefined if it is not a stop, or can't close it any more as its
 * mark moves against it.
 */
function reachOf(order: Order, position: Exitable): Reach | undefined {
  if (exitRole(order, position) !== 'stop') return undefined;
  const from = exitPriceOf(order);
  const { limit_price: to, triggered_at } = order;
  if (to === undefined) return { from, to };
  // Once it rests, only a mark that recovers fills it.
  const isPast = triggered_at !== undefined || (position.side === 'long' ? to >= from : to <= from);
  return isPast ? undefined : { from, to };
}

/** Whether a mark that moves against a position reaches its end before a stop, or at it. */
export function isEndedBefore(
  { side }: Pick<Exitable, 'side'>,
  { from }: Pick<Reach, 'from'>,
  end: number | undefined,
) {
  return end !== undefined && (side === 'long' ? from <= end : from >= end);
}

/** The purpose of a working order that reduces a position. */
type ExitRole = 'stop' | 'target';

/**
 * Whether an order exits a position as a stop or as a take-profit; undefined if as neither, or not on its own market.
 */
export function exitRole(order: Order, position: Exitable): ExitRole | undefined {
  if (!isReduction(order, position)) return undefined;
  if ((order.trigger_market_id ?? position.market_id) !== position.market_id) return undefined;
  const { fires, meets } = orderKindOf(order.mode) ?? {};
  if (fires) return roleByTrigger[fires](order, position);
  if (meets !== 'rests' || order.limit_price === undefined) return undefined;
  const isBetter = order.limit_price > position.entry_price === (position.side === 'long');
  return order.target_position_id !== undefined || isBetter ? 'target' : undefined;
}

const roleByTrigger: Readonly<Record<Fires, (order: Order, position: Exitable) => ExitRole>> = {
  against: () => 'stop',
  favor: () => 'target',
  directed: ({ trigger_direction }, { side }) =>
    (trigger_direction === 'below') === (side === 'long') ? 'stop' : 'target',
};

/** An exit's price: its trigger, or without one its limit (simulation 4.3). */
export function exitPriceOf({ trigger_price, limit_price }: Order): number {
  return trigger_price ?? limit_price ?? 0;
}

/** The working exits of a position: the orders that its exit batch expects (simulation 4.3). */
export function exitsOf({ id }: Pick<Position, 'id'>, working: readonly Order[]): Order[] {
  return working.filter(({ target_position_id: target }) => target === id);
}

/** Working orders without the canceled ones, whose siblings are alone. */
export function withoutCanceled(working: readonly Order[], isCanceled: (order: Order) => boolean): readonly Order[] {
  const gone = new Set(working.filter(isCanceled).map(({ id }) => id));
  return working.flatMap((order) => {
    if (gone.has(order.id)) return [];
    const { oco_sibling_order_id: sibling, ...alone } = order;
    return [sibling !== undefined && gone.has(sibling) ? alone : order];
  });
}

/**
 * An order that can only make this position smaller and is not being canceled. An exit names its position, so nothing
 * else has to be known; any other order has to be in the same market and against the position.
 */
function isReduction(order: Order, { id, account_id, market_id, side }: Exitable): boolean {
  const { target_position_id: target } = order;
  if (order.cancel_requested_at !== undefined || !Number.isFinite(order.size)) return false;
  if (!isAlike(order.account_id, account_id) || !isAlike(target, id)) return false;
  const against = side === 'long' ? 'sell' : 'buy';
  if (target !== undefined && id !== undefined)
    return isAlike(order.market_id, market_id) && isAlike(order.side, against);
  return order.reduce_only === true && order.market_id === market_id && order.side === against;
}

/** Equal, or one of them is unknown. */
function isAlike<T>(one: T | undefined, other: T | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** A part of a position and the stop that closes it; undefined: none does. */
interface Part {
  readonly size: number;
  readonly stop: number | undefined;
}

/** Divides a position among its stops, the first one reached first. */
function partsOf({ size }: Exitable, stops: readonly Order[]): { parts: Part[]; covered: number; uncovered: number } {
  // The host's data may be invalid.
  if (!Number.isFinite(size)) return { parts: [], covered: Number.NaN, uncovered: Number.NaN };
  const counted = new Map<string, number>();
  const parts: Part[] = [];
  let left = roundedUnits(size, sizeDecimals);
  for (const stop of stops) {
    const paired = stop.oco_sibling_order_id === undefined ? undefined : counted.get(stop.oco_sibling_order_id);
    const own = roundedUnits(stop.size, sizeDecimals) - roundedUnits(paired ?? 0, sizeDecimals);
    counted.set(stop.id, stop.size);
    const taken = own < left ? own : left;
    if (taken <= 0n) continue;
    parts.push({ size: sizeOf(taken), stop: exitPriceOf(stop) });
    left -= taken;
  }
  const uncovered = sizeOf(left);
  const covered = sizeOf(roundedUnits(size, sizeDecimals) - left);
  if (uncovered > 0) parts.push({ size: uncovered, stop: undefined });
  return { parts, covered, uncovered };
}

/** More than any market's lots have. */
const sizeDecimals = 12;

function sizeOf(units: bigint): number {
  return Number(`${units}e-${sizeDecimals}`);
}

/** A position's possible further loss, and its result as a multiple of its risk. */
export interface AtRisk {
  /**
   * The fall in equity, USD, from now until every part of the position is closed: at its stop, or at the account's end
   * if that comes first or there is no stop; with fees and the walk of the book, at most the room. Undefined if nothing
   * limits it, or it is unknown.
   */
  readonly loss: number | undefined;
  /** The unrealized result in multiples of 1R; undefined if 1R is unknown. */
  readonly r: number | undefined;
  /** 1R of the open size, USD: the loss at its stops when they first covered it. */
  readonly unit: number | undefined;
}

/** The risk of a position whose mark or orders are unknown. */
export const unknownRisk: AtRisk = { loss: undefined, r: undefined, unit: undefined };

/** The risk of an open position at a mark. */
export function atRisk(position: Position, cover: Cover, mark: Mark | undefined, outlook: Outlook): AtRisk {
  if (mark === undefined || !Number.isFinite(position.size)) return unknownRisk;
  const { side, entry_price: entry, size } = position;
  const sign = side === 'long' ? 1 : -1;
  const room = Math.max(0, outlook.room ?? Number.POSITIVE_INFINITY);
  // The account ends once it has lost its room, however far away the mark is at which it does. Where only the
  // position's own orders are known, stops that cover all of it determine its loss.
  const known = outlook.ends.get(position.market_id);
  const alone =
    known === undefined
      ? lossAtStops(position, cover, mark.price, mark.feeBps)
      : (known.loss ?? Number.POSITIVE_INFINITY);
  const loss = alone && Math.min(room, Math.max(0, alone));
  const unit = outlook.oneR?.get(position.id);
  const r = unit && rounded(((mark.price - entry) * sign * size) / unit);
  const isKnown = loss !== undefined && Number.isFinite(loss);
  return { loss: isKnown ? rounded(loss) : undefined, r: Number.isFinite(r) ? r : undefined, unit };
}

/**
 * The loss of one unit of a position, USD, from a price at the stops that cover all of it, with the fees of both ways;
 * negative for a gain. Undefined if they don't cover it.
 */
export function lossPerUnit(position: Exitable, cover: Cover, from: number, feeBps?: number): number | undefined {
  const lost = lossAtStops(position, cover, from, feeBps, from);
  return lost === undefined ? undefined : lost / position.size;
}

/**
 * The loss of a position, USD, from a mark at the stops that cover all of it, with the fee; undefined if they don't.
 * `entry`: a price at which a fee is paid, too.
 */
function lossAtStops(
  position: Exitable,
  { stops, uncovered }: Cover,
  from: number,
  feeBps = usualFeeBps,
  entry = 0,
): number | undefined {
  if (!(uncovered === 0)) return undefined;
  const sign = position.side === 'long' ? 1 : -1;
  return partsOf(position, stops).parts.reduce(
    (sum, { size, stop = from }) => sum + ((from - stop) * sign + ((entry + stop) * feeBps) / 10_000) * size,
    0,
  );
}

/**
 * The loss of a position, USD, from this mark at its stops, or without one at its liquidation. A liquidation more than
 * 100% away is out of reach and doesn't count. Without fees.
 */
export function lossAtExits(
  position: Position,
  { stops }: Cover,
  mark: number,
): { atStops: number; atLiquidation: number } {
  const sign = position.side === 'long' ? 1 : -1;
  const sum = { atStops: 0, atLiquidation: 0 };
  for (const part of partsOf(position, stops).parts) {
    const loss = (mark - exitOf(part, position)) * sign * part.size;
    if (part.stop !== undefined) sum.atStops += loss;
    else if (Math.abs((position.liquidation_price ?? 0) - mark) < mark * reach) sum.atLiquidation += loss;
  }
  return { atStops: Math.max(0, rounded(sum.atStops)), atLiquidation: Math.max(0, rounded(sum.atLiquidation)) };
}

/** Moves of 100% and more are out of reach; a liquidation this close to zero is a rounding error. */
const reach = 1 - 1e-4;

/**
 * The end of a part if the account doesn't end before: at its stop or its liquidation; a long at zero, a short never.
 */
function exitOf({ stop }: Part, { side, liquidation_price: liquidation }: Position): number {
  const ends = [stop, liquidation].filter((price) => price !== undefined);
  return side === 'long' ? Math.max(0, ...ends) : Math.min(Number.POSITIVE_INFINITY, ...ends);
}

/** Removes binary rounding noise. */
function rounded(value: number): number {
  return Number(value.toFixed(8));
}

/**
 * The figures that perp computes for an open position: the stop that the mark reaches first, and the limit to which it
 * reaches (null for a market stop), the nearest target, the sizes that stops cover and don't (base asset), its possible
 * further loss, its result in multiples of 1R, and 1R of the open size (USD).
 */
// biome-ignore format: one line
const figures = ['stop_price', 'stop_limit_price', 'target_price', 'covered_size', 'uncovered_size', 'risk', 'r', 'one_r'] as const;

/** Figures that perp computes for an open position; null if unknown, out of reach, or if there is none. */
export type PositionComputed = Computed & Readonly<Record<(typeof figures)[number], number | null>>;

/** The names of {@link PositionComputed}, as CSV columns. */
export const positionComputedFields = [...computedFields, ...figures.map((name) => `computed.${name}`)];

/** The computed figures of an open position; without its account's working orders, those of its exits are unknown. */
export function positionComputed(
  position: Position,
  mark: Mark | undefined,
  outlook: Outlook,
  working: readonly Order[] | undefined,
): PositionComputed {
  const cover = working === undefined ? undefined : coverOf(position, working, outlook);
  const { loss, r, unit } = cover === undefined ? unknownRisk : atRisk(position, cover, mark, outlook);
  return {
    ...computedOf(position, mark, outlook),
    stop_price: cover?.first?.from ?? null,
    stop_limit_price: cover?.first?.to ?? null,
    target_price: cover?.targets.map(exitPriceOf)[0] ?? null,
    covered_size: cover?.covered ?? null,
    uncovered_size: cover?.uncovered ?? null,
    risk: loss ?? null,
    one_r: unit ?? null,
    r: r ?? null,
  };
}

/**
 * The stop that the mark reaches first, and how much of a position the stops cover: `95410.7 (0.3 of 0.6)`, `59000 to
 * 58900`, `none`.
 */
export function stopText(first: Reach | undefined, covered: number, size: number): string {
  if (first === undefined) return 'none';
  const text = quantity(first.from) + (first.to === undefined ? '' : ` to ${quantity(first.to)}`);
  return covered === size || !Number.isFinite(covered) ? text : `${text} (${quantity(covered)} of ${quantity(size)})`;
}

/** The total that the order's executions traded; null if not all of them are known. */
export type Executed = Readonly<ReturnType<typeof averageOf>>;

/** Whether an order has filled in parts: then its own price, fee and result belong to its last part alone. */
export function isFilledInParts({ status, size, filled_size: filled = 0 }: Order): boolean {
  return filled > 0 && !(status === 'filled' && filled === size);
}

/** An order without the money of its last part alone, if it has filled in parts. */
export function withoutLastPart<O extends Order>(order: O): O {
  if (!isFilledInParts(order)) return order;
  return { ...order, fill_price: undefined, notional: undefined, fee: undefined, realized_pnl: undefined };
}

/**
 * The average price and the sums of an order's executions, from its fills; null unless they are all of its filled size.
 */
export function averageOf(order: Order, fills: readonly Order[]) {
  const sum = (field: (fill: Order) => number | undefined) =>
    rounded(fills.reduce((total, fill) => total + (field(fill) ?? Number.NaN), 0));
  const size = sum((fill) => fill.size);
  const notional = sum(({ size: part, fill_price: price = Number.NaN, notional: value }) => value ?? part * price);
  const isAll = size === rounded(order.filled_size ?? 0) && size > 0;
  const known = (value: number) => (isAll && Number.isFinite(value) ? value : null);
  return {
    average_price: known(Number((notional / size).toPrecision(12))),
    filled_notional: known(notional),
    total_fee: known(sum(({ fee }) => fee)),
    total_realized_pnl: known(sum(({ realized_pnl: realized = 0 }) => realized)),
  };
}

/** Whether an order is still waiting: for its price, its trigger, or its delay. */
export function isWorking({ status }: Order): boolean {
  return status === 'pending' || status === 'resting';
}
