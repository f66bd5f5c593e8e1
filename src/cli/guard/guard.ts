import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { factsOf } from '../failure/report.ts';
import { followAccounts } from '../reading/account-changes.ts';
import { jsonText } from '../text/plain-text.ts';
import { type Outcome, perform } from './actions.ts';
import { runExec } from './exec.ts';
import { type GuardState, type Step, type Task, writeState } from './guard-state.ts';
import { Heartbeats } from './heartbeats.ts';
import { judge } from './judge.ts';
import { MarksStream } from './marks-stream.ts';
import { Observer } from './observer.ts';
import type { Reporter } from './reporter.ts';
import type { Rules } from './rules.ts';
import { followed } from './trail.ts';
import { type GuardView, hasEnded } from './view.ts';

export interface GuardOptions {
  context: Context;
  rules: Rules;
  account: string;
  files: { state: string };
  /** Folder of the environment's locks, and the environment's name. */
  locks: string;
  place: string;
  state: GuardState;
  reporter: Reporter;
  /** Monotonic clock, ms. */
  monotonic(): number;
}

/** How often the account is read: with an account stream, and without one. */
const toldEveryMs = 10_000;
const untoldEveryMs = 4_000;
/** After a change it is read sooner, but a series of changes must not use up the rate limit. */
const staleEveryMs = 1_000;
/** Rules are judged at most this often, however fast prices change. */
const restMs = 200;
/** Heartbeats and hours are checked this often. */
const beatMs = 1_000;
/** Delay before a failed step is retried; doubled each time. */
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** A stop moves at most this often. */
const moveEveryMs = 1_000;
/** How often a single check tries to move the stops of positions that change in the meantime. */
const onceAttempts = 5;
/** Number of programs that may run at the same time. */
const maxExecs = 4;
/** Number of alerts that may wait for their program; beyond it, the oldest is dropped. */
const maxWaiting = 500;

