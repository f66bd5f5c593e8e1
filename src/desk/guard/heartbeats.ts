import { statSync } from 'node:fs';

/** How long a file had not been touched when it was last checked. */
export interface Heartbeat {
  /** When it was last written, by the file system; null if it does not exist. */
  touched: number | null;
  silentMs: number;
  /** When that was, in uptime of the machine, ms: setting the clock does not change it. */
  at: number;
}

interface Clocks {
  /** Steady while this process runs, ms. */
  monotonic(): number;
  /** Uptime of the machine, ms. */
  uptime(): number;
}

/**
 * How long files have not been touched, measured on steady clocks, so setting the system clock changes nothing. Counts
 * on from `known`, what an earlier guard has seen, else from the first check.
 */
export class Heartbeats {
  readonly #files: readonly string[];
  readonly #clocks: Clocks;
  readonly #seen = new Map<string, { touched: number | null; since: number }>();

  constructor(files: Iterable<string>, known: Readonly<Record<string, Heartbeat>>, clocks: Clocks) {
    this.#files = [...new Set(files)];
    this.#clocks = clocks;
    const [now, uptime] = [clocks.monotonic(), clocks.uptime()];
    for (const [file, { touched, silentMs, at }] of Object.entries(known)) {
      // After a restart of the machine, only its uptime is known to have passed.
      const passedMs = uptime >= at ? uptime - at : uptime;
      this.#seen.set(file, { touched, since: now - silentMs - passedMs });
    }
  }

  /** Checks the files. */
  silences(): Map<string, number> {
    const now = this.#clocks.monotonic();
    return new Map(
      this.#files.map((file) => {
        const touched = touchedAt(file);
        const seen = this.#seen.get(file);
        if (seen === undefined || (touched !== null && touched !== seen.touched))
          this.#seen.set(file, { touched, since: now });
        return [file, now - this.#seen.get(file)!.since];
      }),
    );
  }

  /** State for the next guard. */
  get kept(): Record<string, Heartbeat> {
    const [now, at] = [this.#clocks.monotonic(), this.#clocks.uptime()];
    const kept = this.#files.flatMap((file) => {
      const seen = this.#seen.get(file);
      return seen === undefined ? [] : [[file, { touched: seen.touched, silentMs: now - seen.since, at }] as const];
    });
    return Object.fromEntries(kept);
  }
}

/** When a file was last written, ms; null if it does not exist or can't be read. */
function touchedAt(file: string): number | null {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return null;
  }
}
