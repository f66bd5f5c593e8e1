import { alarmsOf } from '../../desk/watch/challenge.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { RawTerminal } from '../terminal/raw-terminal.ts';

/** Rings the terminal's bell once for each alarm of any account. */
export class Bell {
  readonly #terminal: RawTerminal;
  readonly #given = new Set<string>();

  constructor(terminal: RawTerminal) {
    this.#terminal = terminal;
  }

  /** Whether there is an alarm for which it has not rung. */
  isDue(model: LiveModel): boolean {
    return this.#due(model).length > 0;
  }

  /** Looks for new alarms, and for what began to wait for the user; several at once ring once. */
  look(model: LiveModel, waiting: readonly string[] = []): void {
    const due = [...this.#due(model), ...waiting.filter((id) => !this.#given.has(id))];
    for (const key of due) this.#given.add(key);
    if (due.length > 0) this.ring();
  }

  ring(): void {
    this.#terminal.write('\u0007');
  }

  #due(model: LiveModel): string[] {
    return [...model.accounts.values()]
      .flatMap((state) => alarmsOf(state, model))
      .filter((key) => !this.#given.has(key));
  }
}
