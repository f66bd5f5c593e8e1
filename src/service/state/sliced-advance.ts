import type { Ms } from '../../exchange/engine/model.ts';

/**
 * How a state's time runs (simulation 9.1): `manual` stands still until it is advanced; `real` runs from `startedAt`
 * (exchange time) since `startedWall` (wall time), `speed` times as fast. Stored in the state as JSON, so that every
 * process and every restart reads the same time.
 */
export type ClockState = { kind: 'manual'; now: Ms } | { kind: 'real'; startedWall: Ms; startedAt: Ms; speed: number };

/** The real clock: exchange time is wall time. */
export const wallClock: ClockState = { kind: 'real', startedWall: 0, startedAt: 0, speed: 1 };

/**
 * The clock's time; the exchange never goes back before its last event, no matter what the clock says (simulation 1).
 */
export function readClock(clock: ClockState, wall: Ms): Ms {
  if (clock.kind === 'manual') return clock.now;
  return Math.floor(clock.startedAt + Math.max(0, wall - clock.startedWall) * clock.speed);
}

/** How long time passes in one piece, ms. */
const pieceMs = 5;
/** A request waits for pieces if the clock is further ahead of the exchange, and otherwise for the whole advance. */
export const longestAdvanceMs: Ms = 1_000;
/** The minimum and maximum that the exchange looks ahead in one piece. */
const horizons = { least: 1_000, most: 30 * 24 * 3_600_000 };

/** The simulation whose time passes. */
interface Passing {
  /** Exchange time that has been played. */
  played(): Ms;
  /** Exchange time by the clock. */
  clockTime(): Ms;
  isManual(): boolean;
  /** Plays up to `limit`, or until a pause is due; what changed is on disk and reported when it returns. */
  play(limit: Ms, isDue: () => boolean): void;
  /** Stops a manual clock at a time. */
  stopAt(now: Ms): void;
}

/** Lets a long time pass in pieces of a few milliseconds, so that others that share the event loop get their turns. */
export class SlicedAdvance {
  readonly #simulation: Passing;
  #horizonMs: Ms = horizons.least;
  #catchingUp: Promise<void> | null = null;
  #advancing: Promise<Ms> | null = null;
  #order: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(simulation: Passing) {
    this.#simulation = simulation;
  }

  /** Whether the manual clock is being moved now. */
  get isAdvancing(): boolean {
    return this.#advancing !== null;
  }

  /** If the clock is far ahead, lets the time in between pass for all who ask; null if there is nothing to wait for. */
  catchUp(): Promise<void> | null {
    if (this.#advancing !== null) return null;
    if (this.#catchingUp !== null) return this.#catchingUp;
    const to = this.#simulation.clockTime();
    if (to - this.#simulation.played() <= longestAdvanceMs) return null;
    this.#catchingUp = this.#pass(to, () => true).finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }

  /** Advances the manual clock one request after another, so that each starts where the last one ended. */
  inOrder<T>(advance: () => Promise<T>): Promise<T> {
    const result = this.#order.then(advance);
    this.#order = result.catch(() => {});
    return result;
  }

  /**
   * Moves the manual clock; anything that arrives meanwhile happens at the time reached by then. Returns where it
   * stopped: earlier, if the clock was set meanwhile.
   */
  advanceTo(to: Ms): Promise<Ms> {
    const simulation = this.#simulation;
    this.#advancing = this.#pass(to, () => simulation.isManual())
      .then(() => {
        const now = simulation.played();
        if (simulation.isManual() && !this.#isClosed) simulation.stopAt(now);
        return now;
      })
      .finally(() => {
        this.#advancing = null;
      });
    return this.#advancing;
  }

  /** Nothing passes anymore. */
  close(): void {
    this.#isClosed = true;
  }

  async #pass(to: Ms, goesOn: () => boolean): Promise<void> {
    while (!this.#isClosed && goesOn() && this.#simulation.played() < to) {
      this.#passPiece(to);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #passPiece(to: Ms): void {
    const startedAt = performance.now();
    let asked = 0;
    let isOver = false;
    const isDue = () => {
      asked += 1;
      if (!isOver && asked % 8 === 0) isOver = performance.now() - startedAt > pieceMs;
      return isOver;
    };
    this.#simulation.play(Math.min(to, this.#simulation.played() + this.#horizonMs), isDue);
    const ratio = pieceMs / 2 / Math.max(performance.now() - startedAt, 0.01);
    const horizon = this.#horizonMs * Math.max(0.25, Math.min(4, ratio));
    this.#horizonMs = Math.floor(Math.min(horizons.most, Math.max(horizons.least, horizon)));
  }
}
