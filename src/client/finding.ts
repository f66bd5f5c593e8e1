import type { DataOf, KnownOperationId, RequestOf, ResponseOf } from '../contract/operations.ts';
import type { Intent } from './intent.ts';

/**
 * The result of reading back a write; `data` is what the write's answer would have been. `wasAlreadyApplied`: nothing has changed
 * since before the write. `isFinal`: a late arrival can't change it.
 */
export type Finding<Data = unknown> =
  | { verdict: 'applied'; reason: string; data: Data; wasAlreadyApplied?: boolean | undefined }
  | { verdict: 'not_applied'; reason: string; isFinal?: boolean | undefined }
  | { verdict: 'unknown'; reason: string };

/** Asks the service, as a `Client` does. */
export interface Reader {
  call<Id extends KnownOperationId>(
    id: Id,
    request: RequestOf<Id> & { signal?: AbortSignal | undefined },
  ): Promise<{ data: DataOf<Id>; body: ResponseOf<Id> }>;
  /** Unix ms. */
  now(): number;
  /** Whether a resource was the answer to another write of this process. */
  isOfAnother(id: string): boolean;
}

/** A write, and how to ask the service about it. */
export interface Question {
  client: Reader;
  intent: Intent;
  /** When it was first sent, Unix ms. */
  sentAt: number;
  signal?: AbortSignal | undefined;
}

/** The effect of one part of a write: visible, absent, or already in place before the write. */
export type Effect = 'seen' | 'absent' | 'as_before';

/** How a write is read back. */
export interface ReadBack<Data = unknown> {
  /** Reads the resource that it changes; absent if the state before the write adds no information. */
  readonly resource?: (question: Question) => Promise<unknown>;
  /** The finding that the resource allows; `before` is the resource before the write, if known. */
  readonly find: (question: Question & { before?: unknown }) => Promise<Finding<Data>>;
}
