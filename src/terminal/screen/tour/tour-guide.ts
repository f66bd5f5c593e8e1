import { wrap } from '../../../base/text/plain-text.ts';
import type { LiveModel } from '../../../desk/watch/live-model.ts';
import { type Row, toned } from '../../console/charts/cells.ts';
import type { Glyphs } from '../../console/charts/glyphs.ts';
import type { Key } from '../../console/terminal/input-reader.ts';
import { meaningOfKey } from '../help-page.ts';
import type { ScreenSize } from '../panels.ts';
import type { KeyEffect, ScreenGuide, ScreenView } from '../view.ts';
import { type Journey, type Task, type TourFacts, tourFacts } from './steps.ts';

/** The next thing to do (press a key, or type a text) and a word about it. */
interface Prompt {
  readonly act: 'Press' | 'Type';
  readonly what: string;
  readonly remark: string;
}

/** How keys are written, where that is not their name. */
const keyNames: Readonly<Record<string, string>> = { return: 'Enter', enter: 'Enter', escape: 'Escape', ' ': 'Space' };

/** The tour on the live screen: each step waits until what it asks for has really happened. */
export class TourGuide implements ScreenGuide {
  readonly #journey: Journey;
  #facts: TourFacts | undefined;
  /** A message about the last key. */
  #answer: string | undefined;

  constructor(journey: Journey) {
    this.#journey = journey;
  }

  look({ account: state }: LiveModel, view: ScreenView): void {
    if (state === undefined) return;
    this.#facts = tourFacts(state.account, [...state.positions.values()], [...state.orders.values()]);
    const { task } = this.#journey.step;
    if (task.kind === 'key' && task.isDone(view)) this.#journey.pass();
    // While a command is typed or asked about, nothing on the screen jumps.
    if (view.dialog === undefined) this.#journey.look(this.#facts);
  }

  admits(key: Key, view: ScreenView, { view: next, action }: KeyEffect): boolean {
    this.#answer = undefined;
    if (key.ctrl || view.dialog !== undefined || view.mode === 'help') return true;
    const { what } = this.#prompt(view);
    const name = keyNames[key.name] ?? key.name;
    const { step, isOver } = this.#journey;
    if (name === what) {
      if (step.task.kind !== 'read' || isOver || this.#facts === undefined) return true;
      this.#journey.pass();
      return false;
    }
    const isTrade = action?.kind === 'trade';
    const hasEffect = action !== undefined || next.isTrading !== view.isTrading || next.mode !== view.mode;
    if (isOver || (hasEffect && !isTrade) || next.selected !== view.selected || next.ladder !== view.ladder)
      return true;
    const meaning = meaningOfKey(key.name, isTrade);
    this.#answer = `${name}${meaning === undefined ? ' does nothing here' : `: ${meaning}`}. Not now: the tour waits for ${what}.`;
    return false;
  }

  rows(view: ScreenView, { columns, rows }: ScreenSize, { level }: Glyphs): Row[] {
    const { step, place, undone, isOver } = this.#journey;
    const { act, what, remark } = this.#prompt(view);
    const lines = (text: string) => wrap(text, columns, '').split('\n');
    const task = lines(`${act}: ${what}${remark === '' ? '' : `   ${remark}`}`).map(
      (text): Row => [toned(text, 'warn')],
    );
    const answer = this.#answer === undefined ? [] : lines(this.#answer).map((text): Row => [toned(text, 'bad')]);
    const end: Row[] = [[toned(level.repeat(columns), 'faint')]];
    const below = [...task, ...answer, ...end];
    if (view.dialog !== undefined) return [...task, ...end];
    const text = [
      ...(undone === undefined ? [] : lines(undone)),
      ...(this.#facts === undefined ? ['Waiting for the simulation.'] : lines(step.text(this.#facts))),
    ];
    const head: Row = [toned(`Tour, ${isOver ? 'done' : place}: ${step.name}`, 'strong')];
    const room = Math.max(0, rows - below.length - 1);
    return [head, ...text.slice(0, room).map((line): Row => [line]), ...below];
  }

  /** The step's condition, as far as it is met. */
  #prompt({ dialog, isTrading, mode }: ScreenView): Prompt {
    const { step, isOver } = this.#journey;
    const { task } = step;
    const press = (what: string, remark = ''): Prompt => ({ act: 'Press', what, remark });
    if (this.#facts?.account.status !== 'active' && this.#facts !== undefined)
      return press('q', 'The account has ended: leave, and begin again with perp tour --restart.');
    if (dialog?.stage === 'running') return { act: 'Press', what: 'nothing', remark: 'The answer is on its way.' };
    if (dialog?.stage === 'asking') return press('y', 'Read the preview first; any other key sends nothing.');
    if (dialog?.stage === 'done') return press('Enter', 'Read the outcome.');
    if (dialog !== undefined) return typing(task, dialog.text);
    if (mode === 'help') return press('Enter', 'It closes this page.');
    if (isOver) return press('q', 'It leaves the tour. Until then, every key works.');
    if (task.kind === 'read') return press('Enter');
    if (task.kind === 'key') return press(task.key);
    return isTrading ? press(task.key) : press('t', 'The trading keys are off.');
  }
}

/** The text to type into the line that a step's key has begun. */
function typing(task: Task, text: string): Prompt {
  if (task.kind !== 'command') return { act: 'Press', what: 'Escape', remark: 'This step needs no command.' };
  const typed = text.slice(text.lastIndexOf(' ') + 1);
  if (typed === task.typed)
    return { act: 'Press', what: 'Enter', remark: 'It shows the preview; nothing is sent yet.' };
  if (task.typed.startsWith(typed)) return { act: 'Type', what: task.typed, remark: '' };
  return { act: 'Type', what: task.typed, remark: `In place of ${typed}: Backspace deletes, Escape starts over.` };
}
