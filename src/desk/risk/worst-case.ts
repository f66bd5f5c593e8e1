import { walkPath } from '../../base/margin/path/path.ts';
import { type Depth, type PathAccount, type PathOrder, plainOrder } from '../../base/margin/path/terms.ts';
import { moneyToNumber, toMoney } from '../../base/terms/decimal.ts';
import { type End, firstEndOf, pathUnits, wayOf } from './breach.ts';
import {
  equityOf,
  halfOf,
  legsOf,
  type Mark,
  type Marks,
  pathAccountOf,
  type Standing,
  type Units,
  unitsIn,
} from './path-account.ts';

/** An order as it is expected to fill. */
export interface ExpectedFill {
  readonly market_id: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** The value that all of it trades for, USD. */
  readonly notional: number;
  /** The price at which it waits, which its mark has to reach first; undefined: it fills now. */
  readonly waitsAt: number | undefined;
  readonly leverage: number;
  readonly margin_mode: 'cross' | 'isolated';
  readonly reduceOnly: boolean;
  readonly stop: number | undefined;
  readonly target: number | undefined;
  readonly replacesExits: boolean;
}

/** The outcome of an account after an order, if only the order's market moves against the resulting position. */
interface Outcome {
  /** The first end: the floor, or a liquidation; undefined if there is none. */
  readonly end: End | undefined;
  /** How the resulting position ends if no floor ends it before; undefined: it stays open. */
  readonly worst: Loss | undefined;
}

/** The fall in equity from now until a position is closed: slippage, fees, own entries on the way, a gap, the walk. */
export interface Loss {
  readonly at: 'stop' | 'liquidation';
  /** The mark at which it is closed. */
  readonly price: number;
  /** USD; negative if the stop secures a gain. */
  readonly loss: number;
  /** Working orders that fill before. */
  readonly beside: readonly string[];
}

/** Everything that the outcome of an order depends on besides itself. */
export interface Scene {
  readonly standing: Standing;
  /** How far equity is above the nearest floor, USD; undefined without a floor. */
  readonly room: number | undefined;
  readonly marks: Marks;
  /**
   * The assumed slippage of a stop beyond its trigger, bps, and the cost of its fill as a multiple of walking the
   * current book.
   */
  readonly gap: { readonly bps: number; readonly walks: number };
}

const nothing: Outcome = { end: undefined, worst: undefined };

/** The outcome of an order (simulation 5.7). A market without a mark stands still at the entry of its position. */
export function outcomeOf({ standing, room, marks: known, gap }: Scene, fill: ExpectedFill): Outcome {
  const marks = standing.positions.length === 0 ? known : withEntries(standing, known);
  const own = marks.get(fill.market_id);
  if (own === undefined) return nothing;
  const units = pathUnits(standing, marks, fill);
  const of = units.get(fill.market_id);
  const account = of && pathAccountOf(standing, room, marks, units);
  if (of === undefined || account === undefined) return nothing;
  const held = standing.positions.find(({ market_id }) => market_id === fill.market_id);
  const before = held === undefined ? 0 : held.side === 'long' ? held.size : -held.size;
  const signed = before + (fill.side === 'buy' ? fill.size : -fill.size);
  if (Math.abs(signed) < 1e-12 || (fill.reduceOnly && signed * before <= 0)) return nothing;
  const sign = signed > 0 ? -1 : 1;
  const begun = beginning(account, of, { fill, sign, mark: own.price });
  const way = wayOf(fill.market_id, begun.markets.get(fill.market_id)!.mark, sign, of);
  const first = firstEndOf(walkPath(begun, way.pace, way.most), fill.market_id);
  // Without its own stop, only a liquidation is its worst case.
  const staysOpen = fill.stop === undefined && account.maintenanceRatioBps === null;
  return {
    end: first && inReach({ by: first.by, price: way.priceAfter(first.distance) }, own.price),
    worst: staysOpen
      ? undefined
      : lossOf(account, fill.stop === undefined ? begun : atItsStop(begun, standing, gap), fill.market_id, way),
  };
}

