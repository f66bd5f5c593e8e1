import type { Store } from './store.ts';

/** Options of a commit group. */
interface GroupCommitOptions {
  /**
   * Called after any rollback, of one item or all, before the promises settle: data in memory that mirrors the store is
   * stale.
   */
  onRollback?: () => void;
  /** Maximum number of items in one transaction; the rest wait for the next. Default 128. */
  maxItems?: number;
}

interface Item {
  work: () => unknown;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

type Ended = { item: Item; value: unknown } | { item: Item; error: unknown };

/**
 * Commits items that arrive together in one transaction, each in its own savepoint: one COMMIT for all, and no promise
 * resolves before it. An item that throws loses only its own writes.
 */
export class GroupCommit {
  readonly #store: Store;
  readonly #onRollback: () => void;
  readonly #maxItems: number;
  #waiting: Item[] = [];
  #scheduled = false;

  constructor(store: Store, { onRollback = () => {}, maxItems = 128 }: GroupCommitOptions = {}) {
    this.#store = store;
    this.#onRollback = onRollback;
    this.#maxItems = maxItems;
  }

  /** How many items are waiting; a service checks this before it accepts more. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves with the result of `work` once it is committed; rejects with what it threw, or with the StoreError that
   * prevented the group's commit. Items run in the order they were submitted.
   */
  submit<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#schedule();
    });
  }

  /** Runs the waiting items now, not at the end of the turn. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commitGroup();
  }

  /** At the end of the turn, every request that arrived with it has been read. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitGroup();
      this.#schedule();
    });
  }

  #commitGroup(): void {
    const group = this.#waiting.splice(0, this.#maxItems);
    if (group.length === 0) return;
    let begun = false;
    let ended: Ended[];
    try {
      ended = this.#store.transaction(() => {
        begun = true;
        // A single item is rolled back with the transaction: a savepoint would only copy every page it changes.
        if (group.length === 1) return [{ item: group[0]!, value: group[0]!.work() }];
        return group.map((item) => this.#run(item));
      });
    } catch (error) {
      if (begun) this.#onRollback();
      ended = group.map((item) => ({ item, error }));
    }
    for (const outcome of ended) {
      if ('error' in outcome) outcome.item.reject(outcome.error);
      else outcome.item.resolve(outcome.value as never);
    }
  }

  #run(item: Item): Ended {
    try {
      return { item, value: this.#store.savepoint(item.work) };
    } catch (error) {
      // SQLite rolled back the whole transaction (disk full, I/O error): no writes are left to commit.
      if (!this.#store.inTransaction) throw error;
      this.#onRollback();
      return { item, error };
    }
  }
}
