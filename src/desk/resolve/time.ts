import { Failure } from '../../base/failure/failure.ts';
import { tradingDayStart } from '../../base/terms/day.ts';
import type { Session } from '../session/session.ts';
import type { PastTime, Time } from '../values/times.ts';

/** Resolves a time to Unix ms. "From now" means the exchange's clock: a simulation may be in another year. */
export async function resolveTime(session: Session, time: Time): Promise<number> {
  return 'at' in time ? time.at : (await exchangeTime(session)) + time.inMs;
}

/** Resolves the beginning of a period to Unix ms. */
export async function resolveSince(session: Session, time: PastTime): Promise<number> {
  return 'at' in time ? time.at : pastMoment(time, await exchangeTime(session), 'from');
}

/** A past time in Unix ms, seen from `now`; a day is its first millisecond as a beginning and its last as an end. */
export function pastMoment(time: PastTime, now: number, as: 'from' | 'to'): number {
  if ('at' in time) return time.at;
  if ('agoMs' in time) return now - time.agoMs;
  const today = tradingDayStart(now);
  if (time.day === 'today') return as === 'from' ? today : now;
  return as === 'from' ? tradingDayStart(today - 1) : today - 1;
}

/** The exchange's current time. */
export async function exchangeTime(session: Session): Promise<number> {
  if (session.settings.environment !== 'sim') return session.machine.now();
  return (await session.call('simStatus', {})).data.time;
}

/** How fast the exchange's clock runs, as a multiple of real time; 0 for one that stands still. */
export async function clockSpeed(session: Session): Promise<number> {
  if (session.settings.environment !== 'sim') return 1;
  const { clock, speed } = (await session.call('simStatus', {})).data;
  return clock === 'manual' ? 0 : speed;
}

/** The simulation's recording, and its clock's time. */
export async function recordedBooks(session: Session): Promise<{ books: string; blind: boolean; time: number }> {
  const { data } = await session.call('simStatus', {});
  const { books, blind, time, source, state } = data;
  if (books !== null && source === 'recorded') return { books, blind, time };
  throw new Failure({
    code: 'conflict',
    message: `State ${state} isn't playing a recording, so it has no bookmarks.`,
    hint: 'Play one with perp sim serve --books FILE.',
  });
}
