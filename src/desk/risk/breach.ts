import type { AccountRisk } from '../../contract/accounts.ts';
import { decimalsOf, moneyDecimals } from '../../terms/decimal.ts';
import { capitalOf, type HeldPosition, profitOf } from './profit.ts';
import { Ratio } from './ratio.ts';

/** A floor of an account, and how far its equity is above it, USD. */
export interface Floor {
  readonly name: 'daily loss' | 'maximum drawdown';
  readonly at: number;
  readonly room: number;
}

/** An open position, with the mark of its market. */
export interface MarkedPosition {
  readonly position: HeldPosition;
  readonly mark: number;
  /** The market's tick, if known: marks are on half ticks. */
  readonly tick?: number | undefined;
}

const halfUnit = Ratio.of(0.5e-8);
const one = Ratio.of(1);

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
  // A host may have sent anything.
  return at === null || room === null || !Number.isFinite(room) ? undefined : { name, at, room };
}

/**
 * The room at these marks. Account and marks are read one after the other, so the account's own unrealized profit may
 * be from earlier marks; the difference is added.
 */
export function roomAt(marked: readonly MarkedPosition[], room: number, unrealized: number | null): number {
  if (unrealized === null || !Number.isFinite(unrealized)) return room;
  const now = marked.reduce((sum, { position, mark }) => sum + profitOf(position, mark), 0n);
  return Ratio.of(room).plus(Ratio.ofUnits(now, moneyDecimals)).minus(Ratio.of(unrealized)).toNumber(moneyDecimals);
}

/**
 * The mark at which the account touches its floor if only this market moves: mark - room / size for a long, mark + room
 * / size for a short, without a commission for the exit. The floor is touched at exactly the first mark at or beyond
 * this price (simulation 6.1). undefined if no mark above zero does it, as with an isolated position whose margin is
 * less than the room.
 */
export function breachPrice({ position, mark, tick }: MarkedPosition, room: number): number | undefined {
  const { side, size } = position;
  if (!(size > 0) || !(mark > 0) || !canLose(position, mark, room)) return undefined;
  const sign = Ratio.of(side === 'long' ? -1 : 1);
  const lots = Ratio.of(size);
  const value = Ratio.of(mark).times(lots);
  const gridDecimals = markDecimals(mark, tick);
  const plain = value
    .plus(sign.times(Ratio.of(room)))
    .over(lots)
    .round(gridDecimals + 1);
  // The value of a position is rounded to money before it is compared with a floor.
  const touched = value.round(moneyDecimals).plus(sign.times(Ratio.of(room)));
  const first =
    side === 'long'
      ? before(touched.plus(halfUnit).over(lots), gridDecimals)
      : touched.minus(halfUnit).over(lots).ceil(gridDecimals);
  const firstByPlain = side === 'long' ? plain.floor(gridDecimals) : plain.ceil(gridDecimals);
  const stated = firstByPlain.compare(first) === 0 ? plain : first;
  return stated.sign > 0 ? stated.toNumber(gridDecimals + 1) : undefined;
}

/**
 * The move in percent, common to all marks, at which the account touches its floor: -3.1 is a fall. Undefined if there
 * is none: longs and shorts cancel out, or even a total loss of all longs is not enough.
 */
export function commonMove(marked: readonly MarkedPosition[], room: number): number | undefined {
  const parts = marked.map(({ position, mark }) => ({
    side: position.side === 'long' ? 1 : -1,
    value: Ratio.of(mark).times(Ratio.of(position.size)),
    capital: capitalOf(position, mark),
  }));
  const moving = parts.filter(({ capital }) => capital === undefined || capital.sign > 0);
  const net = moving.reduce((sum, { side, value }) => sum.plus(Ratio.of(side).times(value)), Ratio.zero);
  if (net.sign === 0) return undefined;
  const losing = moving.filter(({ side }) => side === net.sign);
  // An isolated position stops losing once its margin is used up.
  const ends = losing
    .flatMap(({ value, capital }) => (capital === undefined ? [] : [{ at: capital.over(value), value }]))
    .sort((left, right) => left.at.compare(right.at));
  let rate = net.magnitude;
  let left = Ratio.of(room);
  let move = Ratio.zero;
  for (const { at, value } of ends) {
    const lost = rate.times(at.minus(move));
    if (lost.compare(left) >= 0) break;
    left = left.minus(lost);
    move = at;
    rate = rate.minus(value);
    if (rate.sign <= 0) return undefined;
  }
  move = move.plus(left.over(rate));
  if (net.sign > 0 && move.compare(one) >= 0) return undefined;
  return -net.sign * move.times(Ratio.of(100)).toNumber(4);
}

/** Whether the position can lose this much from here: an isolated one can't lose more than its margin. */
function canLose(position: HeldPosition, mark: number, room: number): boolean {
  const capital = capitalOf(position, mark);
  return capital === undefined || capital.compare(Ratio.of(room)) >= 0;
}

/** The last multiple of 10^-decimals below a price. */
function before(price: Ratio, decimals: number): Ratio {
  return price.ceil(decimals).minus(Ratio.of(Number(`1e-${decimals}`)));
}

/** Decimals of a market's marks: those of half a tick; if the tick is unknown, enough for seven significant figures. */
function markDecimals(mark: number, tick: number | undefined): number {
  const figures = 7 - (Math.floor(Math.log10(mark)) + 1);
  const finest = tick === undefined ? Math.max(0, figures) : decimalsOf(tick) + 1;
  return Math.max(decimalsOf(mark), finest);
}
