import { hash32, keyOf } from '../../../base/terms/hash.ts';
import type { Ms } from '../../engine/model.ts';

/** Books of markets with the same factor and the same slots come within this many milliseconds of each other. */
const apartMs = 30;
const minuteMs = 60_000;

/**
 * A market's timetable. Time is divided into slots, counted from the Unix epoch. Each contains one book event at a
 * random moment, so events have no rhythm.
 */
export class Timetable {
  readonly slotsPerMinute: number;
  private readonly shared: number;
  private readonly own: number;

  /** The moments of books are partly shared by all markets of a factor. */
  constructor(seed: number, marketId: string, factor: string, slotsPerMinute: number) {
    this.slotsPerMinute = slotsPerMinute;
    this.shared = keyOf(seed, factor, 'times');
    this.own = keyOf(seed, marketId, 'times');
  }

  /** The first millisecond of a slot. */
  start(slot: number): Ms {
    return Math.floor((slot * minuteMs) / this.slotsPerMinute);
  }

  /** The slot that contains a millisecond. */
  slotOf(time: Ms): number {
    return Math.floor((this.slotsPerMinute * (time + 1) - 1) / minuteMs);
  }

  /** Time of the slot's book event. */
  bookTime(slot: number): Ms {
    const start = this.start(slot);
    const room = this.start(slot + 1) - start - apartMs + 1;
    return start + ((hash32(this.shared, slot, 0) >>> 8) % room) + ((hash32(this.own, slot, 0) >>> 8) % apartMs);
  }

  /** The last slot whose book event is at or before `time`; -1 before the first. */
  bookSlotAt(time: Ms): number {
    const slot = this.slotOf(time);
    if (slot < 0) return -1;
    return this.bookTime(slot) <= time ? slot : slot - 1;
  }
}
