import { type Path, type PathEnd, walkPath } from '../../base/margin/path/path.ts';
import type { Depth, PathAccount, PathMarket, PathOrder } from '../../base/margin/path/terms.ts';
import { moneyToNumber, toMoney } from '../../base/terms/decimal.ts';
import type { AccountRisk } from '../../wire/contract/accounts.ts';
import {
  equityOf,
  type HeldPosition,
  type Marks,
  pathAccountOf,
  priceOfHalf,
  type Sized,
  type Standing,
  sizeDecimalsOf,
  type Units,
  unitsOf,
} from './path-account.ts';
import { isSound, profitOf } from './profit.ts';

/** A floor of an account, and how far its equity is above it, USD. */
export interface Floor {
  readonly name: 'daily loss' | 'maximum drawdown';
  readonly at: number;
  readonly room: number;
}

/** The end of an account, or of an isolated position, and its mark. */
export interface End {
  readonly by: 'floor' | 'liquidation';
  readonly price: number;
}

/** The accounts and positions that end if only this market's mark moves, falling and rising. Undefined: nothing. */
export interface MarketEnds {
  readonly falling: End | undefined;
  readonly rising: End | undefined;
  /**
   * USD that equity falls from now until the open position of the market is closed, or the account ends, as the mark
   * moves against it: with fees, carry left out. Undefined: without a position, or if nothing limits it.
   */
  readonly loss: number | undefined;
}

/** A rise to more than this many times a mark is out of reach. */
export const reach = 10;

/** The floor that falling equity touches first; undefined if the account has none or its equity is unknown. */
export function nearestFloor(risk: AccountRisk | undefined): Floor | undefined {
  if (risk === undefined) return undefined;
  const { daily_loss_floor, daily_loss_room, max_drawdown_floor, max_drawdown_room } = risk;
  const daily = floorOf('daily loss', daily_loss_floor, daily_loss_room);
  const drawdown = floorOf('maximum drawdown', max_drawdown_floor, max_drawdown_room);
  if (daily === undefined || drawdown === undefined) return drawdown ?? daily;
  return daily.room < drawdown.room ? daily : drawdown;
}

function floorOf(name: Floor['name'], at: number | null, room: number | null): Floor | undefined {
  // The host's data may be invalid.
  return at === null || room === null || !Number.isFinite(room) ? undefined : { name, at, room };
}

/**
 * The room at these marks. Account and marks are read one after the other, so the account's own unrealized profit may
 * be from earlier marks; the difference is added.
 */
export function roomAt(
  positions: readonly HeldPosition[],
  marks: Marks,
  room: number,
  unrealized: number | null,
): number {
  if (unrealized === null || !Number.isFinite(unrealized)) return room;
  let now = toMoney(room) - toMoney(unrealized);
  for (const position of positions) now += profitOf(position, marks.get(position.market_id)!.price);
  return moneyToNumber(now);
}

/**
 * The end of an account on each path of its own markets: one market moved alone, half a tick at a time. One function
 * for every figure: own resting orders fill, exits fire, isolated positions end alone (simulation 5.7). Empty while a
 * mark is missing.
 */
export function endsOf(standing: Standing, room: number | undefined, marks: Marks): Map<string, MarketEnds> {
  const units = pathUnits(standing, marks);
  const account = pathAccountOf(standing, room, marks, units);
  const ends = new Map<string, MarketEnds>();
  if (account === undefined) return ends;
  for (const [id, of] of units) {
    const [falling, rising] = [marketWay(account, id, of, -1), marketWay(account, id, of, 1)];
    const held = account.positions.get(id)?.direction;
    const loss = held && (held === 'long' ? falling : rising).loss;
    ends.set(id, { falling: falling.end, rising: rising.end, loss });
  }
  return ends;
}

/** The way on which only one market's mark moves: its pace, how far it goes, and the prices on it. */
export function wayOf(marketId: string, mark: number, sign: -1 | 1, units: Units) {
  const move = sign * units.halfTick;
  return {
    pace: new Map([[marketId, move]]),
    most: Math.floor((sign < 0 ? mark - 1 : mark * (reach - 1)) / units.halfTick),
    priceAfter: (distance: number) => priceOfHalf(mark + move * distance, units),
  };
}

