import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So many connections leave memory behind that V8 would keep for the next ones. */
const manyConnections = 500;

/** Delays in ms: after most connections have left, and after the last request. */
const waits = { leftMs: 20_000, quietMs: 2_000 };

/**
 * Gives memory back to the system after many connections have left. That takes a tenth of a second, so it waits for a
 * moment without requests.
 */
export class MemoryRelease {
  readonly #release: () => void;
  readonly #waits: typeof waits;
  #open = 0;
  #most = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(release: () => void = collect, { leftMs, quietMs }: typeof waits = waits) {
    this.#release = release;
    this.#waits = { leftMs, quietMs };
  }

  opened(): void {
    this.#open += 1;
    this.#most = Math.max(this.#most, this.#open);
  }

  closed(): void {
    this.#open -= 1;
    if (this.#haveLeft()) this.#timer ??= this.#wait(this.#waits.leftMs);
  }

  requested(): void {
    this.#requestedAt = performance.now();
  }

  #haveLeft(): boolean {
    return this.#most >= manyConnections && this.#open <= this.#most / 10;
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = null;
      if (!this.#haveLeft()) return;
      if (performance.now() - this.#requestedAt < this.#waits.quietMs) {
        this.#timer = this.#wait(this.#waits.quietMs);
        return;
      }
      this.#most = this.#open;
      this.#release();
    }, ms).unref();
  }
}

/** Collects everything that is unused; Node has the function only behind a flag, which new contexts look at. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
