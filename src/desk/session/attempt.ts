import type { Answer, CallOptions } from '../../client/client.ts';
import type { ItemOf, PagedOperationId } from '../../client/pages.ts';
import type { KnownOperationId, RequestOf } from '../../contract/operations.ts';
import { factsOf } from '../../ground/failure/report.ts';
import type { Session } from './session.ts';

/** Time for one attempt, ms. */
export const attemptMs = 4_000;

/**
 * Calls one operation once: no retries, nothing kept, a short time of its own. For what must not wait for anything else,
 * and is safe to repeat: reads, and writes that only close and cancel. Rejects as the client does.
 */
export async function attempt<Id extends KnownOperationId>(
  session: Session,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): Promise<Answer<Id>> {
  const { urgent, bug, isInProcess } = await session.access();
  const limits = { timeoutMs: attemptMs, signal: isInProcess ? undefined : session.signal };
  try {
    const answer = await urgent.call(id, { ...request, ...limits });
    session.memory.storeEndings(answer.headers['x-sim-endings'] ?? session.memory.endings);
    session.memory.took(id, answer);
    return answer;
  } catch (error) {
    throw bug() ?? error;
  }
}

/** The rows of a paged list; each page is one attempt. */
export async function* attemptPages<Id extends PagedOperationId>(
  session: Session,
  id: Id,
  request: RequestOf<Id> & CallOptions,
): AsyncGenerator<ItemOf<Id>> {
  const { urgent, isInProcess } = await session.access();
  yield* urgent.pages(id, { ...request, timeoutMs: attemptMs, signal: isInProcess ? undefined : session.signal });
}

/** The rows of a list with an id each. Throws for an answer that is not such a list: unknown is not none. */
export function rowsOf<Row extends { id: string }>(data: readonly Row[]): readonly Row[] {
  const isRow = (row: unknown) => typeof (row as { id?: unknown } | null | undefined)?.id === 'string';
  if (Array.isArray(data) && data.every(isRow)) return data;
  throw Object.assign(new Error('the list in the answer is damaged'), { name: 'ProtocolError' });
}

/** A read of additional figures: if it fails, a note says so. */
export async function noted<T, U>(session: Session, what: string, read: Promise<T>, without: U): Promise<T | U> {
  try {
    return await read;
  } catch (error) {
    // Ctrl-C ends the command.
    if (session.signal.aborted) throw error;
    session.note(`${what} could not be fetched: ${factsOf(error).message}`);
    return without;
  }
}
