import type { Machine } from '../../desk/session/session.ts';

/** Unix ms: by a clock that nobody sets, and as the machine says it is. */
export interface Clock {
  steady(): number;
  wall(): number;
}

/** The clock of a gate that begins now. */
export function clockOf({ now, uptime = () => performance.now() }: Machine): Clock {
  const from = now() - uptime();
  return { steady: () => from + uptime(), wall: () => now() };
}
