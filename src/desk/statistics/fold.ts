/** Unix milliseconds, or a length of time. */
type Ms = number;

/** An event inside a trade. Amounts are in the trade's unit: R, or USD. */
export interface TradeStep {
  /** Since its opening. */
  readonly after: Ms;
  /** Of equity, since the step before. */
  readonly change: number;
  /** The lowest equity since the step before, relative to equity at that step: zero or below. */
  readonly worst: number;
}

/** A trade as its effect on equity; the last step closes it. */
export interface Trade {
  /** From the opening of the trade before it. */
  readonly gap: Ms;
  readonly steps: readonly TradeStep[];
}

/** Trades as arrays: the fold reads nothing else. */
type TradeTable = ReturnType<typeof tableOfTrades>;

/** Puts trades into arrays. */
export function tableOfTrades(trades: readonly Trade[]) {
  const steps = trades.flatMap((trade) => trade.steps);
  const first = new Int32Array(trades.length + 1);
  for (const [at, trade] of trades.entries()) first[at + 1] = first[at]! + trade.steps.length;
  return {
    count: trades.length,
    gap: Float64Array.from(trades, ({ gap }) => gap),
    /** Where the steps of each trade begin; one more than there are trades. */
    first,
    after: Float64Array.from(steps, ({ after }) => after),
    change: Float64Array.from(steps, ({ change }) => change),
    worst: Float64Array.from(steps, ({ worst }) => worst),
  };
}

/** The rules of a challenge (simulation 6.1), USD; null if it has no such rule. */
export interface ChallengeRules {
  /** The loss allowed from the equity at the start of a day. */
  readonly dailyLoss: number | null;
  /** The equity that must stay above it. */
  readonly drawdownFloor: number | null;
  /** The realized balance that passes. */
  readonly target: number | null;
  readonly minimumDays: number;
}

/** An account's state when its paths begin. */
export interface Start {
  readonly time: Ms;
  readonly equity: number;
  /** Equity at the start of the day. */
  readonly dayStart: number;
  readonly daysTraded: number;
  readonly hasTradedToday: boolean;
  /** The midnights of New York to come, in order; the last one ends the path. */
  readonly midnights: Float64Array;
  /** An open position: it ends as one of two trades of the table, as the first one with this chance. Sized 1. */
  readonly open: readonly { readonly first: number; readonly second: number; readonly chance: number }[];
}

/** The size of a trade: USD for each unit of it, and that for each USD of equity when it opens. */
export interface Size {
  readonly fixed: number;
  readonly share: number;
}

/** The next trade; -1 if there is none. `chance` decides about open trades. */
export interface Draws {
  next(): number;
  chance(): number;
}

/** How a path ended; `undecided`: no rule had ended it when time or trades ran out. */
export const ends = ['undecided', 'passed', 'daily-loss', 'maximum-drawdown'] as const;
/** One of them. */
export type PathEnd = (typeof ends)[number];

/** The end of one path. */
interface Path {
  /** Its place in {@link ends}. */
  end: 0 | 1 | 2 | 3;
  /** When it ended. */
  time: Ms;
  /** Midnights passed. */
  day: number;
  /** New trades opened. */
  trades: number;
}

/** The number of simultaneously open trades before more space is allocated. */
const room = 64;

/**
 * Open trades: the place of each one's next step, the end of its steps, when it opened, its size, and when the step is
 * due.
 */
class OpenTrades {
  count = 0;
  places = new Int32Array(room);
  dues = new Float64Array(room);
  sizes = new Float64Array(room);
  #untils = new Int32Array(room);
  #openings = new Float64Array(room);
  readonly #table: TradeTable;

  constructor(table: TradeTable) {
    this.#table = table;
  }

  add(trade: number, opened: Ms, size: number): void {
    const { first, after } = this.#table;
    const at = this.count;
    if (at === this.places.length) this.#grow();
    this.places[at] = first[trade]!;
    this.#untils[at] = first[trade + 1]!;
    this.#openings[at] = opened;
    this.sizes[at] = size;
    this.dues[at] = opened + after[first[trade]!]!;
    this.count = at + 1;
  }

  /** Advances a trade to its next step; false: it was the last one, and the trade is closed. */
  step(at: number): boolean {
    const place = this.places[at]! + 1;
    if (place < this.#untils[at]!) {
      this.places[at] = place;
      this.dues[at] = this.#openings[at]! + this.#table.after[place]!;
      return true;
    }
    const last = this.count - 1;
    this.count = last;
    if (at === last) return false;
    this.places[at] = this.places[last]!;
    this.#untils[at] = this.#untils[last]!;
    this.#openings[at] = this.#openings[last]!;
    this.sizes[at] = this.sizes[last]!;
    this.dues[at] = this.dues[last]!;
    return false;
  }

