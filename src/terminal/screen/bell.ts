import type { LiveModel } from '../../desk/watch/live-model.ts';
import { NewAlarms } from '../../desk/watch/new-alarms.ts';
import type { RawTerminal } from '../console/terminal/raw-terminal.ts';

/** Rings the terminal's bell once for each alarm of any account. */
export class Bell {
  readonly #terminal: RawTerminal;
  readonly #alarms = new NewAlarms();
  /** What it has rung for because it waits. */
  readonly #waiting = new Set<string>();

  constructor(terminal: RawTerminal) {
    this.#terminal = terminal;
  }

  /** Whether there is an alarm for which it has not rung. */
  isDue(model: LiveModel): boolean {
    return this.#alarms.areDue(model.accounts.values(), model);
  }

  /** Looks for new alarms, and for what began to wait for the user; several at once ring once. */
  look(model: LiveModel, waiting: readonly string[] = []): void {
    const isNew = this.#alarms.tell(model.accounts.values(), model);
    const begun = waiting.filter((id) => !this.#waiting.has(id));
    for (const id of begun) this.#waiting.add(id);
    if (isNew || begun.length > 0) this.ring();
  }

  ring(): void {
    this.#terminal.write('\u0007');
  }
}
