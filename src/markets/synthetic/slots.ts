import type { Ms } from '../../engine/model.ts';
import { hash32 } from './hashing.ts';

/**
 * The timetable. Time is divided into slots, three a second, counted from the Unix epoch. Each contains one book event
 * at a random moment, so events have no rhythm, and any second (1,000 ms) contains at least two books. The price moves
 * right before the slot's book; prints between two books trade at the displayed touch.
 */
export const slotsPerSecond = 3;
export const slotsPerMinute = 60 * slotsPerSecond;

/** The first millisecond of a slot. */
export function slotStart(slot: number): Ms {
  return Math.floor((slot * 1000) / slotsPerSecond);
}

/** The slot that contains a millisecond. */
export function slotOf(time: Ms): number {
  return Math.floor((time * slotsPerSecond + slotsPerSecond - 1) / 1000);
}

/** The keys that determine the times of books: one shared by all markets of a factor, and the market's own. */
export interface Timing {
  shared: number;
  own: number;
}

/** Books of markets with the same factor come within this many milliseconds of each other. */
const apartMs = 30;

/** Time of the slot's book event. */
export function bookTime(timing: Timing, slot: number): Ms {
  const start = slotStart(slot);
  const room = slotStart(slot + 1) - start - apartMs + 1;
  return start + ((hash32(timing.shared, slot, 0) >>> 8) % room) + ((hash32(timing.own, slot, 0) >>> 8) % apartMs);
}

/** The last slot whose book event is at or before `time`; -1 before the first. */
export function bookSlotAt(timing: Timing, time: Ms): number {
  const slot = slotOf(time);
  if (slot < 0) return -1;
  return bookTime(timing, slot) <= time ? slot : slot - 1;
}
