import { copyFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { moveFile } from '../base/system/system.ts';
import type { MarketDefinition, Ms, Price } from '../exchange/engine/model.ts';
import type { MarketSource, Tape } from '../exchange/engine/source.ts';
import { type Disguise, disguised } from '../exchange/markets/disguise.ts';
import { Store } from '../exchange/store/store.ts';
import { blindSource } from '../venues/live/practice.ts';
import { type InProcess, inProcess } from './public.ts';
import { openOn } from './simulation/open.ts';
import type { SourceFacts } from './simulation/simulation.ts';
import { type Chosen, chooseSource, type SourceSetting } from './simulation/source.ts';
import { processFolder } from './state/process-folder.ts';
import { makeStateDirectory, stateFiles } from './state/state-directory.ts';

export { type Disguise, disguiseOf, disguises } from '../exchange/markets/disguise.ts';
export { timeOfDayOn } from '../venues/live/practice.ts';

/** The source to practice on: a tape, or the synthetic markets of a seed. */
export type PracticeBooks = { readonly tape: string } | { readonly seed: number };

/** Markets to practice on, opened; times are their own. */
export class PracticeMarkets {
  readonly #facts: SourceFacts;
  readonly setting: SourceSetting;

  private constructor({ facts, setting }: Chosen) {
    this.#facts = facts;
    this.setting = setting;
  }

  /** Throws a `RecordingError` or a `TapeError`. `stateDir`: the user's, where compiled recordings are kept. */
  static async open(stateDir: string, books: PracticeBooks): Promise<PracticeMarkets> {
    const from = 'tape' in books ? { books: books.tape } : { seed: books.seed };
    return new PracticeMarkets(await chooseSource({ stateDir, state: practiceState, ...from }, null));
  }

  get source(): MarketSource {
    return this.#facts.source;
  }

  get seed(): number {
    return this.#facts.seed;
  }

  /** The first and the last time of a tape; null: there are none. */
  get extent(): { firstTime: Ms; lastTime: Ms } | null {
    const { firstTime, lastTime } = this.#facts;
    return firstTime === null || lastTime === null ? null : { firstTime, lastTime };
  }

  /** The first time from `from` to `until` at which a market has a midpoint, and its price; null if there is none. */
  firstPrice(marketId: string, from: Ms, until: Ms): { time: Ms; price: Price } | null {
    const midAt = (time: Ms) => {
      const book = this.source.book(marketId, time);
      const [bid, ask] = [book?.bids[0], book?.asks[0]];
      return bid === undefined || ask === undefined ? null : { time, price: Math.round((bid + ask) / 2) };
    };
    const known = midAt(from);
    if (known !== null) return known;
    const tape = this.source.open(from);
    tape.watch(marketId, true);
    for (let event = tape.next(until); event !== null; event = tape.next(until)) {
      if (event.kind !== 'book' && event.kind !== 'delta') continue;
      const found = midAt(event.time);
      if (found !== null) return found;
    }
    return null;
  }

  close(): void {
    this.#facts.close();
  }
}

/** How to practice; times are the markets' own. */
export interface PracticeOptions {
  /** Its own folder. */
  readonly folder: string;
  /** The market that is shown. */
  readonly marketId: string;
  readonly from: Ms;
  readonly until: Ms;
  /** Hides the market's name, price and date. */
  readonly disguise?: Disguise | undefined;
  readonly plan?: string | undefined;
  readonly startingBalance?: number | undefined;
}

/** Why a practice can't continue. */
export type PracticeEnd = 'end' | 'failed' | 'passed' | 'trouble';

/** A named point to which a practice can return. */
export interface PracticeBookmark {
  readonly name: string;
  readonly time: Ms;
  readonly copy: string;
}

/** The state of a practice; with its folder and its options, it can continue from here. */
export interface PracticeMoment {
  readonly time: Ms;
  /** `file`: in the folder of the practice. */
  readonly bookmarks: readonly { readonly name: string; readonly time: Ms; readonly file: string }[];
  readonly copies: number;
}

const practiceState = 'practice';

/**
 * A private simulation whose time moves only on request. Its times, prices and names are the displayed ones: those of
 * the markets, or of their disguise. Nothing beyond its time can be read.
 */
export class Practice {
  readonly from: Ms;
  readonly until: Ms;
  /** Also reads ahead of the clock, only to find the next event's time. */
  readonly #ahead: MarketSource;
  readonly #chosen: Chosen;
  readonly #marketId: string;
  readonly #options: PracticeOptions;
  readonly #bookmarks = new Map<string, PracticeBookmark>();
  #opened!: InProcess;
  #now: Ms;
  #cursor: { tape: Tape; marketId: string; time: Ms } | undefined;
  #trouble: Error | undefined;
  #copies = 0;

  private constructor(markets: PracticeMarkets, options: PracticeOptions) {
    const { disguise } = options;
    const laterMs = disguise?.laterMs ?? 0;
    this.#options = options;
    this.#marketId = disguise?.shown.marketId ?? options.marketId;
    this.from = options.from - laterMs;
    this.until = options.until - laterMs;
    this.#now = this.from;
    this.#ahead = disguise === undefined ? markets.source : disguised(markets.source, disguise);
    const { extent, seed, setting } = markets;
    const blind = { now: () => this.#now };
    const facts: SourceFacts = {
      source: blindSource(this.#ahead, () => blind.now()),
      seed,
      firstTime: extent && extent.firstTime - laterMs,
      lastTime: extent && extent.lastTime - laterMs,
      blind,
      close() {},
    };
    this.#chosen = { facts, setting, start: this.from };
  }

  /** Starts with a new account, its clock standing still. */
  static async start(markets: PracticeMarkets, options: PracticeOptions): Promise<Practice> {
    const practice = new Practice(markets, options);
    await practice.#open();
    practice.bookmark('start');
    return practice;
  }

  /** Continues from a moment of an earlier one, whose folder this is. */
  static async resume(markets: PracticeMarkets, options: PracticeOptions, moment: PracticeMoment): Promise<Practice> {
    const practice = new Practice(markets, options);
    practice.#now = moment.time;
    practice.#copies = moment.copies;
    for (const { name, time, file } of moment.bookmarks)
      practice.#bookmarks.set(name, { name, time, copy: join(options.folder, file) });
    await practice.#open();
    return practice;
  }

  get time(): Ms {
    return this.#now;
  }

  /** Inputs of `resume`. */
  get moment(): PracticeMoment {
    const bookmarks = this.bookmarks.map(({ name, time, copy }) => ({ name, time, file: basename(copy) }));
    return { time: this.#now, bookmarks, copies: this.#copies };
  }

  /** Its API, until it goes back to a bookmark. */
  get api(): InProcess {
    return this.#opened;
  }

  /** The markets as shown. */
  get definitions(): readonly MarketDefinition[] {
    return this.#ahead.definitions;
  }

  /** Whether its prices are synthetic or recorded. */
  get source(): string {
    return this.#ahead.name;
  }

  /** Why the market can't be played any further. */
  get trouble(): Error | undefined {
    return this.#trouble;
  }

  get bookmarks(): readonly PracticeBookmark[] {
    return [...this.#bookmarks.values()];
  }

  /** Why it can't continue; null if it can. */
  get over(): PracticeEnd | null {
    if (this.#trouble !== undefined) return 'trouble';
    const [ended] = this.#opened.simulation.read(({ exchange }) => exchange.endedAccounts('live'));
    if (ended !== undefined) return ended.status === 'passed' ? 'passed' : 'failed';
    return this.#now >= this.until ? 'end' : null;
  }

  /**
   * Plays up to a time, at most to its end, and returns why it can't continue. It stays before data that can't be read.
   */
  advance(to: Ms): PracticeEnd | null {
    const { over: before } = this;
    if (before !== null) return before;
    const end = Math.min(this.until, Math.floor(to));
    // Open positions and orders may end the account, which stops the clock.
    let stretchMs = this.#isOpen ? stretches.shortest : stretches.longest;
    for (;;) {
      const sound = this.#now;
      try {
        this.#now = Math.max(sound, Math.min(end, sound + stretchMs));
        // Without orders, the exchange reads nothing of the market.
        this.#ahead.book(this.#marketId, this.#now);
        const { over } = this;
        if (over !== null || this.#now >= end) return over;
      } catch (error) {
        this.#now = sound;
        if (stretchMs === stretches.shortest) {
          this.#trouble = error as Error;
          return 'trouble';
        }
        stretchMs = stretches.shortest;
      }
    }
  }

  get #isOpen(): boolean {
    return this.#opened.simulation.read(({ exchange }) => {
      const { positions, orders, twaps, scaled } = exchange.openState();
      return positions.length + orders.length + twaps.length + scaled.length > 0;
    });
  }

  /** When the next book, change or print of a market comes; null if not before the end. */
  nextEventAt(marketId: string): Ms | null {
    try {
      return this.#peeked(marketId);
    } catch (error) {
      this.#trouble = error as Error;
      return null;
    }
  }

  #peeked(marketId: string): Ms | null {
    const known = this.#cursor;
    const isNear = known?.marketId === marketId && known.time <= this.#now && this.#now - known.time < cursorReachMs;
    if (!isNear) {
      const tape = this.#ahead.open(this.#now);
      tape.watch(marketId, true);
      this.#cursor = { tape, marketId, time: this.#now };
    }
    const { tape } = this.#cursor!;
    while (tape.next(this.#now) !== null);
    this.#cursor = { tape, marketId, time: this.#now };
    return tape.peek(this.until);
  }

  /** Stores the current state under a name; replaces a bookmark of that name. */
  bookmark(name: string): PracticeBookmark {
    // A bookmark being replaced may still be needed until its copy is complete.
    this.#copies += 1;
    const copy = this.#opened.simulation.store.backUp(`bookmark-${this.#copies}`);
    const bookmark = { name, time: this.#now, copy };
    // The one that was set last is the latest.
    this.#bookmarks.delete(name);
    this.#bookmarks.set(name, bookmark);
    return bookmark;
  }

  /**
   * Returns to a bookmark: the same market from the same time on, and the account as it was. Its API is another one.
   */
  async goBack({ time, copy }: PracticeBookmark): Promise<void> {
    this.#opened.close();
    const { database } = stateFiles(this.#options.folder, practiceState);
    Store.destroy(database);
    copyFileSync(copy, database);
    this.#now = time;
    this.#trouble = undefined;
    this.#cursor = undefined;
    await this.#open();
  }

  close(): void {
    this.#opened.close();
  }

  async #open(): Promise<void> {
    const { folder, plan, startingBalance } = this.#options;
    const options = { stateDir: folder, state: practiceState, plan, startingBalance, wall: () => this.#now };
    this.#opened = inProcess({ simulation: await openOn(this.#chosen, options) }, {});
  }
}

/** The step of the clock, ms: shortest while anything is open, or near unreadable data. */
const stretches = { shortest: 1_000, longest: 60_000 };
/** A cursor advances by playing; beyond this, another one is opened. */
const cursorReachMs = 60_000;

/**
 * A folder for one practice, or a copy of the folder of one that was left. Removes the leftovers of killed ones first.
 */
export function practiceFolder(stateDir: string, left?: string) {
  const root = join(stateDir, 'practice');
  makeStateDirectory(root);
  const { folder, unlock, remove } = processFolder(root, '', left);
  return {
    folder,
    remove,
    /** Stores it for another time, under this number. */
    leave(number: number) {
      unlock();
      moveFile(folder, join(root, `left-${number}`));
    },
  };
}

/** The folders of practices that were left, the latest first. */
export function leftFolders(stateDir: string): { folder: string; number: number }[] {
  const root = join(stateDir, 'practice');
  const names = (() => {
    try {
      return readdirSync(root);
    } catch {
      return [];
    }
  })();
  return names
    .flatMap((name) => {
      const [, number] = /^left-(\d{1,9})$/.exec(name) ?? [];
      return number === undefined ? [] : [{ folder: join(root, name), number: Number(number) }];
    })
    .sort((one, other) => other.number - one.number);
}
