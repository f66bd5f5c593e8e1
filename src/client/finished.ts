import type { DataOf, KnownOperationId } from '../contract/operations.ts';
import type { Answer } from './client.ts';
import { NoAnswerError, OutcomeUnknownError } from './errors.ts';
import type { Settlement } from './look.ts';

/** The outcome of a write that got no answer at first. */
export interface Finished<Id extends KnownOperationId> {
  answer: Answer<Id>;
  /** The finding that shows it was done, if no answer says so. */
  seen?: string;
}

/** The outcome of a write that was found to be done. */
export function seen<Id extends KnownOperationId>(
  { data: found, reason }: Settlement & { verdict: 'applied' },
  idempotencyKey: string | undefined,
): Finished<Id> {
  const data = found as DataOf<Id>;
  const body = { data } as Answer<Id>['body'];
  return { answer: { data, body, status: 200, requestId: undefined, headers: {}, idempotencyKey }, seen: reason };
}

/** The error of a write that is not there after the arrival window: it was not done. */
export function notDone(reason: string, waitedMs: number, unanswered: OutcomeUnknownError): NoAnswerError {
  const message = `no answer came, and it was not done within ${seconds(waitedMs)} of the last attempt: ${reason}`;
  return new NoAnswerError(message, { cause: unanswered });
}

/** The error of a write that is not there yet, but may still arrive. */
export function mayArrive(
  { intent }: OutcomeUnknownError,
  { waitedMs, leftMs }: { waitedMs: number; leftMs: number },
  refusal?: Error,
): OutcomeUnknownError {
  const late = `no answer came, and it was not done within ${seconds(waitedMs)}; it may still arrive within the next ${seconds(leftMs)}`;
  return new OutcomeUnknownError(intent, new NoAnswerError(late), refusal);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
