import { moneyToNumber } from '../../base/terms/decimal.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { Mark } from '../risk/path-account.ts';
import { isSound, profitOf } from '../risk/profit.ts';

/** A possible addition to a position: a working order, a TWAP's rest, or a write's possible result. */
export interface Entry {
  /** Of the order or the TWAP; empty for one that has none yet. */
  readonly id: string;
  readonly market: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** The price for its value, USD: the highest at which it may fill. */
  readonly price: number;
  /** The price for its loss: the worst at which it may fill. */
  readonly from: number;
  /** The price from which its stop is measured: its limit, its trigger, or the mark. */
  readonly at: number;
  /** The price of the stop that its first fill attaches. */
  readonly stop: number | undefined;
  /** Whether its stop replaces those of the position; undefined: unknown. */
  readonly replaces: boolean | undefined;
  /** Some of it has filled. */
  readonly isBegun: boolean;
  /** It belongs to the judged write. */
  readonly isOwn?: boolean;
  readonly leverage: number;
  readonly isIsolated: boolean;
}

/** A working order that stops the loss of a position. */
export interface Stop {
  readonly id: string;
  /** Base asset. */
  readonly size: number;
  readonly price: number;
  /** It is an exit of the position, so legs of entries meet it. */
  readonly isExit: boolean;
  /** It takes what the book has once it fires; one with a limit may not fill. */
  readonly isSure: boolean;
}

/** An account's actual and possible exposure in one market. */
export interface Stake {
  readonly market: string;
  readonly mark: Mark | undefined;
  readonly held: Position | undefined;
  readonly entries: readonly Entry[];
  /** The working stops, for every way in which the writes in progress may end. */
  readonly stops: readonly (readonly Stop[])[];
  /** A write in progress may cancel or cut the stop of anything that fills now. */
  readonly dropsLegs: boolean;
}

/** A write's effect on exposure, if it is done. */
export interface Change {
  /** Why no mandate allows it. */
  readonly never?: string;
  /** Why it can't be judged. */
  readonly unknown?: string;
  /** An unknown entry may add exposure. */
  readonly mayAdd?: boolean;
  /** It surely reduces exposure or leaves it unchanged. */
  readonly reduces: boolean;
  /** How many orders it counts as. */
  readonly orders: number;
  /** The markets that it concerns; empty if unknown. */
  readonly markets: readonly string[];
  /** It concerns every market, including those of future orders. */
  readonly isEverywhere?: boolean;
  /** The size it may add; one with the id of a working order takes its place. */
  readonly entries: readonly Entry[];
  /** Those of its entries that were there before are changed only in their stops. */
  readonly onlyStops?: boolean;
  /** It sets the rest of an order from then on: fills before it arrives come on top. */
  readonly resizes?: boolean;
  /** Its effect on the stops of its market's position. */
  readonly stops?: (stops: readonly Stop[]) => readonly Stop[];
  /** An order that fills before it arrives may lose its stop by it, or not have all of it covered. */
  readonly dropsLegs?: boolean;
  readonly extraMargin?: { readonly position: string; readonly usd: number };
}

/** The exposure after a change is done. `isOpen`: or not, so of two versions of an order the worse counts. */
export function changed(stake: Stake, change: Change, isOpen: boolean): Stake {
  const { entries, stops, held } = stake;
  const given = change.entries.filter(({ market }) => market === stake.market);
  const kept = entries.flatMap((entry) => {
    const amended = given.find(({ id }) => id !== '' && id === entry.id);
    if (amended === undefined) return [entry];
    if (change.resizes === true) return [{ ...entry, id: '' }, amended];
    return [isOpen ? worse(entry, amended) : amended];
  });
  const known = new Set(entries.map(({ id }) => id));
  const fresh = given.filter(({ id }) => id === '' || !known.has(id));
  const after = stops.map((set) => change.stops?.(set) ?? set);
  const dropsLegs = stake.dropsLegs || change.dropsLegs === true;
  const losesLegs = after.some((set, at) => stops[at]!.some(isExit) && !set.some(isExit));
  return {
    ...stake,
    held: held && withMargin(held, change, isOpen),
    // The owner has removed the last stop: entries that are still filling lose theirs (simulation 4.3).
    entries: [...kept, ...fresh].map((entry) =>
      dropsLegs || (losesLegs && entry.isBegun) ? { ...entry, stop: undefined } : entry,
    ),
    stops: isOpen && change.stops !== undefined ? [...stops, ...after] : after,
    dropsLegs,
  };
}

function isExit(stop: Stop): boolean {
  return stop.isExit;
}

