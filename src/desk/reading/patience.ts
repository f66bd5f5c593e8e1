import { exitCodes } from '../../ground/failure/failure.ts';
import { factsOf } from '../../ground/failure/report.ts';

/** How often the same reason is said, ms. */
const againMs = 60_000;

/** Asks a service that may be unavailable or busy, again and again, and says once why there is no answer. */
export class Patience {
  readonly #say: (text: string) => void;
  readonly #uptime: () => number;
  #said: { readonly reason: string; readonly at: number } | undefined;

  constructor(say: (text: string) => void, uptime: () => number = () => performance.now()) {
    this.#say = say;
    this.#uptime = uptime;
  }

  /** The answer; undefined if the service has none now. Rejects for what asking again can't mend, and after the signal. */
  async ask<T>(look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
    try {
      const answer = await look();
      this.#said = undefined;
      return answer;
    } catch (error) {
      const { exit, message } = factsOf(error);
      if (signal.aborted || exit !== exitCodes.unavailable) throw error;
      this.#tell(message);
      return undefined;
    }
  }

  #tell(reason: string): void {
    const at = this.#uptime();
    if (this.#said?.reason === reason && at - this.#said.at < againMs) return;
    this.#said = { reason, at };
    this.#say(`${reason} Still waiting.`);
  }
}
