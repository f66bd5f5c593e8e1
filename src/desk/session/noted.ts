import { factsOf } from '../../ground/failure/report.ts';
import type { Session } from './session.ts';

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
