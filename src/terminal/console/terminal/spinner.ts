import type { Ora } from 'ora';

/** Shorter waits need no spinner, nor the time to load one. */
const maxWaitMs = 300;

/** Shows progress on stderr if it is a terminal. */
export class Spinner {
  readonly #isEnabled: () => boolean;
  #text = '';
  #depth = 0;
  #timer: NodeJS.Timeout | undefined;
  #shown: Ora | undefined;

  constructor(isEnabled: () => boolean) {
    this.#isEnabled = isEnabled;
  }

  /** Shows `text` while the work runs, if it takes longer than a moment. */
  async during<T>(text: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isEnabled()) return work();
    this.#depth++;
    if (this.#depth === 1) this.#begin(text);
    try {
      return await work();
    } finally {
      this.#depth--;
      if (this.#depth === 0) this.#end();
    }
  }

  /** Shows nothing while the work runs, such as a prompt. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    if (this.#depth === 0) return work();
    this.#end();
    try {
      return await work();
    } finally {
      this.#begin(this.#text);
    }
  }

  say(text: string): void {
    this.#text = text;
    if (this.#shown !== undefined) this.#shown.text = text;
  }

  #begin(text: string): void {
    this.#text = text;
    this.#timer = setTimeout(async () => {
      const { default: ora } = await import('ora');
      // ASCII only: other spinners are garbage in some locales.
      const look = { spinner: 'line', stream: process.stderr, discardStdin: false } as const;
      if (this.#depth > 0 && this.#isEnabled()) this.#shown = ora({ text: this.#text, ...look }).start();
    }, maxWaitMs);
    this.#timer.unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#shown?.stop();
    this.#shown = undefined;
  }
}
