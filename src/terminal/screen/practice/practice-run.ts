import { usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { nextTradingDayStart } from '../../../base/terms/day.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { parseDuration } from '../../../desk/values/times.ts';
import type { Chosen } from './choose.ts';

type Practice = Awaited<ReturnType<typeof import('../../../service/practice.ts')['Practice']['start']>>;
type Bookmark = Practice['bookmarks'][number];

const bookmarkName = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;
/** The bookmark at the start, which every practice has. */
const startName = 'start';

/** A practice in progress: its market, its days, its bookmarks. Times are the displayed ones. */
export class PracticeRun {
  readonly practice: Practice;
  readonly chosen: Chosen;
  /** The number of returns to a bookmark. */
  restarts: number;
  /** It is stored for another time. */
  isLeft = false;
  readonly #dayStarts: readonly number[];
  readonly #keep: (run: PracticeRun) => void;

  /** `keep` stores the state needed to continue another time. */
  constructor(practice: Practice, chosen: Chosen, keep: (run: PracticeRun) => void, restarts = 0) {
    this.practice = practice;
    this.chosen = chosen;
    this.restarts = restarts;
    this.#keep = keep;
    const starts = [practice.from];
    for (let at = nextTradingDayStart(practice.from); at < practice.until; at = nextTradingDayStart(at))
      starts.push(at);
    this.#dayStarts = starts;
  }

  /** The number of the day, from 1. */
  get day(): number {
    return this.#dayStarts.findLastIndex((start) => start <= this.practice.time) + 1;
  }

  get days(): number {
    return this.#dayStarts.length;
  }

  /** When the next day starts, or the practice ends. */
  get nextDayStart(): number {
    return this.#dayStarts[this.day] ?? this.practice.until;
  }

  /** The market's own time for a displayed time. */
  realTime(shown: number): number {
    return shown + (this.chosen.disguise?.laterMs ?? 0);
  }

  /** Bookmarks this moment, for later practices too; the text says if that fails. */
  bookmark(name = this.#freshName()): string {
    if (!bookmarkName.test(name) || name === startName)
      throw usageFailure(
        `A bookmark can't be named ${quoted(name)}.`,
        'Use letters, digits, dots, dashes and underscores; start is taken.',
      );
    const { time } = this.practice.bookmark(name);
    const said = `Bookmark ${name} at ${clockText(time)}.`;
    try {
      this.chosen.bookmarks.add(name, this.realTime(time));
      return said;
    } catch (error) {
      // The error of a file may name what is hidden.
      const why = this.chosen.disguise === undefined ? `: ${factsOf(error).message}` : '.';
      return `${said} It can't be kept for later${why}`;
    }
  }

  /** The bookmark of this name; without one, the latest. */
  bookmarkNamed(name: string | undefined): Bookmark {
    const { bookmarks } = this.practice;
    const bookmark = name === undefined ? bookmarks.at(-1) : bookmarks.find((one) => one.name === name);
    if (bookmark !== undefined) return bookmark;
    throw usageFailure(
      `There is no bookmark ${quoted(name ?? '')} in this practice.`,
      `There is ${bookmarks.map((one) => one.name).join(', ')}.`,
    );
  }

  /** Ends it without a report, so that it can continue another time. */
  leave(): void {
    const { over } = this.practice;
    if (over !== null) throw usageFailure(endText(over), 'There is only the report left: quit.');
    this.#keep(this);
    this.isLeft = true;
  }

  async goBack(bookmark: Bookmark): Promise<void> {
    this.restarts += 1;
    await this.practice.goBack(bookmark);
  }

  /** The time to go to: after a duration, or at the next day. */
  goalOf(words: readonly string[]): number {
    const [first, ...others] = words;
    if (first === 'next' && others.length === 0) return this.nextDayStart;
    if (first !== 'go' || others.length !== 1) throw usageFailure('Write go 5m, or next.');
    return this.practice.time + parseDuration(others[0]!, 'The time to go on');
  }

  #freshName(): string {
    const taken = new Set([...this.practice.bookmarks.map(({ name }) => name), ...this.#kept()]);
    for (let number = 1; ; number++) if (!taken.has(`b${number}`)) return `b${number}`;
  }

  #kept(): string[] {
    try {
      return Object.keys(this.chosen.bookmarks.all());
    } catch {
      return [];
    }
  }
}

/** A time of day with milliseconds: `14:30:05.250`. */
export function clockText(time: number): string {
  return new Date(time).toISOString().slice(11, 23);
}

/** What to do when a practice can't continue. */
export const wayOut = {
  screen: 'Press q for the report, R to go back to a bookmark',
  lines: 'Write quit for the report, back to go back to a bookmark',
} as const;

/** Why a practice can't continue, in words. */
export function endText(end: NonNullable<Practice['over']>): string {
  return {
    end: 'This is the end of the practice.',
    failed: 'The challenge has failed.',
    passed: 'The challenge is passed.',
    trouble: "The market can't be read from here on.",
  }[end];
}
