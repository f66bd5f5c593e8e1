import type { OutcomeUnknownError } from '../../client/errors.ts';
import { type Finished, finish } from '../../client/finish.ts';
import type { KnownOperationId } from '../../contract/operations.ts';
import type { Connection } from './connection.ts';

/**
 * Finds out, within the command, what a write without an idempotency key did when it got no answer, or a refusal that
 * may belong to a second delivery. Reports on stderr how it found out. Rejects as `finish` does; a write that is still
 * unknown stays on disk for `pending resume`.
 */
export async function finishWrite<Id extends KnownOperationId>(
  { client, intents, arrivalMs }: Connection,
  unanswered: OutcomeUnknownError,
  { signal, timeoutMs, note }: { signal: AbortSignal; timeoutMs: number; note(text: string): void },
): Promise<Finished<Id>['answer']> {
  const { answer, seen } = await finish<Id>(client, unanswered, {
    before: intents.beforeOf(unanswered.intent),
    signal,
    timeoutMs,
    arrivalMs,
    maxWaitMs: timeoutMs,
  });
  note(noteOf(unanswered, seen));
  return answer;
}

/** Whether the write was answered with a refusal. */
export function isRefused({ cause, refusal }: OutcomeUnknownError): boolean {
  return refusal !== undefined && cause === refusal;
}

function noteOf(unanswered: OutcomeUnknownError, seen: string | undefined): string {
  if (seen === undefined) return 'The write got no answer and was not done, so it was sent again. It is done now.';
  if (!isRefused(unanswered)) return `The write got no answer, but it is done: ${seen}.`;
  return `The write was refused (${unanswered.refusal?.message}), but it is done: ${seen}. The request was probably delivered twice.`;
}