function withMargin(held: Position, { extraMargin }: Change, isOpen: boolean): Position {
  if (extraMargin?.position !== held.id) return held;
  const before = held.isolated_margin_extra;
  return { ...held, isolated_margin_extra: isOpen ? Math.max(before, extraMargin.usd) : extraMargin.usd };
}

/** The worse fields of two versions of one order. */
function worse(one: Entry, other: Entry): Entry {
  const pick = one.side === 'buy' ? Math.min : Math.max;
  return {
    ...other,
    size: Math.max(one.size, other.size),
    price: Math.max(one.price, other.price),
    from: one.side === 'buy' ? Math.max(one.from, other.from) : Math.min(one.from, other.from),
    at: one.side === 'buy' ? Math.max(one.at, other.at) : Math.min(one.at, other.at),
    stop: one.stop === undefined || other.stop === undefined ? undefined : pick(one.stop, other.stop),
  };
}

type Side = 'buy' | 'sell';

/** The assumed minimum loss of a stop's fill beyond its trigger, bps: the market may jump over it. */
const leastGapBps = 10;
/** The cost of a fill where nothing else gives it, bps. */
const usualFeeBps = 3;
/** The cost of a liquidation beyond the margin's loss, bps. */
const liquidationBps = 60;

/** The side on which a position was opened. */
export function sideOf(held: Pick<Position, 'side'>): Side {
  return held.side === 'long' ? 'buy' : 'sell';
}

/** The position, if it is of this side. */
function heldOn({ held }: Stake, side: Side): Position | undefined {
  return held !== undefined && sideOf(held) === side ? held : undefined;
}

/** Orders that may still add on a side. */
function entriesOn({ entries }: Stake, side: Side): readonly Entry[] {
  return entries.filter((entry) => entry.side === side);
}

/**
 * The value of a side's position if everything that may add to it fills, USD: holdings at entry or mark, whichever is
 * more, and each order at its worst price. A position of the other side may be closed by then, so it offsets nothing.
 */
export function positionUsd(stake: Stake, side: Side): number {
  const held = heldOn(stake, side);
  const mark = stake.mark?.price ?? Number.NaN;
  const open = held === undefined ? 0 : held.size * Math.max(held.entry_price, mark);
  return entriesOn(stake, side).reduce((sum, { size, price }) => sum + size * price, open);
}

/** Whether the stop of an entry surely works once it fills, no matter what other stops there are. */
export function hasStop(stake: Stake, entry: Entry): boolean {
  const { stop, side, at, replaces } = entry;
  if (stop === undefined || !(side === 'buy' ? stop < at : stop > at)) return false;
  // Without permission to replace, it is left out if the position has several stops, and enlarges a single one.
  return replaces === true || stake.stops.every((set) => legsWork(set));
}

function legsWork(set: readonly Stop[]): boolean {
  const exits = set.filter(({ isExit }) => isExit);
  return exits.length === 0 || (exits.length === 1 && exits[0]!.isSure);
}

/** The worst-case size of the position that no stop surely closes, base asset. */
export function uncovered({ held, stops }: Stake): number {
  if (held === undefined) return 0;
  const covered = stops.map((set) => set.reduce((sum, { size, isSure }) => (isSure ? sum + size : sum), 0));
  return Math.max(0, held.size - Math.min(...covered));
}

/**
 * The worst-case distance of a stop from the price at which its position was or may be opened, as a share of that; 0
 * without stops. `onlyOwn`: only as far as the judged write is concerned.
 */
export function stopDistance(stake: Stake, side: Side, onlyOwn = false): number {
  const held = heldOn(stake, side);
  const entries = entriesOn(stake, side);
  const own = held === undefined ? [] : stake.stops.flat().filter(({ isSure }) => isSure);
  const away = (from: number, stop: number) => (side === 'buy' ? from - stop : stop - from) / from;
  const legs = entries.filter(({ stop }) => stop !== undefined);
  const distances: number[] = [0];
  const counts = (...parts: readonly Entry[]) => !onlyOwn || parts.some(({ isOwn }) => isOwn === true);
  for (const entry of entries) {
    for (const leg of legs) if (counts(entry, leg)) distances.push(away(entry.at, leg.stop!));
    if (entry.replaces !== true && counts(entry)) for (const { price } of own) distances.push(away(entry.at, price));
  }
  if (held !== undefined) {
    for (const leg of legs) if (counts(leg)) distances.push(away(held.entry_price, leg.stop!));
    if (!onlyOwn) for (const { price } of own) distances.push(away(held.entry_price, price));
  }
  return Math.max(...distances);
}

