import type { Ora } from 'ora';

/** Waits shorter than this are not worth a movement on the screen, nor the time to load what moves. */
const patienceMs = 300;

/** Shows on a terminal's stderr that something goes on. */
export class Spinner {
  readonly #enabled: boolean;
  #text = '';
  #depth = 0;
  #timer: NodeJS.Timeout | undefined;
  #shown: Ora | undefined;

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  /** Shows `text` while the work takes longer than a moment. */
  async during<T>(text: string, work: () => Promise<T>): Promise<T> {
    if (!this.#enabled) return work();
    this.#depth++;
    if (this.#depth === 1) this.#begin(text);
    try {
      return await work();
    } finally {
      this.#depth--;
      if (this.#depth === 0) this.#end();
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
      // ASCII: what turns in other characters is garbage in some locales.
      const look = { spinner: 'line', stream: process.stderr, discardStdin: false } as const;
      if (this.#depth > 0) this.#shown = ora({ text: this.#text, ...look }).start();
    }, patienceMs);
    this.#timer.unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#shown?.stop();
    this.#shown = undefined;
  }
}
