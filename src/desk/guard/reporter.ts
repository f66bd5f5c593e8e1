import { factsOf } from '../../base/failure/report.ts';
import { counted, dateTime, quantity } from '../../base/text/format.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { Stage } from '../session/session.ts';
import type { Step, Task } from './guard-state.ts';
import type { Reads } from './reads.ts';

/** One line of `perp guard`: what happened, at the exchange's time (or wall time before the first read), Unix ms. */
export interface GuardEvent {
  event:
    | 'fired'
    | 'did'
    | 'not_done'
    | 'stop_moved'
    | 'stop_not_moved'
    | 'blind'
    | 'sees'
    | 'another_run'
    | 'alert_failed';
  time: number;
  /** Null before the host has said which one it is. */
  account_id: string | null;
  /** The rule's kind. */
  rule?: string;
  /** The trigger's key. */
  key?: string;
  /** The event, as text. */
  says: string;
  facts?: Readonly<Record<string, unknown>>;
  /** The actions of a trigger, or the one that was done: lock, cancel, flatten, close. */
  steps?: readonly string[];
}

/** Reports each action of a guard as one event. */
export class Reporter {
  readonly #now: () => number;
  readonly #tell: (event: GuardEvent) => void;
  /** Undefined until the host has said which one it is. */
  account: string | undefined;
  #isBlind = false;
  /** Exchange time of the latest view; undefined before the first. */
  time: number | undefined;

  /** `now`: wall time, Unix ms. */
  constructor(now: () => number, tell: (event: GuardEvent) => void) {
    this.#now = now;
    this.#tell = tell;
  }

  /** A trigger as JSON, for output and for programs. */
  recordOf(task: Task): GuardEvent {
    const { time, rule, key, says, facts } = task;
    const steps = [...new Set(task.steps.map(({ kind }) => kind))].filter((kind) => kind !== 'exec');
    return { event: 'fired', time, account_id: this.account ?? null, rule, key, says, facts, steps };
  }

  fired(task: Task): void {
    this.#tell(this.recordOf(task));
  }

  did({ rule, key }: Task, step: Step): void {
    this.#tell({ ...this.#event('did', doneWords(step)), rule, key, steps: [step.kind] });
  }

  failed({ rule, key }: Task, step: Step, why: string, isLeft: boolean): void {
    const says = `Not done yet, ${step.kind}: ${why.replace(/\.$/, '')}; ${isLeft ? 'left for the next run' : 'trying again'}`;
    this.#tell({ ...this.#event('not_done', says), rule, key, steps: [step.kind] });
  }

  execFailed({ rule, key }: Task, trouble: string): void {
    this.#tell({ ...this.#event('alert_failed', `The alert program failed: ${trouble}`), rule, key });
  }

  /** A rule moves a stop; `isMoved`: there was one before. `trouble`: why it failed. */
  moved(rule: string, { id, side, symbol }: Position, stop: number, isMoved: boolean, trouble?: string): void {
    const place = `${side} ${symbol} ${isMoved ? 'to' : 'at'} ${quantity(stop)}`;
    const done = isMoved ? `Moved the stop of ${place}` : `Placed a stop for ${place}`;
    const tried = `${isMoved ? 'Moving the stop of' : 'Placing a stop for'} ${place} failed: ${trouble}`;
    const event = trouble === undefined ? this.#event('stop_moved', done) : this.#event('stop_not_moved', tried);
    this.#tell({ ...event, rule, facts: { position_id: id, stop } });
  }

  /** Reported once until the account can be read again. */
  isBlind(why: string, what: Blindness['what'] = 'fetched'): void {
    if (!this.#isBlind) this.#tell(this.#event('blind', `The account could not be ${what}: ${why}`));
    this.#isBlind = true;
  }

  /** Whether an unknown value was reported. */
  get hasToldBlindness(): boolean {
    return this.#isBlind;
  }

  /** The obstacle to reading or judging the account; undefined if there is none. */
  sight(error: unknown): void {
    if (error === undefined) this.sees();
    else this.isBlind(factsOf(error).message);
  }

  sees(): void {
    if (this.#isBlind) this.#tell(this.#event('sees', 'The account can be fetched again'));
    this.#isBlind = false;
  }

  /** The simulation was reset or restored. */
  begins(): void {
    this.time = undefined;
    const says = 'The simulation was reset or restored: the guard starts over with the account as it is now';
    this.#tell(this.#event('another_run', says));
  }

  /** Exchange time of the latest view, else wall time, Unix ms. */
  get now(): number {
    return this.time ?? this.#now();
  }

  #event(event: GuardEvent['event'], says: string): GuardEvent {
    return { event, time: this.now, account_id: this.account ?? null, says };
  }
}

function doneWords({ kind, until, positions = [] }: Step): string {
  if (kind === 'lock') return `Locked until ${dateTime(until ?? 0)}: perp refuses anything that adds exposure`;
  if (kind === 'cancel') return 'Every order is canceled';
  if (kind === 'flatten') return 'Flat: no position is open, and every order is canceled';
  return `Closed ${counted(positions.length, 'position')}`;
}

/** Resolves after the time, or at once when the signal aborts. */
export function pause(timers: Stage['timers'], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

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

/** Whether a guard has enough data to judge, and since when it doesn't. */
export class Visibility {
  readonly #reads: Pick<Reads, 'blindness' | 'isRefused'>;
  readonly #now: () => number;
  /** Since when a value that the rules need has been unknown, which one, and since when the credential is refused. */
  #unjudgedSince: number | undefined;
  #unknown = '';
  #refusedSince: number | undefined;

  constructor(reads: Pick<Reads, 'blindness' | 'isRefused'>, now: () => number) {
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
