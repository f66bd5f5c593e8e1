/** The steady clock, randomness and timers of connections; tests replace them. */
export interface Timing {
  /** A clock for durations, ms: it starts anywhere and is never set. */
  uptime(): number;
  /** Uniform in [0, 1). */
  random(): number;
  /** Runs something once after a delay in ms; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The timing of this machine. */
export const realTiming: Timing = {
  uptime: () => performance.now(),
  random: Math.random,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
