import type { Holding } from '../../base/margin/holding.ts';
import { PathPositions } from '../../base/margin/path/positions.ts';
import {
  type Depth,
  type PathAccount,
  type PathMarket,
  type PathOrder,
  type PathTrigger,
  plainOrder,
} from '../../base/margin/path/terms.ts';
import { decimalsOf, moneyToNumber, roundedUnits, toMoney, toUnits } from '../../base/terms/decimal.ts';
import { exitGroupOf, orderKindOf } from '../../base/terms/order-types.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { type HeldPosition as Held, isSound, notionalOf, profitOf } from './profit.ts';

/** The part of an open position that determines its result. */
export type HeldPosition = Held & { readonly liquidation_price?: number | undefined };

/** A known fill of a size: from a quote. */
export interface SeenDepth {
  /** Base asset; 0 if the book doesn't fill the requested size. */
  readonly size: number;
  /** The distance of the fill from the mid, on average and at the worst level. */
  readonly average: number;
  readonly worst: number;
}

/** A market's mark, and the time of its book, Unix ms. */
export interface Mark {
  readonly price: number;
  readonly at: number;
  /** The market's tick, if known. */
  readonly tick?: number | undefined;
  /** The market's category, if known. */
  readonly category?: string | undefined;
  /** Commission of a fill, bps, if known. */
  readonly feeBps?: number | undefined;
  /** The assumed slippage of a stop beyond its trigger, bps, if known. */
  readonly gapBps?: number | undefined;
  /** The displayed book by the side of a taker, if known. */
  readonly depth?: { readonly buy?: SeenDepth | undefined; readonly sell?: SeenDepth | undefined } | undefined;
}

/** Marks by market id; a market without a fresh book has none. */
export type Marks = ReadonlyMap<string, Mark>;

/** All account data that a path depends on. */
export interface Standing {
  readonly account: Pick<Account, 'balance'>;
  readonly positions: readonly HeldPosition[];
  /** All working orders. */
  readonly working: readonly Order[];
  /** Running TWAPs and VWAPs. */
  readonly twaps?: readonly TwapOrder[] | undefined;
  readonly policy?: AccountTradingPolicy | undefined;
}

/** A size in a market, base asset. */
export interface Sized {
  readonly market_id: string;
  readonly size: number;
}

/**
 * The units of a market on a path: decimals of a half price's whole price and of a lot, and half prices in half a tick.
 */
export interface Units {
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly halfTick: number;
}

/** A tolerance that no account's ceiling exceeds by default, bps (simulation 6.2). */
const usualToleranceBps = 250;
/** The default cost of a fill where no quote of a size gives it, bps (simulation 5.6). */
export const usualFeeBps = 3;
/** The default cost of liquidating an isolated position, bps (simulation 5.3). */
const usualLiquidationFeeBps = 50;

/** The decimals of each market's sizes, including those of `also`. */
export function sizeDecimalsOf({ positions, working, twaps = [] }: Standing, also?: Sized): Map<string, number> {
  const found = new Map<string, number>();
  const sizes: Sized[] = [...positions, ...working, ...(also === undefined ? [] : [also])];
  for (const { market_id, total_size, filled_size } of twaps)
    sizes.push({ market_id, size: total_size }, { market_id, size: filled_size });
  for (const { market_id, size } of sizes) {
    // The host's data may be invalid.
    const decimals = Number.isFinite(size) ? decimalsOf(size) : 0;
    found.set(market_id, Math.max(decimals, found.get(market_id) ?? 0));
  }
  return found;
}

/** The units in which every number of a market is exact. Without a tick, marks have seven significant figures. */
export function unitsOf({ price, tick }: Mark, sizeDecimals: number): Units {
  const figures = Math.max(0, 6 - Math.floor(Math.log10(price)));
  const finest = tick === undefined ? figures - 1 : decimalsOf(tick);
  const decimals = decimalsOf(price);
  const isOnHalf = roundedUnits(price, decimals) % 5n === 0n;
  const priceDecimals = Math.max(0, finest, isOnHalf ? decimals - 1 : decimals);
  const halfTick = tick === undefined ? 1 : Number(roundedUnits(tick, priceDecimals));
  return { priceDecimals, sizeDecimals, halfTick: Math.max(1, halfTick) };
}

/** A mark as a JSON number. */
export function priceOfHalf(half: number, { priceDecimals }: Pick<Units, 'priceDecimals'>): number {
  return Number(`${half * 5}e-${priceDecimals + 1}`);
}

/**
 * An account as a path sees it; undefined if it lacks a mark or has an unusable number. `room`: how far its equity is
 * above its floor at these marks, USD; undefined without a floor.
 */
