import type { Position } from '../../wire/contract/positions.ts';
import type { Mark } from '../risk/path-account.ts';

/** A possible addition to a position: a working order, a TWAP's rest, or a write's possible result. */
export interface Entry {
  /** Of the order or the TWAP; empty for one that has none yet. */
  readonly id: string;
  readonly market: string;
  readonly side: 'buy' | 'sell';
  /** Base asset. */
  readonly size: number;
  /** The price at which its value is counted, USD: the highest at which it may fill. */
  readonly price: number;
  /** The price from which its loss is counted: the worst at which it may fill. */
  readonly from: number;
  /** The price from which its stop is measured: its limit, its trigger, or the mark. */
  readonly at: number;
  /** The price of the stop that its first fill attaches. */
  readonly stop: number | undefined;
  /** Whether its stop replaces those of the position; undefined: unknown. */
  readonly replaces: boolean | undefined;
  /** Some of it has filled. */
  readonly isBegun: boolean;
  /** It is of the write that is judged. */
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
  /** Which stops work, in every way in which the writes in progress may end. */
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
  /** It surely only makes what is at stake smaller, or leaves it as it is. */
  readonly reduces: boolean;
  /** How many orders it counts as. */
  readonly orders: number;
  /** The markets that it is about; empty: not known. */
  readonly markets: readonly string[];
  /** It is about every market, also those of orders that are not there yet. */
  readonly isEverywhere?: boolean;
  /** The size it may add; one with the id of a working order takes its place. */
  readonly entries: readonly Entry[];
  /** Those of its entries that were there before are changed only in their stops. */
  readonly onlyStops?: boolean;
  /** It says what is left of an order from then on: what fills before it arrives comes on top. */
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

/** Everything that is worse of two versions of one order. */
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
