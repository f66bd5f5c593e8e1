import type { Outlet } from '../../wire/hosting/stream-host.ts';

/**
 * Passes frames on once everything that they tell is on disk, in order; those that a failing disk has made doubtful are
 * never sent.
 */
export class HeldOutlet implements Outlet {
  readonly #outlet: Outlet;
  readonly #unsynced: () => Promise<void> | null;
  #held: { act: () => void; length: number }[] = [];
  #heldLength = 0;

  /** `unsynced` resolves once all results so far is on disk; null: it is. */
  constructor(outlet: Outlet, unsynced: () => Promise<void> | null) {
    this.#outlet = outlet;
    this.#unsynced = unsynced;
  }

  get buffered(): number {
    return this.#outlet.buffered + this.#heldLength;
  }

  send(text: string): void {
    this.#hold(() => this.#outlet.send(text), text.length);
  }

  close(code: number, reason: string): void {
    this.#hold(() => this.#outlet.close(code, reason), 0);
  }

  #hold(act: () => void, length: number): void {
    const unsynced = this.#unsynced();
    if (unsynced === null && this.#held.length === 0) {
      act();
      return;
    }
    const held = { act, length };
    this.#held.push(held);
    this.#heldLength += length;
    (unsynced ?? Promise.resolve()).then(
      () => this.#release(held),
      () => this.#drop(),
    );
  }

  /** Sends everything held up to this one, which is now on disk. */
  #release(last: { act: () => void; length: number }): void {
    const count = this.#held.indexOf(last) + 1;
    for (const { act, length } of this.#held.splice(0, count)) {
      this.#heldLength -= length;
      act();
    }
  }

  #drop(): void {
    this.#held = [];
    this.#heldLength = 0;
  }
}

/** Above this many waiting bytes, only what must not be dropped is sent: prints, final candles, account frames. */
export const busyBytes = 1024 * 1024;
