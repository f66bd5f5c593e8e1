import type { Stage } from '../../../../src/desk/session/session.ts';
import { Chance } from '../../../exchange/engine/chance.ts';

interface Timer {
  at: number;
  nth: number;
  run: (() => void) | undefined;
}

/** Timers that pass only when nothing else can happen: hours take as long as what happens in them. */
export class VirtualTime implements Pick<Stage, 'timers'> {
  #now = 0;
  #count = 0;
  readonly #chance: Chance;
  /** A heap, earliest first. */
  readonly #heap: Timer[] = [];

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  get now(): number {
    return this.#now;
  }

  readonly timers: Stage['timers'] = {
    uptime: () => this.#now,
    random: () => this.#chance.next(),
    after: (ms, run) => {
      const timer: Timer = { at: this.#now + Math.max(0, ms), nth: this.#count++, run };
      this.#push(timer);
      return () => {
        timer.run = undefined;
      };
    },
  };

  /** Waits; resolves at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.timers.after(ms, end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Lets time pass until the work has ended; throws when nothing is left to happen, or after `atMost`, ms. */
  async during<T>(work: Promise<T>, atMost = 3_600_000): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let idle = 0; ; ) {
      await turn();
      if (isOver) return await work;
      const timer = this.#pop();
      if (timer === undefined) {
        // Something real, such as loading a module, may be under way.
        if (++idle > 2_000) throw new Error(`nothing happens anymore at ${this.#now} ms`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      idle = 0;
      if (timer.at > atMost) throw new Error(`not over after ${atMost} ms`);
      this.#now = Math.max(this.#now, timer.at);
      timer.run?.();
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isEarlier(timer, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    while (heap.length > 0) {
      const first = heap[0]!;
      const last = heap.pop()!;
      if (heap.length > 0) this.#sink(last);
      if (first.run !== undefined) return first;
    }
    return undefined;
  }

  #sink(timer: Timer): void {
    const heap = this.#heap;
    let at = 0;
    while (true) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isEarlier(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isEarlier(heap[child]!, timer)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = timer;
  }
}

function isEarlier(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.nth < other.nth);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