/** Watches one account until Ctrl-C: reads it, judges the rules, and acts. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #observer: Observer;
  readonly #heartbeats: Heartbeats;
  #state: GuardState;
  /** The latest view; undefined before the first. */
  #seen: Omit<GuardView, 'silences' | 'blindMs'> | undefined;
  #lookedAt: number;
  /** The account has changed since then. */
  #isStale = true;
  /** The guard itself has changed it since then. */
  #hasActed = false;
  #areChangesTold = false;
  #stream: MarksStream | undefined;
  readonly #stops: (() => void)[] = [];
  #wake = () => {};
  readonly #retries = new Map<Step, { at: number; waitMs: number }>();
  readonly #moves = new Map<string, number>();
  readonly #execs = new Map<string, Promise<void>>();
  #saved = '';

  constructor(options: GuardOptions) {
    const { context, account, rules, state, monotonic } = options;
    this.#options = options;
    this.#observer = new Observer(context, account, rules);
    const files = rules.rules.flatMap((rule) => (rule.kind === 'heartbeat' ? [rule.file] : []));
    this.#heartbeats = new Heartbeats(files, monotonic);
    this.#state = state;
    this.#lookedAt = monotonic();
  }

  /** Steps that are not done yet. */
  get unfinished(): number {
    return this.#state.tasks.length;
  }

  /** Reads once, judges, and acts. Throws errors from reading. */
  async once(): Promise<void> {
    (await this.#options.context.connection()).intents.given = undefined;
    await this.#observer.begin();
    await this.#look();
    this.#judge();
    await this.#act();
    for (let attempt = 1; !(await this.#moveStops()) && attempt < onceAttempts; attempt++) await this.#look();
    while (this.#execs.size > 0) {
      await Promise.all(this.#execs.values());
      await this.#act();
    }
  }

  /** Watches until the signal aborts, which throws its reason, or until the account has ended. */
  async run(): Promise<void> {
    const { context } = this.#options;
    try {
      await this.#follow();
      while (true) {
        context.signal.throwIfAborted();
        if (this.#isDue()) await this.#tryToLook();
        if (this.#seen !== undefined) {
          this.#judge();
          await this.#act();
          await this.#moveStops();
          if (hasEnded(this.#seen.account) && this.#execs.size === 0) return;
        }
        await this.#rest();
      }
    } finally {
      this.#unfollow();
      await Promise.all(this.#execs.values());
      this.#save('durable');
    }
  }

  /** Follows the streams that the host offers. */
  async #follow(): Promise<void> {
    const { context } = this.#options;
    // The guard sends many different writes, so its command can't identify repetitions.
    (await context.connection()).intents.given = undefined;
    this.#stops.push(await this.#followAccount(), await this.#followMarks());
  }

  #unfollow(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#stream = undefined;
    this.#areChangesTold = false;
  }

  async #followAccount(): Promise<() => void> {
    const { context, account } = this.#options;
    const { account: host } = await (await context.connection()).streams();
    if (host === undefined) return () => {};
    return followAccounts(context, host, {
      onFrame: (frame) => {
        if (!('account_id' in frame) || frame.account_id !== account) return;
        this.#isStale = true;
        this.#wake();
      },
      onState: ({ kind }) => {
        this.#areChangesTold = kind === 'live';
        this.#isStale = true;
      },
      onEnd: () => {
        this.#areChangesTold = false;
      },
    });
  }

  async #followMarks(): Promise<() => void> {
    const { market } = await (await this.#options.context.connection()).streams();
    if (market === undefined) return () => {};
    const stream = await MarksStream.open(market, () => this.#wake());
    this.#stream = stream;
    return () => stream.close();
  }

  #isDue(): boolean {
    const every = this.#isStale ? staleEveryMs : this.#areChangesTold ? toldEveryMs : untoldEveryMs;
    return this.#seen === undefined || this.#options.monotonic() - this.#lookedAt >= every;
  }

  /** While the account can't be read, the last view is judged, with the time since then. */
  async #tryToLook(): Promise<void> {
    const { context, reporter } = this.#options;
    try {
      await this.#observer.begin();
      await this.#look();
      reporter.sees();
    } catch (error) {
      context.signal.throwIfAborted();
      const { exit, message } = factsOf(error);
      const isSimulation = context.settings.environment === 'sim';
      const mayPass: readonly number[] = [exitCodes.unavailable, exitCodes.outcomeUnknown, exitCodes.conflict];
      if (!mayPass.includes(exit) && !(isSimulation && exit === exitCodes.notAllowed)) throw error;
      reporter.isBlind(message);
      this.#isStale = false;
      await delay(beatMs, undefined, { signal: context.signal });
      if (isSimulation) await this.#reopen();
    }
  }

  /** Finds the simulation again: it may now be served elsewhere, under another key, or not at all. */
  async #reopen(): Promise<void> {
    const { context } = this.#options;
    this.#unfollow();
    await context.reconnect();
    await this.#follow().catch(() => context.signal.throwIfAborted());
  }

  async #look(): Promise<void> {
    const { monotonic } = this.#options;
    this.#isStale = false;
    this.#hasActed = false;
    this.#seen = await this.#observer.look(this.#stream?.marks ?? new Map(), this.#state.fills?.at(-1));
    this.#lookedAt = monotonic();
    this.#stream?.follow(await this.#observer.marketsOf(this.#seen));
  }

  #view(): GuardView {
    const seen = this.#seen!;
    const streamed = this.#stream?.marks ?? new Map<string, number>();
    return {
      ...seen,
      time: Math.max(seen.time, streamed.size === 0 ? 0 : this.#stream!.time),
      marks: streamed.size === 0 ? seen.marks : new Map([...seen.marks, ...streamed]),
      silences: this.#heartbeats.silences(),
      blindMs: this.#options.monotonic() - this.#lookedAt,
    };
  }

  #judge(): void {
    const { rules, reporter } = this.#options;
    const view = this.#view();
    reporter.time = view.time;
    const known = this.#state.tasks.length;
    this.#state = judge(rules, view, this.#state);
    const tasks = this.#state.tasks.slice(known);
    const open = this.#options.context.settings.dryRun ? [] : this.#state.tasks.filter(({ steps }) => steps.length > 0);
    this.#state = { ...this.#state, tasks: bounded(open) };
    this.#save(tasks.length > 0 ? 'durable' : 'quick');
    for (const task of tasks) reporter.fired(task);
  }

  /** Does the pending steps, oldest first; failed ones are retried later. */
  async #act(): Promise<void> {
    for (const task of this.#state.tasks)
      for (const step of task.steps) if (step.kind === 'exec') this.#beginExec(task, step);
    for (const task of this.#state.tasks)
      for (const step of task.steps) if (step.kind !== 'exec' && !(await this.#perform(task, step))) break;
  }

  async #perform(task: Task, step: Step): Promise<boolean> {
    const { context, reporter, monotonic } = this.#options;
    const retry = this.#retries.get(step);
    if (retry !== undefined && monotonic() < retry.at) return false;
    let current = step;
    const keep = (next: Step) => {
      this.#replace(task, current, next);
      current = next;
    };
    const outcome: Outcome = await perform(this.#options, task, step, keep);
    this.#hasActed = true;
    (await context.connection()).intents.shown();
    this.#retries.delete(step);
    if (outcome.done) {
      this.#replace(task, current, undefined);
      reporter.did(task, current);
      this.#isStale = true;
      return true;
    }
    this.#replace(task, current, outcome.step);
    const waitMs = Math.min((retry?.waitMs ?? firstRetryMs / 2) * 2, longestRetryMs);
    this.#retries.set(outcome.step, { at: monotonic() + waitMs, waitMs });
    reporter.failed(task, step, outcome.why, waitMs);
    return false;
  }

  #beginExec(task: Task, step: Step): void {
    const { context, rules, reporter } = this.#options;
    if (this.#execs.has(task.key) || this.#execs.size >= maxExecs || rules.exec === null) return;
    const input = `${jsonText({ ...reporter.recordOf(task), repeated: step.begun === true })}\n`;
    const begun: Step = { ...step, begun: true };
    this.#replace(task, step, begun);
    const run = runExec(rules.exec, input, context.variables).then((trouble) => {
      this.#execs.delete(task.key);
      this.#replace(task, begun, undefined);
      if (trouble !== undefined) reporter.execFailed(task, trouble);
      this.#wake();
    });
    this.#execs.set(task.key, run);
  }

  /** False if positions or exits have changed, so that they have to be read again. */
  async #moveStops(): Promise<boolean> {
    const { context, rules, reporter, monotonic } = this.#options;
    if (context.settings.dryRun) return true;
    if (this.#hasActed) return false;
    let isCurrent = true;
    for (const { position, move, wanted } of followed(rules, this.#view(), this.#state.best)) {
      if (move === undefined || monotonic() < (this.#moves.get(position.id) ?? 0)) continue;
      this.#moves.set(position.id, monotonic() + moveEveryMs);
      try {
        await context.call('replacePositionExitOrders', { path: { position_id: position.id }, body: move });
        (await context.connection()).intents.shown();
        reporter.moved(position, wanted);
      } catch (error) {
        context.signal.throwIfAborted();
        const { code, message } = factsOf(error);
        if (code === 'stale_snapshot' || code === 'not_found') {
          isCurrent = false;
          this.#moves.delete(position.id);
        } else {
          this.#moves.set(position.id, monotonic() + 10 * moveEveryMs);
          reporter.notMoved(position, wanted, message);
        }
      }
      this.#isStale = true;
    }
    return isCurrent;
  }

  /** Replaces or removes a step of a task; on disk when this returns. */
  #replace(task: Task, step: Step, next: Step | undefined): void {
    const tasks = this.#state.tasks.flatMap((one) => {
      if (one.key !== task.key) return [one];
      const steps = one.steps.flatMap((other) =>
        other.nth === step.nth ? (next === undefined ? [] : [next]) : [other],
      );
      return steps.length === 0 ? [] : [{ ...one, steps }];
    });
    this.#state = { ...this.#state, tasks };
    this.#save('durable');
  }

  #save(speed: 'durable' | 'quick'): void {
    if (this.#options.context.settings.dryRun) return;
    const { time, ...lasting } = this.#state;
    const minute = Math.floor((time ?? 0) / 60_000);
    const text = JSON.stringify({ ...lasting, minute });
    if (text === this.#saved && speed === 'quick') return;
    this.#saved = text;
    writeState(this.#options.files.state, this.#state, speed);
  }

  /** Waits for a change, at most for one beat. */
  async #rest(): Promise<void> {
    const { signal } = this.#options.context;
    await delay(restMs, undefined, { signal });
    if (this.#isStale) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await delay(beatMs - restMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch((error) => {
      if (signal.aborted) throw error;
    });
    this.#wake = () => {};
  }
}

/** Alerts whose program is too slow are dropped, oldest first; nothing else is. */
function bounded(tasks: readonly Task[]): Task[] {
  const surplus = tasks.filter(({ steps }) => steps.every(({ kind }) => kind === 'exec')).slice(0, -maxWaiting);
  return surplus.length === 0 ? [...tasks] : tasks.filter((task) => !surplus.includes(task));
}
