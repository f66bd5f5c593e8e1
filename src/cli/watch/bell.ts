import { warningsOf } from '../../desk/watch/challenge.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { RawTerminal } from '../terminal/raw-terminal.ts';

/** Rings the terminal's bell once for each warning of any account. */
export class Bell {
  readonly #terminal: RawTerminal;
  readonly #given = new Set<string>();

  constructor(terminal: RawTerminal) {
    this.#terminal = terminal;
  }

  /** Looks for new warnings; several at once ring once. */
  look(model: LiveModel): void {
    const due = [...model.accounts.values()].flatMap((state) => warningsOf(state, model));
    const fresh = due.filter((key) => !this.#given.has(key));
    for (const key of fresh) this.#given.add(key);
    if (fresh.length > 0) this.ring();
  }

  ring(): void {
    this.#terminal.write('\u0007');
  }
}
