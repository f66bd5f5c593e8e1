/** The simulation that a plain command means if nothing else was chosen. */
export const defaultState = 'default';

/** The default name of a simulation on live markets. */
export const liveState = 'desk';

/** A state's name is a file's name: letters, digits, dot, underscore, dash; at most 64; no leading dot. */
export function isStateName(name: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name);
}