export function pathAccountOf(
  standing: Standing,
  room: number | undefined,
  marks: Marks,
  units: ReadonlyMap<string, Units>,
): PathAccount | undefined {
  const { account, positions, working, twaps = [], policy } = standing;
  const markets = new Map<string, PathMarket>();
  for (const [id, of] of units) markets.set(id, marketOf(marks.get(id)!, of, policy));
  const held = new Map<string, Holding>();
  for (const position of positions) {
    const of = units.get(position.market_id);
    if (of === undefined || !isSound(position) || !(position.size > 0)) return undefined;
    held.set(position.market_id, holdingOf(position, of));
  }
  const known = working.filter(({ market_id, size }) => units.has(market_id) && size > 0 && Number.isFinite(size));
  const limits = policy?.limits;
  const total = policy?.maximum_total_notional_usd ?? null;
  const found: PathAccount = {
    balance: toMoney(Number.isFinite(account.balance) ? account.balance : 0),
    floor: null,
    maintenanceRatioBps: limits?.maintenance_margin_ratio_bps ?? impliedRatioBps(standing, marks),
    liquidationFeeBps: limits?.liquidation_fee_bps ?? usualLiquidationFeeBps,
    maxOpenPositions: limits?.max_open_positions ?? null,
    maxPositionValue: limits === undefined ? null : toMoney(limits.max_position_value_usd),
    maxTotalNotional: total === null ? null : toMoney(total),
    markets,
    positions: held,
    orders: [
      ...known.toSorted(byRequest).flatMap((order) => orderOf(order, units)),
      ...twaps.flatMap((twap) => restOf(twap, units, marks)),
    ],
    first: null,
    closedBy: null,
  };
  return room === undefined ? found : { ...found, floor: equityOf(found) - toMoney(room) };
}

/** Equity at the marks where a path begins. */
export function equityOf(account: PathAccount): bigint {
  return account.balance + new PathPositions(account, new Map()).resultAt(0);
}

/** The maintenance ratio that a host's liquidation price implies (simulation 5.2), in whole bps; null without one. */
function impliedRatioBps({ account, positions }: Standing, marks: Marks): number | null {
  const member = positions.find(({ liquidation_price: price }) => price !== undefined && price > 0);
  if (member === undefined) return null;
  const isAlone = member.margin_mode === 'isolated';
  const margin = (one: HeldPosition) => (one.size * one.entry_price) / one.leverage + one.isolated_margin_extra;
  const cash = positions.reduce(
    (left, one) => (one.margin_mode === 'isolated' ? left - margin(one) : left),
    account.balance,
  );
  const pool = isAlone ? [member] : positions.filter(({ margin_mode }) => margin_mode === 'cross');
  let equity = isAlone ? margin(member) : cash;
  let notional = 0;
  for (const one of pool) {
    const price = one === member ? member.liquidation_price! : marks.get(one.market_id)!.price;
    equity += moneyToNumber(profitOf(one, price));
    notional += price * one.size;
  }
  const ratio = Math.round((equity / notional) * 10_000);
  return ratio >= 0 && ratio < 10_000 ? ratio : null;
}

/** Of two orders, the one that was requested first. */
function byRequest(one: Order, other: Order): number {
  return one.requested_at === other.requested_at ? (one.id < other.id ? -1 : 1) : one.requested_at - other.requested_at;
}

function marketOf(mark: Mark, units: Units, policy: AccountTradingPolicy | undefined): PathMarket {
  const { priceDecimals, sizeDecimals, halfTick } = units;
  // On a half tick, the spread is an odd number of ticks; on the next one, it is one tick wider.
  const wider = Math.round(halfOf(mark.price, priceDecimals, 'near') / halfTick) % 2 === 0 ? 0 : halfTick;
  const depth = (seen: SeenDepth | undefined): Depth | null =>
    seen === undefined
      ? null
      : {
          lots: unitsIn(seen.size, sizeDecimals),
          average: seen.average * 2 * 10 ** priceDecimals + (seen.average > 0 ? wider : 0),
          worst: seen.worst * 2 * 10 ** priceDecimals,
        };
  return {
    grid: { priceDecimals, sizeDecimals },
    mark: halfOf(mark.price, priceDecimals, 'near'),
    feeBps: policy?.fee_exempt === true ? 0 : (mark.feeBps ?? usualFeeBps),
    depth: { buy: depth(mark.depth?.buy), sell: depth(mark.depth?.sell) },
    toleranceBps: policy?.slippage_tolerance_bps.max ?? usualToleranceBps,
    gapBps: 0,
  };
}

