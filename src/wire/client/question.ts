import type { DataOf, KnownOperationId, RequestOf, ResponseOf } from '../contract/operations.ts';
import type { Intent } from './intent.ts';

/** The outcome of a write, as one look shows it, and in the end. */
export type Outcome<Data = unknown> =
  /**
   * It has taken effect (`wasAlreadyApplied`: nothing has changed since before it); `data` is the answer it would get
   * now, unless one came (`answer`).
   */
  | { verdict: 'applied'; reason: string; data: Data; wasAlreadyApplied?: boolean | undefined; answer?: unknown }
  /** It has no effect, or was refused (`error`). `isFinal`: a late arrival can't change that. */
  | { verdict: 'not_applied'; reason: string; error?: Error; isFinal?: boolean | undefined }
  /** Unknown; for a look, `error` means that the service could not be asked. */
  | { verdict: 'unknown'; reason: string; error?: Error };

/** Asks the service, as a `Client` does. */
interface Reader {
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
  /** The resource before the write, or the search's `before`, if known. */
  before?: unknown;
}

/** The effect of one part of a write: visible, absent, or already in place before the write. */
export type Effect = 'seen' | 'absent' | 'as_before';

/** How a write is read back. */
export interface ReadBack<Data = unknown> {
  readonly find: (question: Question) => Promise<Outcome<Data>>;
  /** State to capture before the write, to distinguish what it made from what was already there. */
  readonly before?: (question: Question) => Promise<unknown>;
}

/** Compares the resource that a write changes with its request, and with the resource before it, if that is known. */
export function comparing<Resource, Data>(
  resource: (question: Question) => Promise<Resource>,
  compare: (now: Resource, before: Resource | undefined, intent: Intent) => Outcome<Data>,
): ReadBack<Data> {
  return {
    before: resource,
    find: async (question) =>
      compare(await resource(question), question.before as Resource | undefined, question.intent),
  };
}

/** The write took effect, and its result. */
export const applied = <Data>(reason: string, data: Data, wasAlreadyApplied?: boolean): Outcome<Data> => {
  return { verdict: 'applied', reason, data, wasAlreadyApplied };
};
/** The write had no effect; `isFinal`: a late arrival can't change that. */
export const notApplied = (reason: string, isFinal?: boolean): Outcome<never> => {
  return { verdict: 'not_applied', reason, isFinal };
};
/** It can't be told yet whether the write took effect. */
export const unknown = (reason: string): Outcome<never> => ({ verdict: 'unknown', reason });
