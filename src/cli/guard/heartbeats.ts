import { statSync } from 'node:fs';

/**
 * How long files have not been touched, measured on the monotonic clock, so setting the system clock changes nothing.
 */
export class Heartbeats {
  readonly #files: readonly string[];
  readonly #monotonic: () => number;
  readonly #seen = new Map<string, { touched: number | undefined; at: number }>();

  constructor(files: Iterable<string>, monotonic: () => number) {
    this.#files = [...new Set(files)];
    this.#monotonic = monotonic;
  }

  /** Checks the files; for a file that never existed, time counts from the first check. */
  silences(): Map<string, number> {
    const now = this.#monotonic();
    return new Map(
      this.#files.map((file) => {
        const touched = touchedAt(file);
        const seen = this.#seen.get(file);
        if (seen === undefined || (touched !== undefined && touched !== seen.touched))
          this.#seen.set(file, { touched, at: now });
        return [file, now - this.#seen.get(file)!.at];
      }),
    );
  }
}

/** When a file was last written, ms; undefined if it does not exist or can't be read. */
function touchedAt(file: string): number | undefined {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  }
}
