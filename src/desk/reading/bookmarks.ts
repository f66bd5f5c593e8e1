import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import type { Session } from '../session/session.ts';

/** The recording of the simulation, and the time of its clock. */
export async function recordedBooks(session: Session): Promise<{ books: string; blind: boolean; time: number }> {
  const { data } = await session.call('simStatus', {});
  const { books, blind, time, source, state } = data;
  if (books !== null && source === 'recorded') return { books, blind, time };
  throw new Failure({
    exit: exitCodes.conflict,
    code: 'conflict',
    message: `State ${state} isn't playing a recording, so it has no bookmarks.`,
    hint: 'Play one with perp sim serve --books FILE.',
  });
}
