import { roundedUnits } from '../../base/terms/decimal.ts';
import { assert } from '../../base/terms/invariants.ts';
import { type Fires, orderKindOf } from '../../base/terms/order-types.ts';
import { quantity } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { type Computed, computedFields, computedOf, type Outlook } from './outlook.ts';
import type { Mark } from './path-account.ts';

/** The part of a position that determines which orders exit it. */
export type Exitable = Pick<Position, 'id' | 'account_id' | 'market_id' | 'side' | 'size' | 'entry_price'>;

/** How much of a position its working stops close. */
export interface Cover {
  /** Market and limit stops of the position, in the order in which its mark reaches them. */
  readonly stops: readonly Order[];
  /** Its working take-profits, in the same way. */
  readonly targets: readonly Order[];
  /** Base asset: what the stops close, at most the position. */
  readonly covered: number;
  /** Base asset: the rest of the position. */
  readonly uncovered: number;
}

/**
 * The cover of a position: the remaining size of its working market and limit stops on its own market, siblings counted
 * once, at most the position. A reduce-only stop counts, too; one that waits for another market's mark does not.
 */
export function coverOf(position: Exitable, working: readonly Order[]): Cover {
  const reductions = working.filter((order) => isReduction(order, position));
  const reached = (role: ExitRole) => {
    const isAbove = (role === 'target') === (position.side === 'long');
    return reductions
      .filter((order) => exitRole(order, position) === role)
      .sort((one, other) => (exitPriceOf(one) - exitPriceOf(other)) * (isAbove ? 1 : -1));
  };
  const stops = reached('stop');
  const { covered, uncovered } = partsOf(position, stops);
  // A size with more decimals than any market's lots have is rounded.
  assert(!(covered > Math.max(0, position.size) + 10 ** -sizeDecimals), 'cover-within-position', position.size);
  return { stops, targets: reached('target'), covered, uncovered };
}

/** What a working order that reduces a position is for. */
type ExitRole = 'stop' | 'target';

/** Whether an order exits a position as a stop or as a take-profit; undefined if as neither, or not on its own market. */
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

