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
  /** What `before` of its search has kept, if anything. */
  before?: unknown;
}

/** The effect of one part of a write: visible, absent, or already in place before the write. */
export type Effect = 'seen' | 'absent' | 'as_before';

/** How a write is read back: from the resource that it changes, or in a way of its own. */
export type ReadBack<Data = unknown> = Comparison<unknown, Data> | Search<Data>;

/** Compares the resource that a write changes with its request, and with the resource before it, if that is known. */
export interface Comparison<Resource, Data> {
  resource(question: Question): Promise<Resource>;
  compare(now: Resource, before: Resource | undefined, intent: Intent): Finding<Data>;
}

interface Search<Data> {
  readonly find: (question: Question) => Promise<Finding<Data>>;
  /** What has to be known from before the write to tell what it made from what was there. */
  readonly before?: (question: Question) => Promise<unknown>;
}

/** What reading back finds out; `before` is the resource before the write, if it is known. */
export async function findingOf(readBack: ReadBack, question: Question, before: unknown): Promise<Finding> {
  if ('find' in readBack) return readBack.find({ ...question, before });
  return readBack.compare(await readBack.resource(question), before, question.intent);
}
