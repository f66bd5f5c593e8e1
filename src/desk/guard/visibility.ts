import { factsOf } from '../../base/failure/report.ts';

/**
 * The account has to be unreadable for this long before that is an alert, ms: within a minute, also on a slow machine.
 */
export const blindAfterMs = 45_000;
/** A credential that is refused for this long is not accepted again soon, ms. */
export const refusedAfterMs = 60_000;

/** Actions that have been impossible, for how long (ms), and why. */
export interface Blindness {
  what: 'fetched' | 'judged';
  ms: number;
  why: string;
}

/** What reads say about themselves. */
interface Sight {
  readonly blindness: { readonly ms: number; readonly error: unknown } | undefined;
  readonly isRefused: boolean;
}

/** Whether a guard has enough data to judge, and since when it doesn't. */
export class Visibility {
  readonly #reads: Sight;
  readonly #now: () => number;
  /** Since when a value that the rules need has been unknown, which one, and since when the credential is refused. */
  #unjudgedSince: number | undefined;
  #unknown = '';
  #refusedSince: number | undefined;

  constructor(reads: Sight, now: () => number) {
    this.#reads = reads;
    this.#now = now;
  }

  /** The needs of the rules that could not be judged just now; undefined if all could. */
  judged(unknown: string | undefined): void {
    this.#unjudgedSince = unknown === undefined ? undefined : (this.#unjudgedSince ?? this.#now());
    this.#unknown = unknown ?? '';
    this.#refusedSince = this.#reads.isRefused ? (this.#refusedSince ?? this.#now()) : undefined;
  }

  /** Actions that have been impossible for too long. */
  get blindness(): Blindness | undefined {
    const { ms = 0, error } = this.#reads.blindness ?? {};
    if (ms >= blindAfterMs) return { what: 'fetched', ms, why: factsOf(error).message };
    const unjudgedMs = this.#unjudgedSince === undefined ? 0 : this.#now() - this.#unjudgedSince;
    if (unjudgedMs >= blindAfterMs) return { what: 'judged', ms: unjudgedMs, why: this.#unknown };
    return undefined;
  }

  /** Whether everything is known. */
  get isClear(): boolean {
    return this.#reads.blindness === undefined && this.#unjudgedSince === undefined;
  }

  /** The refusal of the credential, once every read has been refused for a minute. */
  get refusal(): unknown {
    if (this.#refusedSince === undefined || this.#now() - this.#refusedSince < refusedAfterMs) return undefined;
    return this.#reads.blindness?.error;
  }
}
