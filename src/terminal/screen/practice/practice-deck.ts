import { exitCodes } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { stretch } from '../../../base/text/format.ts';
import { fitted, type Row, toned, widthOf } from '../../console/charts/cells.ts';
import { type PracticeAct, practiceKeys } from '../../console/settings/own-keys.ts';
import type { Key } from '../../console/terminal/input-reader.ts';
import { reported } from '../running-command.ts';
import type { Deck, DeckScreen, Runner } from '../view.ts';
import { clockText, endText, type PracticeRun, wayOut } from './practice-run.ts';

/** The market's speed as a multiple of real time. */
export const speeds: readonly number[] = [0.25, 0.5, 1, 2, 5, 10, 25, 50, 100];

/** How often the clock moves, ms. */
const tickMs = 25;
/** A clock that was delayed for longer, as by a suspended process, doesn't catch up. */
const mostTickMs = 250;
/** While the clock runs to a time at full speed: how long it may work before others get a turn, ms. */
const workMs = 20;
const shortestStretchMs = 100;

/** The clock of a practice on the live screen: its row, its keys, and its typed lines. */
export class PracticeDeck implements Deck {
  readonly keys = [
    ['space', 'run or pause the market'],
    ['.', 'to the next event of the market'],
    ['- +', `slower, faster: ${speeds[0]} to ${speeds.at(-1)} times real time`],
    ['N', 'to the next day; also :go 5m'],
    ['M R', 'bookmark this moment; back to a bookmark, with the account as then'],
    [':leave', 'without the report; perp practice --continue goes on'],
  ] as const;
  readonly #run: PracticeRun;
  speed: number;
  #isGoing = false;
  /** The time to go to as fast as possible. */
  #goal: number | undefined;
  #lastTick = 0;
  /** The remainder of a millisecond at slow speeds. */
  #rest = 0;
  #timer: NodeJS.Timeout | undefined;
  #screen: DeckScreen | undefined;
  /** The bookmark to return to, because the screen ended for that. */
  wantedBookmark: ReturnType<PracticeRun['bookmarkNamed']> | undefined;

