import type { Ms } from '../engine/model.ts';

/**
 * How a state's time runs (simulation 9.1): `manual` stands still until it is advanced; `real` runs from `startedAt`
 * (exchange time) since `startedWall` (wall time), `speed` times as fast. Stored in the state, so that every process
 * and every restart reads the same time.
 */
export type ClockState = { kind: 'manual'; now: Ms } | { kind: 'real'; startedWall: Ms; startedAt: Ms; speed: number };

/** The real clock: exchange time is wall time. */
export const wallClock: ClockState = { kind: 'real', startedWall: 0, startedAt: 0, speed: 1 };

/** The clock's time; the exchange never goes back before its last event, whatever the clock says (simulation 1). */
export function readClock(clock: ClockState, wall: Ms): Ms {
  if (clock.kind === 'manual') return clock.now;
  return Math.floor(clock.startedAt + Math.max(0, wall - clock.startedWall) * clock.speed);
}

/** Reads a clock from its JSON text. */
export function parseClock(text: string): ClockState {
  return JSON.parse(text) as ClockState;
}
