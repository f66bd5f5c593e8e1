import type { Answer } from '../../wire/client/client.ts';
import type { OutcomeUnknownError } from '../../wire/client/client-errors.ts';
import { answerOf, outcome } from '../../wire/client/outcome.ts';
import type { KnownOperationId } from '../../wire/contract/operations.ts';
import type { Access } from './session.ts';

/**
 * Finds out, within the command, the outcome of a write that got no answer, or a refusal that may belong to a second
 * delivery, and repeats it if it is absent. Reports on stderr how it found out. Rejects if it was not done; a write
 * that is still unknown stays on disk for `pending resume`.
 */
export async function finishWrite<Id extends KnownOperationId>(
  { client, intents, arrivalMs }: Access,
  unanswered: OutcomeUnknownError,
  { signal, timeoutMs, note }: { signal: AbortSignal; timeoutMs: number; note(text: string): void },
): Promise<Answer<Id>> {
  const found = await outcome<Id>(client, unanswered, {
    before: intents.beforeOf(unanswered.intent),
    signal,
    timeoutMs,
    arrivalMs,
    maxWaitMs: timeoutMs,
  });
  const { answer, seen } = answerOf<Id>(found, unanswered.idempotencyKey);
  note(noteOf(unanswered, seen));
  return answer;
}

/** Whether the write was answered with a refusal. */
export function isRefused({ cause, refusal }: OutcomeUnknownError): boolean {
  return refusal !== undefined && cause === refusal;
}

function noteOf(unanswered: OutcomeUnknownError, seen: string | undefined): string {
  if (seen === undefined) return 'The write got no answer and was not done, so perp sent it again. It is done now.';
  // An order that was found may have been rejected.
  const so = unanswered.idempotencyKey === undefined ? 'it is done' : 'it arrived';
  if (!isRefused(unanswered)) return `The write got no answer, but ${so}: ${seen}.`;
  return `The write was refused (${unanswered.refusal?.message}), but ${so}: ${seen}. The request was probably delivered twice.`;
}
