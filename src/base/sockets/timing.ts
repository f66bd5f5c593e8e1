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
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer = setTimeout(() => (left > longestMs ? wait(left - longestMs) : run()), Math.min(left, longestMs));
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** The longest delay of a timer: longer ones end at once. */
const longestMs = 2 ** 31 - 1;