/** A liquidation that is 100% of the mark away is out of reach; a ten-thousandth less is a rounding error. */
function inReach(end: End, mark: number): End | undefined {
  const isFar = end.by === 'liquidation' && Math.abs(end.price - mark) >= mark * (1 - 1e-4);
  return isFar ? undefined : end;
}

/** Without a floor, until the position is closed. */
function lossOf(
  now: PathAccount,
  begun: PathAccount,
  marketId: string,
  { pace, most, priceAfter }: ReturnType<typeof wayOf>,
): Loss | undefined {
  const path = walkPath({ ...begun, floor: null }, pace, most);
  const loss = moneyToNumber(equityOf(now) - path.lowest);
  const beside = [...path.filled].filter(
    (id) => id !== newId && now.orders.some((one) => one.id === id && !one.reduceOnly),
  );
  const alone = path.liquidated.get(marketId);
  if (path.end !== null || alone !== undefined) {
    const end = { by: 'liquidation', price: priceAfter(path.end?.distance ?? alone!) } as const;
    return inReach(end, priceAfter(0)) && { at: 'liquidation', price: end.price, loss, beside };
  }
  return path.flatAfter === null ? undefined : { at: 'stop', price: priceAfter(path.flatAfter), loss, beside };
}

const newId = 'the order';

/**
 * The account where the path begins. An order that the path reaches waits on it; any other is treated as filled at the
 * start, at its own price if it waits for one.
 */
function beginning(
  account: PathAccount,
  units: Units,
  { fill, sign, mark: now }: { fill: ExpectedFill; sign: -1 | 1; mark: number },
): PathAccount {
  const { market_id: marketId, side, stop, target, waitsAt } = fill;
  const { priceDecimals, sizeDecimals } = units;
  const order: PathOrder = {
    ...plainOrder,
    id: newId,
    marketId,
    side,
    size: unitsIn(fill.size, sizeDecimals),
    leverage: fill.leverage,
    marginMode: fill.margin_mode,
    reduceOnly: fill.reduceOnly,
    ...legsOf(side, stop, target, priceDecimals),
    replacesExits: fill.replacesExits,
  };
  if (waitsAt !== undefined && (side === 'buy') === sign < 0 && waitsAt < now === sign < 0) {
    const waiting = { ...order, limit: halfOf(waitsAt, priceDecimals, 'near') };
    return { ...account, orders: [...account.orders, waiting], closedBy: waiting };
  }
  const market = account.markets.get(marketId)!;
  const mark = waitsAt === undefined ? market.mark : halfOf(waitsAt, priceDecimals, 'near');
  const markets = new Map(account.markets).set(marketId, { ...market, mark });
  return { ...account, markets, first: { order, notional: toMoney(fill.notional) }, closedBy: order };
}

/** At its stop, an order is closed with what TWAPs of its side may have sent by then, beyond a gap of its market. */
function atItsStop(account: PathAccount, { twaps = [] }: Standing, { bps: gapBps, walks }: Scene['gap']): PathAccount {
  const ids = new Set(twaps.map(({ id }) => id));
  const { marketId, side, stopLoss } = account.closedBy!;
  const isBeside = (one: PathOrder) => ids.has(one.id) && one.marketId === marketId && one.side === side;
  const orders = account.orders.map((one) => (isBeside(one) ? { ...one, stopLoss } : one));
  const market = account.markets.get(marketId)!;
  const thin = (seen: Depth | null) => seen && { ...seen, average: seen.average * walks };
  const depth = { buy: thin(market.depth.buy), sell: thin(market.depth.sell) };
  return { ...account, orders, markets: new Map(account.markets).set(marketId, { ...market, gapBps, depth }) };
}

function withEntries({ positions }: Standing, marks: Marks): Marks {
  const entries = positions
    .filter(({ market_id }) => !marks.has(market_id))
    .map(({ market_id, entry_price: price }): [string, Mark] => [market_id, { price, at: 0 }]);
  return entries.length === 0 ? marks : new Map([...entries, ...marks]);
}