  #grow(): void {
    const twice = <T extends Int32Array | Float64Array>(column: T): T => {
      const grown = new (column.constructor as new (length: number) => T)(column.length * 2);
      grown.set(column);
      return grown;
    };
    this.places = twice(this.places);
    this.#untils = twice(this.#untils);
    this.#openings = twice(this.#openings);
    this.sizes = twice(this.sizes);
    this.dues = twice(this.dues);
  }
}

/**
 * Plays trades against the rules of a challenge, as the exchange does: equity is checked at every step and at the worst
 * inside it; the day's floor starts anew from equity at midnight, after what happens at that moment; the account passes
 * once its realized balance, with nothing open, reached the target on enough days with a fill.
 */
export class Fold {
  readonly path: Path = { end: 0, time: 0, day: 0, trades: 0 };
  readonly #table: TradeTable;
  readonly #open: OpenTrades;
  readonly #rules: ChallengeRules;
  readonly #start: Start;

  constructor(table: TradeTable, rules: ChallengeRules, start: Start) {
    this.#table = table;
    this.#open = new OpenTrades(table);
    this.#rules = rules;
    this.#start = start;
  }

  /** Plays one path; the answer is the same object each time. */
  run(draws: Draws, { fixed, share }: Size): Path {
    const { gap, change, worst } = this.#table;
    const { midnights, time } = this.#start;
    const { minimumDays } = this.#rules;
    const target = this.#rules.target ?? Number.POSITIVE_INFINITY;
    const allowance = this.#rules.dailyLoss ?? Number.POSITIVE_INFINITY;
    const floor = this.#rules.drawdownFloor ?? Number.NEGATIVE_INFINITY;
    const last = midnights.length - 1;
    let { equity, daysTraded } = this.#start;
    let daily = this.#start.dayStart - allowance;
    let [day, trades] = [0, 0];
    let midnight = midnights[0]!;
    let traded = this.#start.hasTradedToday ? 0 : -1;
    const open = this.#begin(draws);
    let next = draws.next();
    let opens = next < 0 ? Number.POSITIVE_INFINITY : time + gap[next]!;
    for (;;) {
      let which = -1;
      let due = opens;
      for (let at = 0; at < open.count; at += 1) {
        const its = open.dues[at]!;
        if (its > due || (its === due && which >= 0)) continue;
        which = at;
        due = its;
      }
      // A trade that opens at midnight belongs to the new day; any other event at midnight belongs to the old one.
      while ((due > midnight || (due === midnight && which < 0)) && day < last) {
        day += 1;
        midnight = midnights[day]!;
        daily = equity - allowance;
      }
      if (due > midnight || due === Number.POSITIVE_INFINITY) return this.#end(0, Math.min(due, midnight), day, trades);
      if (which < 0) {
        open.add(next, due, fixed + share * equity);
        trades += 1;
        if (traded !== day) daysTraded += 1;
        traded = day;
        next = draws.next();
        opens = next < 0 ? Number.POSITIVE_INFINITY : due + gap[next]!;
        continue;
      }
      const place = open.places[which]!;
      const units = open.sizes[which]!;
      const lowest = equity + units * worst[place]!;
      equity += units * change[place]!;
      const least = lowest < equity ? lowest : equity;
      if (least <= floor) return this.#end(3, due, day, trades);
      // At midnight, no day's floor is touched: the next one starts from the equity at that moment.
      if (least <= daily && due < midnight) return this.#end(2, due, day, trades);
      if (open.step(which)) continue;
      if (traded !== day) daysTraded += 1;
      traded = day;
      if (open.count === 0 && equity >= target && daysTraded >= minimumDays) return this.#end(1, due, day, trades);
    }
  }

  #begin(draws: Draws): OpenTrades {
    const open = this.#open;
    open.count = 0;
    for (const { first, second, chance } of this.#start.open)
      open.add(draws.chance() < chance ? first : second, this.#start.time, 1);
    return open;
  }

  #end(end: Path['end'], time: Ms, day: number, trades: number): Path {
    const { path } = this;
    path.end = end;
    path.time = time;
    path.day = day;
    path.trades = trades;
    return path;
  }
}
