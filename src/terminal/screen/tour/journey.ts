import { readRegularFile, writePrivateFile } from '../../../base/files/private-files.ts';
import { type Step, steps, type TourFacts } from './steps.ts';

/** How far the user has come on the tour; kept on disk, so that it can be taken up again. */
export class Journey {
  readonly #steps: readonly Step[];
  readonly #file: string;
  #at: number;
  #undone: string | undefined;
  #problem: string | undefined;

  /** `file` keeps it. `hasScreen`: whether there are keys to press. */
  constructor(file: string, hasScreen: boolean) {
    this.#file = file;
    this.#steps = steps.filter(({ task }) => hasScreen || task.kind !== 'key');
    const kept = steps.findIndex(({ name }) => name === keptIn(file));
    const left = steps.slice(Math.max(0, kept));
    this.#at = this.#steps.findIndex((step) => left.includes(step));
  }

  get step(): Step {
    return this.#steps[this.#at]!;
  }

  /** `3 of 9`. */
  get place(): string {
    return `${this.#at + 1} of ${this.#steps.length}`;
  }

  /** Every step was taken. */
  get isOver(): boolean {
    return this.#at === this.#steps.length - 1;
  }

  /** What was undone since this step was last taken. */
  get undone(): string | undefined {
    return this.#undone;
  }

  /** Why the step can't be kept for the next time; undefined if it is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Back to the first step. */
  restart(): void {
    this.#undone = undefined;
    this.#goTo(0);
  }

  /** The task of this step is done. */
  pass(): void {
    this.#undone = undefined;
    this.#goTo(Math.min(this.#at + 1, this.#steps.length - 1));
  }

  /** Goes on if the task's command has done its work, and back if the work of an earlier one is gone. */
  look(facts: TourFacts): void {
    if (this.isOver) return;
    for (const [at, { task }] of this.#steps.slice(0, this.#at).entries()) {
      if (task.kind !== 'command' || task.isDone(facts)) continue;
      this.#undone = task.undone;
      this.#goTo(at);
      return;
    }
    const { task } = this.step;
    if (task.kind === 'command' && task.isDone(facts)) this.pass();
  }

  #goTo(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    try {
      writePrivateFile(this.#file, `${JSON.stringify({ step: this.step.name })}\n`);
      this.#problem = undefined;
    } catch (error) {
      // A full disk ends nobody's tour.
      this.#problem = (error as Error).message;
    }
  }
}

function keptIn(file: string): string | undefined {
  try {
    const { step } = JSON.parse(readRegularFile(file, 1_000).text) as { step?: string };
    return step;
  } catch {
    // Not begun, or not readable: the tour begins at its start.
    return undefined;
  }
}
