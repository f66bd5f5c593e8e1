import { factsOf } from '../../base/failure/report.ts';
import { readLock } from '../lock/trading-lock.ts';
import type { Stage } from '../session/session.ts';
import { Actions, Stops } from './actions.ts';
import type { Task } from './guard-state.ts';
import { Streams } from './guard-streams.ts';
import { judge } from './judge.ts';
import { seenPlans } from './plans.ts';
import { Reads } from './reads.ts';
import { type Blindness, pause, Visibility } from './reporter.ts';
import { followedBy, judgesEquity, needsOf, type Rules } from './rules.ts';
import { Tasks, type TasksOptions } from './tasks.ts';
import { equityOf, type GuardView, hasEnded } from './view.ts';

/** The account, the rules and everything else that one guard works with. */
interface GuardOptions extends Omit<TasksOptions, 'now' | 'wake'> {
  rules: Rules;
  files: { state: string; plans: string };
  /** The environment's name. */
  place: string;
  timers: Stage['timers'];
}

/** How often the account is read: with an account stream, and without one or with a market whose marks are missing. */
const toldEveryMs = 10_000;
const untoldEveryMs = 4_000;
/** After a change it is read sooner, but a series of changes must not use up the rate limit. */
const staleEveryMs = 1_000;
/** Rules are judged at most this often, however fast prices change. */
const restMs = 200;
/** Heartbeats and hours are checked this often. */
const beatMs = 1_000;
/** Actions that close positions run this far ahead of the files. */
const headStartMs = 10;
/** A loss is checked again before it is acted on, at most for this long. */
const doubtMs = 3_000;
/** The fills that ended an account are read for at most this long. */
const endMs = 10_000;
/** How often a single check tries to read, and to move the stops of positions that change in the meantime. */
const onceAttempts = 5;
/** How soon a single check reads again what it could not read. */
const onceEveryMs = 500;

