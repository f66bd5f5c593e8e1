import type { OutcomeUnknownError } from '../../client/errors.ts';
import { type Finished, finish } from '../../client/finish.ts';
import type { KnownOperationId } from '../../contract/operations.ts';
import type { Connection } from '../connection.ts';
import type { Context } from '../context.ts';
import { journalFolder, unsettledWrites } from './journals.ts';

/**
 * Finds out within the command itself what a write without an idempotency key did that got no answer, and says on stderr
 * what showed it. Rejects as `finish` does; what stays unknown stays on disk for `pending resume`.
 */
export async function finishWrite<Id extends KnownOperationId>(
  context: Context,
  { client, travelMs }: Connection,
  unanswered: OutcomeUnknownError,
): Promise<Finished<Id>['answer']> {
  const { signal, settings, variables } = context;
  const { timeoutMs } = settings;
  const note = noteOf(unanswered, journalFolder(variables));
  const { answer, seen } = await finish<Id>(client, unanswered, {
    before: note?.before,
    signal,
    timeoutMs,
    travelMs,
  });
  context.note(
    seen === undefined
      ? 'It got no answer and was not done; it was sent again, and is.'
      : `It got no answer, but is done: ${seen}.`,
  );
  return answer;
}

/** The write as this process put it down before it left. */
function noteOf({ intent }: OutcomeUnknownError, folder: string) {
  const { operationId, payloadHash } = intent;
  return unsettledWrites(folder).writes.findLast(
    ({ note }) =>
      note.pid === process.pid && note.intent.operationId === operationId && note.intent.payloadHash === payloadHash,
  )?.note;
}
