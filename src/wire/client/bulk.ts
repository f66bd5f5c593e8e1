import { retryAfterMs } from '../../base/sockets/front.ts';
import { isJsonObject } from '../../base/terms/json-object.ts';
import type { DataOf, KnownOperationId } from '../contract/operations.ts';
import { BulkIncompleteError, NoAnswerError } from './client-errors.ts';
import type { ReadAnswer } from './send.ts';

/** The operations that work in bounded parts (API 4.2.1, 4.2.2). */
export type BulkOperationId = Extract<KnownOperationId, 'cancelAllAccountOrders' | 'closeAllAccountPositions'>;

/** The operation as last reported: its number of targets, how many are done, and the result of each. */
export type BulkProgress<Id extends BulkOperationId> = DataOf<Id>;

interface BulkRun<Id extends BulkOperationId> {
  idempotencyKey: string;
  signal?: AbortSignal | undefined;
  now: () => number;
  sleep: (delayMs: number) => Promise<void>;
  onProgress?: ((progress: BulkProgress<Id>) => void) | undefined;
}

/** Number of parts in a row that may finish no target. */
const idleSlicesAllowed = 60;

/**
 * Sends parts under one key until the operation has ended. After the first part the operation is in progress: anything
 * that stops it from then on is a BulkIncompleteError.
 */
export async function runToTheEnd<Id extends BulkOperationId>(
  send: () => Promise<ReadAnswer>,
  run: BulkRun<Id>,
): Promise<ReadAnswer> {
  const incomplete = (why: string, cause: unknown) =>
    new BulkIncompleteError(`the operation is not complete: ${why}`, run.idempotencyKey, cause);
  let reported: unknown;
  let done = 0;
  for (let idleSlices = 0; idleSlices < idleSlicesAllowed; ) {
    const answer = await send().catch((cause: unknown) => {
      if (reported === undefined) throw cause;
      throw incomplete(cause instanceof Error ? cause.message : String(cause), cause);
    });
    reported = (answer.body as { data: unknown }).data;
    run.onProgress?.(reported as BulkProgress<Id>);
    if (answer.status !== 202) return answer;
    const doneNow = doneTargets(reported);
    idleSlices = doneNow > done ? 0 : idleSlices + 1;
    done = doneNow;
    await run.sleep(retryAfterMs(answer.headers, run.now()) ?? 1_000);
    if (run.signal?.aborted) throw incomplete('it was stopped', run.signal.reason);
  }
  const why = `its last ${idleSlicesAllowed} parts made no progress`;
  throw incomplete(why, new NoAnswerError(why));
}

function doneTargets(reported: unknown): number {
  if (!isJsonObject(reported)) return 0;
  return (Number(reported.succeeded_count) || 0) + (Number(reported.failed_count) || 0);
}
