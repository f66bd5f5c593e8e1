import type { OpenAccount } from '../account/account-state.ts';
import { alarmsOf } from './challenge.ts';
import type { LiveModel } from './live-model.ts';

/** Reports each alarm once, no matter how often its share of a floor is crossed again. */
export class NewAlarms {
  readonly #told = new Set<string>();

  /** Whether there is an unreported alarm of these accounts. */
  areDue(accounts: Iterable<OpenAccount>, model: LiveModel): boolean {
    return this.#due(accounts, model).length > 0;
  }

  /** Marks the alarms of these accounts as reported; returns whether one of them is new. */
  tell(accounts: Iterable<OpenAccount>, model: LiveModel): boolean {
    const due = this.#due(accounts, model);
    for (const key of due) this.#told.add(key);
    return due.length > 0;
  }

  #due(accounts: Iterable<OpenAccount>, model: LiveModel): string[] {
    return [...accounts].flatMap((state) => alarmsOf(state, model)).filter((key) => !this.#told.has(key));
  }
}
