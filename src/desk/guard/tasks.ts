import { factsOf } from '../../base/failure/report.ts';
import { lockAccount } from '../lock/trading-lock.ts';
import type { Session } from '../session/session.ts';
import type { Alerts } from './alerts.ts';
import { freshState, type GuardState, type Heartbeats, type Step, type Task, writeState } from './guard-state.ts';
import { type Notice, withNotice } from './judge.ts';
import type { Reporter } from './reporter.ts';

/** The state that tasks are kept in, and who reports and alerts. */
export interface TasksOptions {
  session: Session;
  account: string;
  /** Folder of the environment's locks. */
  locks: string;
  files: { state: string };
  state: GuardState;
  reporter: Reporter;
  alerts: Alerts;
  heartbeats: Heartbeats;
  isOnce: boolean;
  /** Steady clock, ms. */
  now(): number;
  /** Something changed. */
  wake(): void;
}

/** A step that is not done after this time is reported as an alert. */
const stuckMs = 30_000;
/** A file that could not be written is tried again after this time. */
const againMs = 5_000;
/** Another reason for the same failure is reported at most this often. */
const newsMs = 20_000;
/** Number of alerts that may wait for their program; beyond it, the oldest is dropped. */
const maxWaiting = 500;

/** A step's failure: its start, the next try, the reason, and the last report. */
interface Failing {
  since: number;
  nextAt: number;
  why: string;
  toldAt: number;
}

