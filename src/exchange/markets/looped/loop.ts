import type { Ms } from '../../engine/model.ts';
import type { BarInterval } from '../bars.ts';

const secondMs = 1_000;
const minuteMs = 60_000;
/** A tape of this length or more repeats after whole minutes, a shorter one after whole seconds. */
const longTapeMs = 60 * minuteMs;

/** Times of a tape, Unix ms. */
export interface TapeTimes {
  readonly firstTime: Ms;
  readonly lastTime: Ms;
}

/**
 * A tape that repeats without end in both directions, so that some moment of it is now (simulation 9.2). A pass is one
 * repetition. Everything is shifted by whole units, so that candles of a unit or more keep their prints.
 */
export class Loop {
  /** The candles that passes consist of. */
  readonly unit: BarInterval;
  readonly unitMs: Ms;
  /** Where a pass begins, in the tape's own time, and its last moment with data. */
  readonly base: Ms;
  readonly lastTime: Ms;
  readonly periodMs: Ms;
  /** How much later than on the tape everything of pass 0 happens. */
  readonly shift: Ms;

  constructor({ firstTime, lastTime }: TapeTimes, shift: Ms) {
    [this.unit, this.unitMs] = unitOf(lastTime - firstTime);
    this.base = floorTo(firstTime, this.unitMs);
    this.lastTime = lastTime;
    this.periodMs = floorTo(lastTime, this.unitMs) + this.unitMs - this.base;
    this.shift = shift;
  }

  passOf(time: Ms): number {
    return Math.floor((time - this.shift - this.base) / this.periodMs);
  }

  /** How much later than on the tape everything of a pass happens. */
  offsetOf(pass: number): Ms {
    return this.shift + pass * this.periodMs;
  }

  /** When a pass has no more data: a gap begins, until the next pass has its first full book. */
  endOf(pass: number): Ms {
    return this.offsetOf(pass) + this.lastTime + 1;
  }
}

/** The shift at which `place`, a time on the tape, was played at `now` or less than a unit before. */
export function shiftTo({ firstTime, lastTime }: TapeTimes, place: Ms, now: Ms): Ms {
  const [, unitMs] = unitOf(lastTime - firstTime);
  return floorTo(now - place, unitMs);
}

function unitOf(lengthMs: Ms): [BarInterval, Ms] {
  return lengthMs >= longTapeMs ? ['1m', minuteMs] : ['1s', secondMs];
}

function floorTo(time: Ms, unitMs: Ms): Ms {
  return Math.floor(time / unitMs) * unitMs;
}