function marketWay(account: PathAccount, marketId: string, units: Units, sign: -1 | 1) {
  const { pace, most, priceAfter } = wayOf(marketId, account.markets.get(marketId)!.mark, sign, units);
  const path = walkPath(account, pace, most);
  const first = firstEndOf(path, marketId);
  // A rise has no limit; a fall ends at zero.
  const isLimited = path.lowestHeld !== null || first !== undefined || sign < 0;
  return {
    end: first && { by: first.by, price: priceAfter(first.distance) },
    loss: isLimited ? moneyToNumber(equityOf(account) - (path.lowestHeld ?? path.lowest)) : undefined,
  };
}

/**
 * The first end on the path of a market: an isolated liquidation that takes the account with it is the account's end.
 */
export function firstEndOf({ end, liquidated }: Path, marketId: string): PathEnd | undefined {
  const alone = liquidated.get(marketId);
  const isAlone = alone !== undefined && (end === null || alone < end.distance);
  return isAlone ? { by: 'liquidation', distance: alone } : (end ?? undefined);
}

/** A common move is counted in millionths of each mark. */
const parts = 1_000_000;

/**
 * The move in percent, common to all marks, that ends the account: -3.1 is a fall. The smaller one, if it ends both
 * ways; undefined if it doesn't, because the sides cancel out or a total loss is not enough.
 */
export function commonMove(standing: Standing, room: number | undefined, marks: Marks): number | undefined {
  const account = pathAccountOf(standing, room, marks, pathUnits(standing, marks));
  if (account === undefined) return undefined;
  const fine = { ...account, ...inParts(account) };
  const moveTo = (sign: -1 | 1): number | undefined => {
    const pace = new Map([...account.markets].map(([id, { mark }]) => [id, sign * mark]));
    const most = sign < 0 ? parts - 1 : mostParts(account);
    const { end } = walkPath(fine, pace, most);
    return end === null ? undefined : (sign * end.distance * 100) / parts;
  };
  const [fall, rise] = [moveTo(-1), moveTo(1)];
  if (fall === undefined || rise === undefined) return fall ?? rise;
  return -fall <= rise ? fall : rise;
}

function mostParts({ markets }: PathAccount): number {
  const largest = Math.max(1, ...[...markets.values()].map(({ mark }) => mark));
  return Math.min(parts * (reach - 1), Math.floor(Number.MAX_SAFE_INTEGER / largest) - parts);
}

/** The same account with half prices that are a million times as fine. */
function inParts({ markets, orders }: PathAccount): Pick<PathAccount, 'markets' | 'orders'> {
  const depth = (of: Depth | null) => of && { ...of, average: of.average * parts, worst: of.worst * parts };
  const scaled = (half: number | null) => (half === null ? null : half * parts);
  return {
    markets: new Map(
      [...markets].map(([id, market]): [string, PathMarket] => [
        id,
        {
          ...market,
          grid: { ...market.grid, priceDecimals: market.grid.priceDecimals + 6 },
          mark: market.mark * parts,
          depth: { buy: depth(market.depth.buy), sell: depth(market.depth.sell) },
        },
      ]),
    ),
    orders: orders.map(
      (order): PathOrder => ({
        ...order,
        limit: scaled(order.limit),
        trigger: order.trigger && { ...order.trigger, at: order.trigger.at * parts },
        stopLoss: scaled(order.stopLoss),
        takeProfit: scaled(order.takeProfit),
      }),
    ),
  };
}

/** The markets on a path: those of positions, of orders and of their triggers, as far as their marks are known. */
export function pathUnits(standing: Standing, marks: Marks, also?: Sized): Map<string, Units> {
  const decimals = sizeDecimalsOf(standing, also);
  const ids = new Set(decimals.keys());
  for (const { trigger_market_id: id } of standing.working) if (id !== undefined) ids.add(id);
  const units = new Map<string, Units>();
  for (const id of ids) {
    const mark = marks.get(id);
    if (mark !== undefined && mark.price > 0 && Number.isFinite(mark.price))
      units.set(id, unitsOf(mark, decimals.get(id) ?? 0));
  }
  return units;
}

/** Whether an account's positions can be put on a path: each has a mark and usable numbers. */
export function isMarked(positions: readonly HeldPosition[], marks: Marks): boolean {
  return positions.every((position) => isSound(position) && position.size > 0 && marks.has(position.market_id));
}
