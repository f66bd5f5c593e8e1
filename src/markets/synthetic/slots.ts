import type { Ms } from '../../engine/model.ts';
import { hash32 } from './hashing.ts';

/**
 * The timetable. Time is cut into slots; each holds one book event early in the slot and up to three prints in the
 * rest of it, so that the time of every event follows from the slot's number alone. Slots count from the Unix epoch.
 */
export const slotMs = 450;

/** A book comes at a jittered moment in the slot's first 100 ms: any second holds at least two (2 x 450 + 99 < 1000). */
const bookJitterMs = 100;

/** Prints of a slot each have a window of this length after the book's. */
const printWindowMs = 116;

/** Most prints a slot can hold. */
export const maxPrintsPerSlot = 3;

/** Slots in one hour: a whole number, so that the sessions of the day begin on slots. */
export const slotsPerHour = 3_600_000 / slotMs;

/** When the slot's book event happens. */
export function bookTime(timingKey: number, slot: number): Ms {
  return slot * slotMs + ((hash32(timingKey, slot, 0) >>> 8) % bookJitterMs);
}

/** When the slot's print number `index` (from 0) happens: after its book, before the next one's. */
export function printTime(timingKey: number, slot: number, index: number): Ms {
  const jitter = (hash32(timingKey, slot, 1 + index) >>> 8) % printWindowMs;
  return slot * slotMs + bookJitterMs + index * printWindowMs + jitter;
}

/** The last slot whose book event is at or before `time`; -1 before the first. */
export function slotAt(timingKey: number, time: Ms): number {
  const slot = Math.floor(time / slotMs);
  if (slot < 0) return -1;
  return bookTime(timingKey, slot) <= time ? slot : slot - 1;
}
