/** Options of one call. */
export interface CallOptions {
  /** For operations that take a key; default: a new one. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time for one attempt, ms; default: the client's. */
  readonly timeoutMs?: number | undefined;
}

/** A page of a list: its rows, and the `cursor` of the page after it; undefined after the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | undefined;
}

/** A list: `await` gives its first page; `for await` goes through all rows, and fetches each page when it is needed. */
export type List<Item> = Promise<Page<Item>> & AsyncIterable<Item>;