/**
 * Watches one account: reads it, judges the rules, and acts. Reading, judging, acting and alerting run in parallel, so
 * none of them waits for one that fails or hangs.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #reads: Reads;
  readonly #actions: Actions;
  readonly #tasks: Tasks;
  readonly #stops: Stops;
  readonly #sight: Visibility;
  readonly #streams: Streams;
  /** When the last look began; undefined before the first. */
  #lookedAt: number | undefined;
  #isLooking = false;
  /** The account has changed since then. */
  #isStale = true;
  /** A loss was seen at this time, and the account has to be read once more. */
  #doubtedAt: number | undefined;
  #isMoving = false;
  /** When the account was first seen to have ended. */
  #endedAt: number | undefined;
  /** Why the latest view could not be judged, and why the guard has to end. */
  #unjudged: unknown;
  #fatal: unknown;
  #wake = () => {};

  constructor(options: GuardOptions) {
    const { session, account, rules, timers } = options;
    this.#options = options;
    const now = () => timers.uptime();
    const wake = () => this.#wake();
    this.#reads = new Reads(session, account, rules, { now, before: options.state });
    this.#sight = new Visibility(this.#reads, now);
    this.#stops = new Stops({ ...options, now });
    this.#tasks = new Tasks({ ...options, now, wake });
    this.#actions = new Actions({ ...options, tasks: this.#tasks, changed: () => this.#changed() });
    this.#streams = new Streams({
      ...{ ...options, reads: this.#reads, moved: wake },
      begun: () => this.#startAnew(),
      stale: () => {
        this.#isStale = true;
        this.#wake();
      },
    });
  }

  /** The simulation was reset or restored: this guard's memory and pending actions belong to another run. */
  #startAnew(): void {
    this.#actions.abandon();
    this.#tasks.forget(this.#reads.states.run);
    this.#stops.forget();
    this.#reads.startAnew();
    this.#sight.judged(undefined);
    this.#doubtedAt = undefined;
    this.#endedAt = undefined;
    this.#isStale = true;
    this.#options.reporter.begins();
    this.#wake();
  }

  /** Steps that are not done yet. */
  get unfinished(): number {
    return this.#tasks.open.length;
  }

  /**
   * Reads once, judges, and acts on the known values. Whether everything that the rules need was known; if not, that
   * was reported. Throws if the account can't be read, or a market in the rules does not exist.
   */
  async once(): Promise<boolean> {
    const { session, timers } = this.#options;
    this.#actions.begin(this.#tasks.open, undefined);
    await this.#lookOnce();
    for (let nth = 1; nth < onceAttempts && this.#unknown() !== undefined; nth++) {
      await pause(timers, onceEveryMs, session.signal);
      await this.#lookOnce();
    }
    const isKnown = await this.#reportUnknown();
    if ((await this.#judge()) === 'doubt') {
      await this.#look();
      await this.#judge();
    }
    await this.#finished();
    await this.#reads.readTicks();
    for (let nth = 1; (await this.#moveStops()) === false && nth < onceAttempts; nth++) await this.#look();
    await this.#finished();
    session.signal.throwIfAborted();
    this.#tasks.save('durable');
    return isKnown;
  }

  /** Finds the markets in the rules, if it can, and reads. */
  async #lookOnce(): Promise<void> {
    await this.#reads.begin().catch((error: Error) => {
      if (error.name === 'Failure') throw error;
    });
    await this.#look();
  }

  /**
   * Watches until the signal aborts, which throws its reason, or the account has ended: then returns whether it knows
   * how.
   */
  async run(): Promise<boolean> {
    const { session, alerts } = this.#options;
    try {
      this.#actions.begin(this.#tasks.open, undefined);
      this.#findMarkets();
      while (true) {
        session.signal.throwIfAborted();
        if (this.#fatal !== undefined) throw this.#fatal;
        this.#streams.begin();
        if (this.#isDue()) void this.#look().catch(() => {});
        await this.#judgeSafely();
        this.#watchSight();
        void this.#moveStops();
        this.#tasks.paper();
        const account = this.#reads.view()?.account;
        const isOver = account !== undefined && hasEnded(account) && this.#hasReadTheEnd();
        if (isOver && alerts.isIdle && this.unfinished === 0) return this.#reads.wasReadAfter('fills', this.#endedAt!);
        await this.#rest();
      }
    } finally {
      this.#streams.close();
      this.#tasks.save('durable');
    }
  }

  /** Whether the fills that ended the account have been read, or could not be for a while. */
  #hasReadTheEnd(): boolean {
    const now = this.#options.timers.uptime();
    this.#endedAt ??= now;
    const isOver =
      now - this.#endedAt > endMs || (this.#reads.wasReadAfter('fills', this.#endedAt) && !this.#isLooking);
    this.#isStale ||= !isOver;
    return isOver;
  }

  /** Waits until nothing is being closed and no alert is running. */
  async #finished(): Promise<void> {
    await this.#actions.finished();
    this.#tasks.paper();
    await this.#options.alerts.finished();
  }

  /** The guard itself has changed the account. */
  #changed(): void {
    this.#reads.changed(this.#streams.accounts.now());
    this.#isStale = true;
  }

  #isDue(): boolean {
    if (this.#isLooking || this.#streams.isFindingRun) return false;
    if (this.#lookedAt === undefined) return true;
    if (this.#doubtedAt !== undefined && this.#lookedAt <= this.#doubtedAt) return true;
    const isTold = this.#streams.areChangesTold && !this.#reads.hasQuietMarkets;
    const isSeen = isTold && this.#reads.blindness === undefined;
    const every = this.#isStale ? staleEveryMs : isSeen ? toldEveryMs : untoldEveryMs;
    return this.#options.timers.uptime() - this.#lookedAt >= every;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#isStale = false;
    this.#lookedAt = this.#options.timers.uptime();
    try {
      await this.#reads.look(this.#streams.accounts, this.#tasks.state.fills?.at(-1));
      this.#streams.follow();
    } finally {
      this.#isLooking = false;
      this.#wake();
    }
  }

  #view(): GuardView | undefined {
    const known = this.#reads.view();
    if (known === undefined) return undefined;
    const isHeld = known.positions.length > 0 && this.#reads.isCurrent && !this.#actions.isClosing;
    const silences = this.#options.heartbeats.silences();
    const { rules, files } = this.#options;
    const plans = needsOf(rules).has('plans') ? seenPlans(files.plans, known.working) : [];
    return { ...known, plans, silences, exposed: isHeld && this.#isLocked() };
  }

  /** Whether the account is locked, or would be if the file could be written. */
  #isLocked(): boolean {
    const { locks, account } = this.#options;
    const isPending = this.#tasks.open.some(({ steps }) => steps.some(({ kind }) => kind === 'lock'));
    return isPending || readLock(locks, account) !== undefined;
  }

  /** Judges the known values and begins the resulting actions; `doubt` if a loss has to be read once more first. */
  async #judge(): Promise<'doubt' | undefined> {
    const { rules, reporter, session, timers } = this.#options;
    const view = this.#view();
    if (view === undefined) return undefined;
    reporter.time = view.time;
    const before = this.#tasks.state;
    const known = before.tasks.length;
    let after = judge(rules, view, before);
    const isDoubtful = this.#doubts(after.tasks.slice(known));
    if (isDoubtful) {
      const others = rules.rules.filter(({ kind }) => !judgesEquity(kind));
      after = judge({ ...rules, rules: others }, view, before);
    }
    const hasFired = after.tasks.length > known;
    const { risk: _, ...account } = view.account;
    const { run } = this.#reads.states;
    this.#tasks.take({ ...after, run, account, markets: Object.fromEntries(this.#reads.marketIds) });
    this.#actions.begin(this.#tasks.open, hasFired && view.counts.positions ? view.positions : undefined);
    if (hasFired && !session.settings.dryRun) await pause(timers, headStartMs, session.signal);
    this.#tasks.save(hasFired ? 'durable' : 'quick');
    return isDoubtful ? 'doubt' : undefined;
  }

  /** An answer that can't be judged is treated as none. */
  async #judgeSafely(): Promise<void> {
    try {
      await this.#judge();
      this.#unjudged = undefined;
    } catch (error) {
      this.#options.session.signal.throwIfAborted();
      this.#unjudged = error;
    }
  }

  /**
   * Whether a loss may come from answers that were given before and after a fill: then the account is read once more,
   * if that is possible within a few seconds.
   */
  #doubts(fresh: readonly Task[]): boolean {
    if (!fresh.some(({ rule }) => judgesEquity(rule))) {
      this.#doubtedAt = undefined;
      return false;
    }
    const now = this.#options.timers.uptime();
    const isFirst = this.#doubtedAt === undefined;
    this.#doubtedAt ??= now;
    if (this.#options.isOnce) return isFirst;
    const isRead = !this.#isLooking && this.#lookedAt !== undefined && this.#lookedAt > this.#doubtedAt;
    return !isRead && now - this.#doubtedAt < doubtMs;
  }

  /** Alerts when the account can't be read, or its equity is unknown, and when it can be judged again. */
  #watchSight(): void {
    const { reporter, session } = this.#options;
    reporter.sight(this.#reads.blindness?.error ?? this.#unjudged);
    this.#sight.judged(this.#unjudged === undefined ? this.#unmarked() : factsOf(this.#unjudged).message);
    const blind = this.#sight.blindness;
    if (blind !== undefined) {
      const seconds = Math.floor(blind.ms / 1000);
      const says = `The account could not be ${blind.what} for ${seconds}s: ${blind.why}`;
      this.#tasks.notice('blind', { key: this.#newKey('blind'), says, facts: { blind_ms: blind.ms } });
    } else if (this.#sight.isClear) this.#seesAgain();
    this.#fatal ??= this.#sight.refusal;
    if (this.#reads.blindness !== undefined && session.settings.environment === 'sim' && !this.#actions.isClosing)
      this.#streams.reopen();
  }

  /** Values that the rules need and that are unknown, although the account was read. */
  #unmarked(): string | undefined {
    const view = this.#reads.view();
    if (view === undefined) return undefined;
    if (needsOf(this.#options.rules).has('equity') && equityOf(view) === null) return 'its equity is unknown';
    const markets = this.#reads.unknownMarks;
    return markets.length === 0 ? undefined : `the price of ${markets.join(', ')} is unknown`;
  }

  /** Actions that aren't possible with the known values, and why. */
  #unknown(): Pick<Blindness, 'what' | 'why'> | undefined {
    const { blindness } = this.#reads;
    if (blindness !== undefined) return { what: 'fetched', why: factsOf(blindness.error).message };
    const why = this.#unmarked();
    return why === undefined ? undefined : { what: 'judged', why };
  }

  #seesAgain(): void {
    if (!this.#tasks.clear('blind')) return;
    const says = 'The account can be fetched and judged again';
    this.#tasks.notice(undefined, { key: this.#newKey('seeing'), says, facts: {} });
  }

  /** A single check alerts at once, and not again in the next one. Whether everything is known. */
  async #reportUnknown(): Promise<boolean> {
    const unknown = this.#unknown();
    if (unknown === undefined) {
      this.#seesAgain();
      return true;
    }
    const { what, why } = unknown;
    this.#options.reporter.isBlind(why, what);
    this.#tasks.notice('blind', {
      ...{ key: this.#newKey('blind'), says: `The account could not be ${what}: ${why}` },
      facts: {},
    });
    if (this.#reads.view() !== undefined) return false;
    await this.#finished();
    throw this.#reads.blindness?.error;
  }

  /** Exchange time may stand still, so the key includes a count to be unique. */
  #newKey(word: string): string {
    return `${word}@${this.#options.reporter.now}.${this.#tasks.state.fired.length}`;
  }

  /** False if positions or exits have changed, so that they have to be read again. */
  async #moveStops(): Promise<boolean | undefined> {
    const { session, rules, isOnce } = this.#options;
    const view = this.#view();
    if (session.settings.dryRun || this.#isMoving || view === undefined || this.#actions.isClosing) return undefined;
    if (!this.#reads.isCurrent) return isOnce ? false : undefined;
    this.#isMoving = true;
    try {
      const isCurrent = await this.#stops.move(followedBy(rules, view, this.#tasks.state.best));
      if (isCurrent !== undefined) this.#changed();
      return isCurrent;
    } catch {
      // Stopped.
      return undefined;
    } finally {
      this.#isMoving = false;
    }
  }

  /** Finds the markets in the rules; one that does not exist ends the guard. */
  #findMarkets(): void {
    const { timers, session } = this.#options;
    this.#reads.begin().catch(async (error: unknown) => {
      if ((error as Error).name === 'Failure') this.#fatal = error;
      else if (!session.signal.aborted) {
        await pause(timers, untoldEveryMs, session.signal);
        this.#findMarkets();
      }
    });
  }

  /** Waits for a change, at most for one beat. */
  async #rest(): Promise<void> {
    const { timers, session } = this.#options;
    await pause(timers, restMs, session.signal);
    if (this.#isStale && !this.#isLooking) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(timers, beatMs - restMs, AbortSignal.any([session.signal, woken.signal]));
    this.#wake = () => {};
  }
}
