import { exitCodes } from '../../../base/failure/failure.ts';
import { factsOf, failureReport } from '../../../base/failure/report.ts';
import { stretch } from '../../../base/text/format.ts';
import { fitted, type Row, toned, widthOf } from '../../console/charts/cells.ts';
import { type PracticeAct, practiceKeys } from '../../console/settings/own-keys.ts';
import type { Key } from '../../console/terminal/input-reader.ts';
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
  #speed: number;
  #isGoing = false;
  /** The time to go to as fast as possible. */
  #goal: number | undefined;
  #lastTick = 0;
  /** The remainder of a millisecond at slow speeds. */
  #rest = 0;
  #timer: NodeJS.Timeout | undefined;
  #screen: DeckScreen | undefined;
  /** The bookmark to return to, because the screen ended for that. */
  #wanted: ReturnType<PracticeRun['bookmarkNamed']> | undefined;

  constructor(run: PracticeRun, speed: number) {
    this.#run = run;
    this.#speed = speed;
  }

  get speed(): number {
    return this.#speed;
  }

  get wantedBookmark(): ReturnType<PracticeRun['bookmarkNamed']> | undefined {
    return this.#wanted;
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
    const speed = `  ${this.#speed}x`;
    const text = `PRACTICE ${state} ${clockText(practice.time)}`;
    const [words, letters] = over === null ? keyHints : ['', ''];
    const ways = [date + end + speed + words, date + end + speed + letters, date + speed + letters, date + speed];
    const shown = ways.find((one) => widthOf(text + one) <= width) ?? speed;
    return fitted([toned(text, over !== null || !this.#isGoing ? 'warn' : 'good'), toned(shown, 'strong')], width);
  }

  press({ name }: Key): boolean {
    if (!Object.hasOwn(practiceKeys, name)) return false;
    try {
      acts[practiceKeys[name as keyof typeof practiceKeys]](this);
    } catch (error) {
      this.#screen?.say(factsOf(error).message);
    }
    return true;
  }

  runnerOf(line: string): Runner | undefined {
    const words = line.trim().split(/\s+/);
    const run = typed.get(words[0]!);
    if (run === undefined) return undefined;
    return async (_, __, ___, terminal) => {
      try {
        run(this, words);
        return exitCodes.done;
      } catch (error) {
        const facts = factsOf(error);
        terminal.print(failureReport(facts, false, terminal.columns));
        return facts.exit;
      }
    };
  }

  toggle(): void {
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

  step(): void {
    const { practice } = this.#run;
    this.#stop();
    this.#advance(practice.nextEventAt(this.#screen!.model.chosen.market_id) ?? practice.until);
  }

  shift(by: 1 | -1): void {
    const at = speeds.findIndex((speed) => speed >= this.#speed);
    const isListed = speeds[at] === this.#speed;
    const step = isListed ? by : by > 0 ? 0 : -1;
    this.#speed = speeds[Math.max(0, Math.min(speeds.length - 1, at + step))]!;
    this.#rest = 0;
  }

  bookmark(name?: string): void {
    this.#screen?.say(this.#run.bookmark(name));
  }

  /** Types the line that returns to the latest bookmark: returning discards everything after it. */
  askBack(): void {
    this.#screen?.type(`back ${this.#run.bookmarkNamed(undefined).name}`);
  }

  back(name: string | undefined): void {
    this.#wanted = this.#run.bookmarkNamed(name);
    this.#stop();
    this.#screen?.end();
  }

  leave(): void {
    this.#run.leave();
    this.#stop();
    this.#screen?.end();
  }

  goTo(words: readonly string[]): void {
    this.#stop();
    this.#goal = Math.min(this.#run.practice.until, this.#run.goalOf(words));
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
    const passed = Math.min(mostTickMs, now - this.#lastTick) * this.#speed + this.#rest;
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

const acts: Readonly<Record<PracticeAct, (deck: PracticeDeck) => void>> = {
  toggle: (deck) => deck.toggle(),
  step: (deck) => deck.step(),
  faster: (deck) => deck.shift(1),
  slower: (deck) => deck.shift(-1),
  nextDay: (deck) => deck.goTo(['next']),
  bookmark: (deck) => deck.bookmark(),
  back: (deck) => deck.askBack(),
};

const typed: ReadonlyMap<string, (deck: PracticeDeck, words: readonly string[]) => void> = new Map([
  ['bookmark', (deck, [, name]) => deck.bookmark(name)],
  ['back', (deck, [, name]) => deck.back(name)],
  ['leave', (deck) => deck.leave()],
  ['go', (deck, words) => deck.goTo(words)],
  ['next', (deck, words) => deck.goTo(words)],
]);
