import { setImmediate } from 'node:timers/promises';
import { StoreError } from '../../exchange/store/errors.ts';
import type { Store } from '../../exchange/store/store.ts';
import { Failure } from '../../wire/hosting/failure.ts';

/** How many pieces of work share a commit: more would keep the event loop too long. */
const mostAtOnce = 64;

type Work<M> = (turn: M) => unknown;

interface Item<M> {
  work: Work<M>;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** How a batch is done, and what follows its commit. */
interface BatchOptions<M> {
  /**
   * Does all pieces of work at one moment, in one transaction; returns their results in order, including refusals.
   * Throws if any fails, and then nothing was done.
   */
  perform: (works: readonly Work<M>[]) => unknown[];
  /** Called after any commit, before it is reported. */
  onCommit: () => void;
}

/**
 * Gathers the work that arrives in one turn into one batch and one commit, so records that several pieces
 * change are written once. No piece is expected to fail; if one does, the batch is undone and each piece is done alone,
 * so only the failing one fails.
 */
export class Batches<M> {
  readonly #perform: BatchOptions<M>['perform'];
  readonly #onCommit: () => void;
  readonly #store: Store;
  #waiting: Item<M>[] = [];
  /** The next batch is about to be taken. */
  #isDue = false;
  /** How many pieces of work each sync brings to disk. */
  readonly #sizes = new WeakMap<Promise<void>, number>();
  /** The sync that the next batch waits for. */
  #awaited: Promise<void> | null = null;

  constructor(store: Store, { perform, onCommit }: BatchOptions<M>) {
    this.#store = store;
    this.#perform = perform;
    this.#onCommit = onCommit;
  }

  /**
   * Resolves with the result of `work` once it is committed, or rejects with the `Failure` that it was refused with.
   * Work is done in the order in which it arrived.
   */
  submit<T>(work: (turn: M) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#start();
    });
  }

  /**
   * A commit during a sync is on disk only after the next sync: it is worth its cost if it is as large as the one being
   * synced. A smaller one waits for more until the sync ends.
   */
  #start(): void {
    if (this.#isDue || this.#waiting.length === 0) return;
    const syncing = this.#store.syncing();
    if (syncing === null || this.#isLarge(syncing)) {
      this.#isDue = true;
      void this.#commit();
    } else if (this.#awaited !== syncing) {
      this.#awaited = syncing;
      const goOn = () => this.#start();
      syncing.then(goOn, goOn);
    }
  }

  /** Whether the waiting work is as large as the work being synced, and nothing else waits for the next sync. */
  #isLarge(syncing: Promise<void>): boolean {
    return this.#store.unsynced() === syncing && this.#waiting.length >= (this.#sizes.get(syncing) ?? 1);
  }

  async #commit(): Promise<void> {
    // At the end of the turn, every request that arrived with it has been read.
    await setImmediate();
    const batch = this.#take();
    try {
      this.#do(batch);
    } catch (error) {
      // A failing store fails all of them; otherwise one piece of work fails, or two that conflict.
      if (error instanceof StoreError) for (const { reject } of batch) reject(error);
      else for (const item of batch) await this.#commitAlone(item);
    }
  }

  async #commitAlone(item: Item<M>): Promise<void> {
    await setImmediate();
    try {
      this.#do([item]);
    } catch (error) {
      item.reject(error);
    }
  }

  #do(items: readonly Item<M>[]): void {
    const results = this.#perform(items.map(({ work }) => work));
    this.#onCommit();
    const unsynced = this.#store.unsynced();
    if (unsynced !== null) this.#sizes.set(unsynced, (this.#sizes.get(unsynced) ?? 0) + items.length);
    for (let at = 0; at < items.length; at++) end(items[at]!, results[at]);
  }

  #take(): Item<M>[] {
    this.#isDue = false;
    const items = this.#waiting.splice(0, mostAtOnce);
    // The rest waits until this batch is committed.
    queueMicrotask(() => this.#start());
    return items;
  }
}

function end<M>({ resolve, reject }: Item<M>, result: unknown): void {
  if (result instanceof Failure) reject(result);
  else resolve(result as never);
}
