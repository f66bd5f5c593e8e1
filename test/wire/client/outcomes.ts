import type { Client } from '../../../src/wire/client/client.ts';
import type { OutcomeUnknownError } from '../../../src/wire/client/client-errors.ts';
import { answerOf, type OutcomeOptions, outcome } from '../../../src/wire/client/outcome.ts';
import type { KnownOperationId } from '../../../src/wire/contract/operations.ts';

/** What became of a write, as its caller goes on with it: its answer, or the error that tells why there is none. */
export async function finish<Id extends KnownOperationId>(
  client: Client,
  unanswered: OutcomeUnknownError,
  options?: OutcomeOptions,
) {
  return answerOf<Id>(await outcome<Id>(client, unanswered, options), unanswered.idempotencyKey);
}
