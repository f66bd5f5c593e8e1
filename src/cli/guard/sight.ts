import { factsOf } from '../failure/report.ts';
import type { Observer } from './observer.ts';

/** The account has to be unreadable for this long before that is an alert, ms: within a minute, also on a slow machine. */
export const blindAfterMs = 45_000;
/** A credential that is refused for this long is not accepted again soon, ms. */
export const refusedAfterMs = 60_000;

/** Whether a guard knows enough to judge, and since when it does not. */
export class Sight {
  readonly #observer: Observer;
  readonly #now: () => number;
  /** Since when the equity has been unknown, and the credential refused. */
  #unjudgedSince: number | undefined;
  #refusedSince: number | undefined;

  constructor(observer: Observer, now: () => number) {
    this.#observer = observer;
    this.#now = now;
  }

  /** Whether everything that the rules need could be judged just now. */
  judged(isKnown: boolean): void {
    this.#unjudgedSince = isKnown ? undefined : (this.#unjudgedSince ?? this.#now());
    this.#refusedSince = this.#observer.isRefused ? (this.#refusedSince ?? this.#now()) : undefined;
  }

  /** What has not been possible for too long, and why. */
  get blindness(): { what: 'fetched' | 'judged'; ms: number; why: string } | undefined {
    const { ms = 0, error } = this.#observer.blindness ?? {};
    if (ms >= blindAfterMs) return { what: 'fetched', ms, why: factsOf(error).message };
    const unjudgedMs = this.#unjudgedSince === undefined ? 0 : this.#now() - this.#unjudgedSince;
    if (unjudgedMs >= blindAfterMs) return { what: 'judged', ms: unjudgedMs, why: 'its equity is unknown' };
    return undefined;
  }

  /** Whether everything is known. */
  get isClear(): boolean {
    return this.#observer.blindness === undefined && this.#unjudgedSince === undefined;
  }

  /** The refusal of the credential, once every read has met it for a minute. */
  get refusal(): unknown {
    if (this.#refusedSince === undefined || this.#now() - this.#refusedSince < refusedAfterMs) return undefined;
    return this.#observer.blindness?.error;
  }
}
