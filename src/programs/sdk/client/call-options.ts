/** Options of one call. */
export interface CallOptions {
  /** For operations that take a key; default: a new one. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time for one attempt, ms; default: the client's. */
  readonly timeoutMs?: number | undefined;
}