/** A part of a position, and its possible loss. */
interface Part {
  readonly size: number;
  /** Its current value, or its purchase value. */
  readonly price: number;
  /** It is covered by the stops. */
  readonly isCovered: boolean;
  /** The addition to the margin of an isolated position, USD; undefined if it isn't isolated. */
  readonly margin: number | undefined;
  /** It still pays for its own fill. */
  readonly isNew: boolean;
  readonly isOwn: boolean;
}

/**
 * A side's worst-case loss from now, USD: each part down to the farthest of all stops that may be in force, with both
 * fees and the slippage of a stop beyond its trigger; without a stop, all of it. An isolated position loses at most its
 * margin, together with everything that adds to it. Infinity: nothing limits it. `onlyOwn`: the part of the write that
 * is judged.
 */
export function lossUsd(stake: Stake, side: Side, onlyOwn = false): number {
  const held = heldOn(stake, side);
  const entries = entriesOn(stake, side);
  const legs = entries.filter((entry) => hasStop(stake, entry)).map(({ stop }) => stop!);
  const own = held === undefined ? [] : stake.stops.flat().filter(({ isSure }) => isSure);
  const stops = [...legs, ...own.map(({ price }) => price)];
  const farthest = side === 'buy' ? Math.min(...stops) : Math.max(...stops);
  const parts = [
    ...(held === undefined ? [] : heldParts(stake, held)),
    ...entries.map((entry) => partOf(stake, entry)),
  ];
  const counted = onlyOwn ? parts.filter(({ isOwn }) => isOwn) : parts;
  const costs = costsIn(stake);
  const atStop = (some: readonly Part[]) => some.reduce((sum, part) => sum + atStopOf(part, side, farthest, costs), 0);
  const isIsolated = ({ margin }: Part) => margin !== undefined;
  const margins = parts.reduce((sum, part) => sum + atMarginOf(part, costs), 0);
  const fees = counted.reduce(
    (sum, { isNew, size, price }) => sum + (isNew ? (size * price * costs.feeBps) / 1e4 : 0),
    0,
  );
  const alone = counted.filter(isIsolated);
  const isolated = alone.length === 0 ? 0 : Math.min(atStop(alone), margins);
  return fees + isolated + atStop(counted.filter((part) => !isIsolated(part)));
}

function partOf(stake: Stake, entry: Entry): Part {
  const { size, from: price, leverage, isIsolated, isOwn = false } = entry;
  const margin = isIsolated ? (size * entry.price) / leverage : undefined;
  return { size, price, isCovered: hasStop(stake, entry), margin, isNew: true, isOwn };
}

function heldParts(stake: Stake, held: Position): Part[] {
  const { size, entry_price, leverage, margin_mode, isolated_margin_extra } = held;
  const price = stake.mark?.price ?? Number.NaN;
  const open = uncovered(stake);
  const profit = Number.isFinite(price) && isSound(held) ? moneyToNumber(profitOf(held, price)) / size : Number.NaN;
  const marginOf = (lots: number) =>
    margin_mode === 'isolated'
      ? Math.max(0, lots * (entry_price / leverage + profit) + (isolated_margin_extra * lots) / size)
      : undefined;
  const part = (lots: number, isCovered: boolean): Part => {
    return { size: lots, price, isCovered, margin: marginOf(lots), isNew: false, isOwn: false };
  };
  return [part(size - open, true), part(open, false)].filter((one) => one.size !== 0);
}

/** The cost of a fill, bps, and the slippage of a stop beyond its trigger, bps and a fixed part. */
interface Costs {
  readonly feeBps: number;
  readonly gapBps: number;
  readonly gap: number;
}

function costsIn({ mark }: Stake): Costs {
  return {
    feeBps: mark?.feeBps ?? usualFeeBps,
    gapBps: Math.max(leastGapBps, mark?.gapBps ?? 0),
    // Marks are multiples of half a tick.
    gap: (mark?.tick ?? 0) / 2,
  };
}

function atStopOf({ size, price, isCovered }: Part, side: Side, stop: number, costs: Costs): number {
  if (!isCovered) return side === 'buy' ? size * price : Number.POSITIVE_INFINITY;
  const gap = (stop * costs.gapBps) / 1e4 + costs.gap;
  const fee = ((stop + gap) * costs.feeBps) / 1e4;
  return size * (Math.max(0, side === 'buy' ? price - stop : stop - price) + gap + fee);
}

function atMarginOf({ size, price, margin }: Part, { feeBps }: Costs): number {
  return margin === undefined ? 0 : margin + (size * price * (liquidationBps + feeBps)) / 1e4;
}