/** Pending actions of fired rules, stored on disk if possible, and messages about them. */
export class Tasks {
  readonly #options: TasksOptions;
  #state: GuardState;
  readonly #failing = new Map<string, Failing>();
  #saved = '';
  #isUnsaved = false;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.#state = options.state;
  }

  get state(): GuardState {
    return this.#state;
  }

  get open(): readonly Task[] {
    return this.#state.tasks;
  }

  /** Drops everything: another run of the simulation has begun. */
  forget(run: string | undefined): void {
    this.#failing.clear();
    // It saw the run begin, so every fill in it is news.
    this.#state = { ...freshState, run, fills: this.#state.fills === null ? null : [] };
    this.save('durable');
  }

  /** Takes over a judged state, and reports the rules that have fired. */
  take(after: GuardState): void {
    const known = new Set(this.#state.tasks.map(({ key }) => key));
    const { session, reporter } = this.#options;
    for (const task of after.tasks) if (!known.has(task.key)) reporter.fired(task);
    const open = session.settings.dryRun ? [] : after.tasks.filter(({ steps }) => steps.length > 0);
    this.#state = { ...after, tasks: bounded(open) };
  }

  /** Fires a notice; one with an episode, only once until `clear` ends it. */
  notice(episode: string | undefined, notice: Notice): void {
    const { reporter, alerts } = this.#options;
    if (episode !== undefined && this.#state.holding[episode] !== undefined) return;
    const holding = episode === undefined ? this.#state.holding : { ...this.#state.holding, [episode]: {} };
    this.take(withNotice({ ...this.#state, holding }, notice, reporter.now, alerts.hasProgram));
    this.save('durable');
    this.#options.wake();
  }

  /** Ends an episode; false if there was none. */
  clear(episode: string): boolean {
    const { [episode]: ended, ...holding } = this.#state.holding;
    if (ended === undefined) return false;
    this.#state = { ...this.#state, holding };
    return true;
  }

  /** Carries out the other parts: locks and alerts. */
  paper(): void {
    for (const task of this.#state.tasks)
      for (const step of task.steps) {
        if (this.#options.now() < (this.#failing.get(nameOf(task, step))?.nextAt ?? 0)) continue;
        if (step.kind === 'lock') this.#lock(task, step);
        if (step.kind === 'exec') this.#alert(task, step);
      }
    this.#watchStuck();
  }

  done(task: Task, step: Step): void {
    this.#failing.delete(nameOf(task, step));
    this.#replace(task, step, undefined);
    this.#options.reporter.did(task, step);
  }

  /** Reports a failure when it is new, and again after a while. */
  failed(task: Task, step: Step, why: string): void {
    const { reporter, isOnce } = this.#options;
    const now = this.#options.now();
    const known = this.#failing.get(nameOf(task, step));
    const isNews = known === undefined || now - known.toldAt >= (known.why === why ? 2 * stuckMs : newsMs);
    const toldAt = isNews ? now : known.toldAt;
    this.#failing.set(nameOf(task, step), { since: known?.since ?? now, nextAt: now + againMs, why, toldAt });
    if (isNews) reporter.failed(task, step, why, isOnce);
  }

  save(speed: 'durable' | 'quick'): void {
    const { session, files, heartbeats, reporter } = this.#options;
    if (session.settings.dryRun) return;
    const { time, heartbeats: _, account: __, ...lasting } = this.#state;
    const text = JSON.stringify({ ...lasting, minute: Math.floor((time ?? 0) / 60_000) });
    if (text === this.#saved && speed === 'quick') return;
    try {
      writeState(files.state, { ...this.#state, heartbeats: heartbeats.kept }, speed);
      this.#saved = text;
      this.#isUnsaved = false;
    } catch (error) {
      if (this.#isUnsaved) return;
      this.#isUnsaved = true;
      const says = `The guard's state can't be written: ${factsOf(error).message} It still acts; after a restart, it may act and alert again`;
      this.notice(undefined, { key: `unsaved@${reporter.now}.${this.#state.fired.length}`, says, facts: {} });
    }
  }

  /** Locks the account, in a file. */
  #lock(task: Task, step: Step): void {
    const { account, locks } = this.#options;
    try {
      lockAccount(locks, { account, since: task.time, until: step.until ?? 0, why: task.says });
      this.done(task, step);
    } catch (error) {
      this.failed(task, step, factsOf(error).message);
    }
  }

  #alert(task: Task, step: Step): void {
    const { reporter, alerts, wake } = this.#options;
    if (!alerts.hasProgram) this.#replace(task, step, undefined);
    if (!alerts.isFree(task.key)) return;
    const begun: Step = { ...step, begun: true };
    this.#replace(task, begun, begun);
    alerts.start(task.key, { ...reporter.recordOf(task), repeated: step.begun === true }, (trouble) => {
      this.#replace(task, begun, undefined);
      if (trouble !== undefined) reporter.execFailed(task, trouble);
      wake();
    });
  }

  /** Alerts once about a step that is still not done. */
  #watchStuck(): void {
    const now = this.#options.now();
    for (const task of this.#state.tasks)
      for (const step of task.steps) {
        const failing = this.#failing.get(nameOf(task, step));
        const key = `${task.key}.${step.kind}.stuck`;
        if (failing === undefined || now - failing.since < stuckMs || this.#state.fired.includes(key)) continue;
        const says = `Still not done, ${step.kind}: ${failing.why.replace(/\.$/, '')}. The cause: ${task.says}`;
        this.notice(undefined, { key, says, facts: { step: step.kind, why: failing.why } });
      }
  }

  /** Replaces or removes a step of a task; on disk when this returns, if the disk accepts it. */
  #replace(task: Task, step: Step, next: Step | undefined): void {
    const tasks = this.#state.tasks.flatMap((one) => {
      if (one.key !== task.key) return [one];
      const steps = one.steps.flatMap((other) =>
        other.nth === step.nth ? (next === undefined ? [] : [next]) : [other],
      );
      return steps.length === 0 ? [] : [{ ...one, steps }];
    });
    this.#state = { ...this.#state, tasks };
    this.save('durable');
  }
}

function nameOf(task: Task, step: Step): string {
  return `${task.key} ${step.nth}`;
}

/** Alerts whose program is too slow are dropped, oldest first; nothing else is. */
function bounded(tasks: readonly Task[]): Task[] {
  const surplus = tasks.filter(({ steps }) => steps.every(({ kind }) => kind === 'exec')).slice(0, -maxWaiting);
  return surplus.length === 0 ? [...tasks] : tasks.filter((task) => !surplus.includes(task));
}
