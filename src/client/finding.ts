import type { DataOf, KnownOperationId, RequestOf } from '../contract/operations.ts';
import type { Intent } from './intent.ts';

/**
 * What reading back shows of a write; `data` is what the write would have been answered with. `wasSo`: nothing has changed
 * since before the write. `isFinal`: a late arrival can't change it.
 */
export type Finding<Data = unknown> =
  | { verdict: 'applied'; reason: string; data: Data; wasSo?: boolean | undefined }
  | { verdict: 'not_applied'; reason: string; isFinal?: boolean | undefined }
  | { verdict: 'unknown'; reason: string };

/** Asks the service: a `Client` does. */
export interface Reader {
  call<Id extends KnownOperationId>(
    id: Id,
    request: RequestOf<Id> & { signal?: AbortSignal | undefined },
  ): Promise<{ data: DataOf<Id> }>;
}

/** A write, and who can be asked about it. */
export interface Question {
  client: Reader;
  intent: Intent;
  signal?: AbortSignal | undefined;
}

/** One part of what a write asked for: to be seen now, not to be seen, or as it was before anyway. */
export type Effect = 'seen' | 'absent' | 'as_before';

/** How a write is read back. */
export interface ReadBack<Data = unknown> {
  /** Reads the resource that it changes; absent: what was there before says nothing more. */
  readonly resource?: (question: Question) => Promise<unknown>;
  /** What the resource shows of it; `before` is the resource before the write, as far as it is known. */
  readonly find: (question: Question & { before?: unknown }) => Promise<Finding<Data>>;
}