/**
 * An order that can only make this position smaller and is not being canceled. Of an exit, which names its position,
 * nothing else has to be known; any other order has to be of the same market and against the position.
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

/** Equal, or one of them is not known. */
function isAlike<T>(one: T | undefined, other: T | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** A part of a position and the stop that closes it; undefined: no stop does. */
interface Part {
  readonly size: number;
  readonly stop: number | undefined;
}

/** Divides a position among its stops, the first one reached first. */
function partsOf({ size }: Exitable, stops: readonly Order[]): { parts: Part[]; covered: number; uncovered: number } {
  // A host may have sent anything.
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

/** What a position may still lose, and its result as a multiple of what it risks. */
export interface AtRisk {
  /**
   * USD that equity falls from this mark until every part of the position is closed: at its stop, or at the account's
   * end if that comes first or there is no stop; without fees. Undefined if nothing limits it, or it is unknown.
   */
  readonly loss: number | undefined;
  /** The unrealized result in multiples of the loss at the stops; undefined unless stops that lose cover all of it. */
  readonly r: number | undefined;
  /** USD lost at the stops from the entry, without fees: one R. Undefined as `r` is. */
  readonly unit: number | undefined;
}

/** The risk of a position whose mark or orders are unknown. */
export const unknownRisk: AtRisk = { loss: undefined, r: undefined, unit: undefined };

/** The risk of an open position at a mark. */
export function atRisk(position: Position, { stops }: Cover, mark: Mark | undefined, outlook: Outlook): AtRisk {
  if (mark === undefined || !Number.isFinite(position.size)) return unknownRisk;
  const { side, entry_price: entry, size } = position;
  const sign = side === 'long' ? 1 : -1;
  const { parts, uncovered } = partsOf(position, stops);
  // Whatever is closed on the way, and however far away the mark is at which it does, the account ends once it has lost
  // its room.
  const room = Math.max(0, outlook.room ?? Number.POSITIVE_INFINITY);
  const alone = parts.reduce((sum, part) => sum + (mark.price - endOf(part, position)) * sign * part.size, 0);
  const loss = rounded(Math.min(room, Math.max(0, alone)));
  const atStops = parts.reduce((sum, { size, stop = entry }) => sum + (entry - stop) * sign * size, 0);
  const r =
    uncovered > 0 || rounded(atStops) <= 0 ? undefined : rounded(((mark.price - entry) * sign * size) / atStops);
  return {
    loss: Number.isFinite(loss) ? loss : undefined,
    r: Number.isFinite(r) ? r : undefined,
    unit: r !== undefined && Number.isFinite(r) ? rounded(atStops) : undefined,
  };
}

/**
 * USD that a position loses from this mark at its stops, and what it loses without one at its liquidation. A liquidation
 * more than 100% away is out of reach and counts nothing. Without fees.
 */
export function lossAtExits(
  position: Position,
  { stops }: Cover,
  mark: number,
): { atStops: number; atLiquidation: number } {
  const sign = position.side === 'long' ? 1 : -1;
  const sum = { atStops: 0, atLiquidation: 0 };
  for (const part of partsOf(position, stops).parts) {
    const loss = (mark - endOf(part, position)) * sign * part.size;
    if (part.stop !== undefined) sum.atStops += loss;
    else if (Math.abs((position.liquidation_price ?? 0) - mark) < mark * reach) sum.atLiquidation += loss;
  }
  return { atStops: Math.max(0, rounded(sum.atStops)), atLiquidation: Math.max(0, rounded(sum.atLiquidation)) };
}

/** Moves of 100% and more are out of reach; a liquidation this close to zero is a rounding error. */
const reach = 1 - 1e-4;

/** Where a part ends if the account does not end before: at its stop or its liquidation; a long at zero, a short never. */
function endOf({ stop }: Part, { side, liquidation_price: liquidation }: Position): number {
  const ends = [stop, liquidation].filter((price) => price !== undefined);
  return side === 'long' ? Math.max(0, ...ends) : Math.min(Number.POSITIVE_INFINITY, ...ends);
}

/** Removes binary rounding noise. */
function rounded(value: number): number {
  return Number(value.toFixed(8));
}

/** Figures that perp computes for an open position; null if unknown, out of reach, or if there is none. */
export interface PositionComputed extends Computed {
  /** The stop that the mark reaches first. */
  readonly stop_price: number | null;
  readonly target_price: number | null;
  readonly covered_size: number | null;
  readonly uncovered_size: number | null;
  readonly risk: number | null;
  readonly r: number | null;
}

/** The names of {@link PositionComputed}, as CSV columns. */
export const positionComputedFields = [
  ...computedFields,
  ...['stop_price', 'target_price', 'covered_size', 'uncovered_size', 'risk', 'r'].map((name) => `computed.${name}`),
];

/** The computed figures of an open position; without its account's working orders, those of its exits are unknown. */
export function positionComputed(
  position: Position,
  mark: Mark | undefined,
  outlook: Outlook,
  working: readonly Order[] | undefined,
): PositionComputed {
  const cover = working === undefined ? undefined : coverOf(position, working);
  const { loss, r } = cover === undefined ? unknownRisk : atRisk(position, cover, mark, outlook);
  return {
    ...computedOf(position, mark, outlook),
    stop_price: cover?.stops.map(exitPriceOf)[0] ?? null,
    target_price: cover?.targets.map(exitPriceOf)[0] ?? null,
    covered_size: cover?.covered ?? null,
    uncovered_size: cover?.uncovered ?? null,
    risk: loss ?? null,
    r: r ?? null,
  };
}

/** The stop that the mark reaches first, and how much of a position the stops cover: `95410.7 (0.3 of 0.6)`, `none`. */
export function stopText(first: number | null | undefined, covered: number, size: number): string {
  if (first === null || first === undefined) return 'none';
  return covered === size || !Number.isFinite(covered)
    ? quantity(first)
    : `${quantity(first)} (${quantity(covered)} of ${quantity(size)})`;
}

/** Whether an order is still waiting: for its price, its trigger, or its delay. */
export function isWorking({ status }: Order): boolean {
  return status === 'pending' || status === 'resting';
}