/** An open position in the units of its market. */
function holdingOf(position: HeldPosition, { sizeDecimals }: Pick<Units, 'sizeDecimals'>): Holding {
  const { side, size, entry_price, leverage, margin_mode, isolated_margin_extra } = position;
  return {
    direction: side,
    size: unitsIn(size, sizeDecimals),
    cost: notionalOf(entry_price, size),
    leverage,
    marginMode: margin_mode,
    isolatedMarginExtra: toMoney(isolated_margin_extra),
  };
}

function orderOf(order: Order, units: ReadonlyMap<string, Units>): PathOrder[] {
  const { id, market_id: marketId, side, reduce_only: reduceOnly } = order;
  const { priceDecimals, sizeDecimals } = units.get(marketId)!;
  const trigger = triggerOf(order, units);
  // A conditional on a market that is not on the path waits.
  if (trigger === undefined || order.cancel_requested_at !== undefined) return [];
  const { attached_stop_loss_price: stop, attached_take_profit_price: target, limit_price: limit } = order;
  return [
    {
      id,
      marketId,
      side,
      size: unitsIn(order.size, sizeDecimals),
      leverage: order.leverage,
      marginMode: order.margin_mode,
      reduceOnly,
      limit: limit === undefined ? null : halfOf(limit, priceDecimals, 'near'),
      trigger,
      exit: reduceOnly && order.target_position_id !== undefined ? exitGroupOf(order.type) : null,
      siblingId: order.oco_sibling_order_id ?? null,
      ...legsOf(side, stop, target, priceDecimals),
      // No answer shows `replace_overlapping_exits`.
      replacesExits: null,
      isUncertain: orderKindOf(order.mode)?.meets === 'follows',
    },
  ];
}

/** The legs of an order; a price between two marks is met at the worse one. */
export function legsOf(side: 'buy' | 'sell', stop: number | undefined, target: number | undefined, decimals: number) {
  const [down, up] = side === 'buy' ? (['down', 'up'] as const) : (['up', 'down'] as const);
  const stopLoss = stop === undefined ? null : halfOf(stop, decimals, down);
  return { stopLoss, takeProfit: target === undefined ? null : halfOf(target, decimals, up) };
}

/** The mark that an order waits for: null for none, undefined for one that isn't on the path. */
function triggerOf(order: Order, units: ReadonlyMap<string, Units>): PathTrigger | null | undefined {
  const { trigger_price: price, trigger_market_id: other, trigger_direction: direction, side } = order;
  if (price === undefined || order.triggered_at !== undefined) return null;
  const marketId = other ?? order.market_id;
  const of = units.get(marketId);
  if (of === undefined) return undefined;
  const fires = orderKindOf(order.mode)?.fires;
  const above = fires === 'directed' ? direction === 'above' : (fires === 'against') === (side === 'buy');
  return { marketId, at: halfOf(price, of.priceDecimals, above ? 'up' : 'down'), above };
}

/** The unfilled size of a TWAP: it may all trade now. */
function restOf(twap: TwapOrder, units: ReadonlyMap<string, Units>, marks: Marks): PathOrder[] {
  const { id, market_id: marketId, side, trigger_price: price } = twap;
  const of = units.get(marketId);
  const left = twap.total_size - twap.filled_size;
  if (of === undefined || twap.status !== 'running' || !(left > 0)) return [];
  const above = price !== undefined && price > marks.get(marketId)!.price;
  const waits = twap.activated_at === undefined && price !== undefined;
  return [
    {
      ...plainOrder,
      id,
      marketId,
      side,
      size: unitsIn(twap.total_size, of.sizeDecimals) - unitsIn(twap.filled_size, of.sizeDecimals),
      leverage: twap.leverage,
      marginMode: twap.margin_mode,
      reduceOnly: twap.reduce_only,
      trigger: waits ? { marketId, at: halfOf(price, of.priceDecimals, above ? 'up' : 'down'), above } : null,
      isUncertain: true,
    },
  ];
}

/** A number of base asset in lots. */
export function unitsIn(value: number, decimals: number): number {
  const { units, exact } = toUnits(value, decimals);
  if (exact) return units;
  return Number(roundedUnits(value, decimals));
}

/** A price in half prices; one between two of them is taken to the mark at which it is first met. */
export function halfOf(price: number, priceDecimals: number, toward: 'up' | 'down' | 'near'): number {
  const { units, exact } = toUnits(price, priceDecimals);
  if (exact) return 2 * units;
  const decimals = Math.max(priceDecimals + 1, decimalsOf(price));
  const fine = roundedUnits(price, decimals);
  const unit = 5n * 10n ** BigInt(decimals - priceDecimals - 1);
  const whole = fine / unit;
  const rest = fine % unit;
  if (toward === 'near') return Number(2n * rest >= unit ? whole + 1n : whole);
  return Number(toward === 'up' && rest > 0n ? whole + 1n : whole);
}