  /** What typed lines do, by their first word. */
  readonly #lines: Readonly<Record<string, (words: readonly string[]) => void>> = {
    bookmark: ([, name]) => this.#screen?.say(this.#run.bookmark(name)),
    back: ([, name]) => {
      this.wantedBookmark = this.#run.bookmarkNamed(name);
      this.#end();
    },
    leave: () => {
      this.#run.leave();
      this.#end();
    },
    go: (words) => this.#goTo(words),
    next: (words) => this.#goTo(words),
  };
  readonly #acts: Readonly<Record<PracticeAct, () => void>> = {
    toggle: () => this.#toggle(),
    step: () => this.#step(),
    faster: () => this.#shift(1),
    slower: () => this.#shift(-1),
    nextDay: () => this.#goTo(['next']),
    bookmark: () => this.#screen?.say(this.#run.bookmark()),
    // Types the line that returns to the latest bookmark: returning discards everything after it.
    back: () => this.#screen?.type(`back ${this.#run.bookmarkNamed(undefined).name}`),
  };

  constructor(run: PracticeRun, speed: number) {
    this.#run = run;
    this.speed = speed;
  }

  open(screen: DeckScreen): void {
    this.#screen = screen;
    screen.model.takeTime(this.#run.practice.time);
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isGoing = false;
    this.#goal = undefined;
  }

  row(width: number): Row {
    const { practice, day, days, chosen } = this.#run;
    const { over } = practice;
    const state = over !== null ? 'OVER' : this.#goal !== undefined ? 'FORWARD' : this.#isGoing ? 'GOING' : 'PAUSED';
    // In disguise, the length would reveal the source.
    const isHidden = chosen.disguise !== undefined;
    const left = isHidden ? '' : `, ends in ${stretch(Math.max(1_000, practice.until - practice.time))}`;
    const date = `  day ${day}${isHidden ? '' : ` of ${days}`}`;
    const end = over === null ? left : '';
    const speed = `  ${this.speed}x`;
    const text = `PRACTICE ${state} ${clockText(practice.time)}`;
    const [words, letters] = over === null ? keyHints : ['', ''];
    const ways = [date + end + speed + words, date + end + speed + letters, date + speed + letters, date + speed];
    const shown = ways.find((one) => widthOf(text + one) <= width) ?? speed;
    return fitted([toned(text, over !== null || !this.#isGoing ? 'warn' : 'good'), toned(shown, 'strong')], width);
  }

  press({ name }: Key): boolean {
    if (!Object.hasOwn(practiceKeys, name)) return false;
    try {
      this.#acts[practiceKeys[name as keyof typeof practiceKeys]]();
    } catch (error) {
      this.#screen?.say(factsOf(error).message);
    }
    return true;
  }

  runnerOf(line: string): Runner | undefined {
    const words = line.trim().split(/\s+/);
    if (!Object.hasOwn(this.#lines, words[0]!)) return undefined;
    return async (_, __, ___, terminal) => {
      try {
        this.#lines[words[0]!]!(words);
        return exitCodes.done;
      } catch (error) {
        return reported(error, terminal);
      }
    };
  }

  #toggle(): void {
    const { over } = this.#run.practice;
    if (over !== null) {
      this.#screen?.say(`${endText(over)} ${wayOut.screen}.`);
      return;
    }
    const isMoving = this.#isGoing || this.#goal !== undefined;
    this.#stop();
    if (isMoving) return;
    this.#isGoing = true;
    this.#lastTick = performance.now();
  }

  #step(): void {
    const { practice } = this.#run;
    this.#stop();
    this.#advance(practice.nextEventAt(this.#screen!.model.chosen.market_id) ?? practice.until);
  }

  #shift(by: 1 | -1): void {
    const at = speeds.findIndex((speed) => speed >= this.speed);
    const isListed = speeds[at] === this.speed;
    const step = isListed ? by : by > 0 ? 0 : -1;
    this.speed = speeds[Math.max(0, Math.min(speeds.length - 1, at + step))]!;
    this.#rest = 0;
  }

  #goTo(words: readonly string[]): void {
    this.#stop();
    this.#goal = Math.min(this.#run.practice.until, this.#run.goalOf(words));
  }

  #end(): void {
    this.#stop();
    this.#screen?.end();
  }

  #stop(): void {
    this.#isGoing = false;
    this.#goal = undefined;
    this.#rest = 0;
  }

  #tick(): void {
    if (this.#goal !== undefined) this.#hurry(this.#goal);
    if (!this.#isGoing) return;
    const now = performance.now();
    const passed = Math.min(mostTickMs, now - this.#lastTick) * this.speed + this.#rest;
    this.#lastTick = now;
    this.#rest = passed - Math.floor(passed);
    this.#advance(this.#run.practice.time + Math.floor(passed));
  }

  /** As close to the goal as one turn allows. */
  #hurry(goal: number): void {
    const startedAt = performance.now();
    let stretchMs = shortestStretchMs;
    while (this.#goal === goal && performance.now() - startedAt < workMs) {
      const { time } = this.#run.practice;
      if (time >= goal) {
        this.#goal = undefined;
        this.#screen?.say(`Stands at ${clockText(time)}.`);
        break;
      }
      this.#advance(Math.min(goal, time + stretchMs));
      stretchMs *= 2;
    }
  }

  /** Moves the clock, at most to the end of the day, where it stops. */
  #advance(to: number): void {
    const run = this.#run;
    const { day, nextDayStart } = run;
    const over = run.practice.advance(Math.min(to, nextDayStart));
    this.#screen?.model.takeTime(run.practice.time);
    if (over !== null) {
      this.#stop();
      this.#screen?.say(`${endText(over)} ${wayOut.screen}.`);
    } else if (run.day !== day) {
      this.#stop();
      this.#screen?.say(`Day ${day} is over. The account goes on; space starts day ${run.day}.`);
    }
    this.#screen?.changed();
  }
}

/** The keys in the row, as many words as there is room for. */
const keyHints: readonly [string, string] = [
  '  space go  . step  - + speed  M bookmark  R back  N day',
  '  space . - + M R N: ?',
];
