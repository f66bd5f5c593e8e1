import type { Unit } from './plan.ts';
import { type Objective, scoreOf } from './returns.ts';
import { type TrialFacts, type TrialProblem, type TrialSpec, trialId } from './trial.ts';
import { type NewTrial, type TrialsFile, TrialsFileError } from './trials-file.ts';
import type { Pool } from './workers/pool.ts';

/** How far a sweep is. */
export interface SweepProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly elapsedMs: number;
  /** The best trial of this run so far. */
  readonly best: Scored | null;
  /** Trials that can't be written at the moment, and why. */
  readonly unwritten: { readonly count: number; readonly problem: string } | null;
}

/** A trial with its figure. */
interface Scored {
  readonly id: string;
  readonly spec: TrialSpec;
  readonly score: number;
  readonly result: TrialFacts;
}

/** Dependencies of a sweep. */
interface SweepOptions {
  readonly units: Iterable<Unit>;
  readonly total: number;
  readonly pool: Pool;
  readonly file: TrialsFile;
  readonly jobs: number;
  readonly objective: Objective;
  readonly signal: AbortSignal;
  onProgress(progress: SweepProgress): void;
}

/** Its outcome. */
export type SweepEnd = Awaited<ReturnType<typeof runSweep>>;

const writeEveryMs = 250;
/** Workers wait for the next trial during a write: writes are at least this many times their own duration apart. */
const pausePerWrite = 20;
const longestPauseMs = 2_000;
const retryWriteMs = 1_000;
const mostUnwritten = 1_000;

/** Runs the missing units, a few at a time; a trial is in the file completely, or not at all. */
export async function runSweep(options: SweepOptions) {
  return await new Sweep(options).run();
}

class Sweep {
  private readonly options: SweepOptions;
  private readonly began = performance.now();
  private readonly problems = new Map<string, { kind: TrialProblem; message: string; count: number }>();
  private readonly writer: Writer;
  private known = 0;
  private ran = 0;
  private failed = 0;
  private cpuMs = 0;
  private best: Scored | null = null;
  private readonly walked: (number | null)[] = [];
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(options: SweepOptions) {
    this.options = options;
    this.writer = new Writer(options.file, () => this.tell());
  }

  async run() {
    const { units, jobs, signal, pool } = this.options;
    const stop = () => pool.close();
    signal.addEventListener('abort', stop, { once: true });
    const left = units[Symbol.iterator]();
    const line = async () => {
      while (!signal.aborted && !this.writer.isStuck) {
        const { done, value } = left.next();
        if (done === true) return;
        await this.unit(value);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: jobs }, line));
    signal.removeEventListener('abort', stop);
    await this.writer.end();
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined && !signal.aborted) throw failure.reason;
    const { known, ran, failed, best, walked, cpuMs, problems } = this;
    const lost = this.writer.unwritten;
    return {
      /** The number of trials already in the file, run now, and, of these, failed. */
      ...{ known, ran, failed },
      ...{ best, cpuMs },
      /** For a walk-forward sweep: the available figures of its windows out of sample. */
      walked: walked as readonly (number | null)[],
      /** Trials that ran but aren't in the file, and why. */
      ...{ lost, unwritten: this.writer.problem },
      /** The errors, and the number of trials that had each. */
      problems: [...problems.values()],
      isWhole: lost === 0 && known + ran === this.options.total,
    };
  }

  private async unit({ trials, next }: Unit): Promise<void> {
    const ids = trials.map(trialId);
    const known = this.options.file.known(ids);
    const runs = trials.map((spec, at) => this.scored(spec, ids[at]!, known.has(ids[at]!)));
    // None continues alone after another one has failed.
    await Promise.allSettled(runs);
    const scores = await Promise.all(runs);
    if (next === null) return;
    let [best, most] = [trials[0]!, Number.NEGATIVE_INFINITY];
    for (const [at, score] of scores.entries()) if (score !== null && score > most) [best, most] = [trials[at]!, score];
    const spec = next(best);
    const id = trialId(spec);
    await this.scored(spec, id, this.options.file.known([id]).size > 0);
  }

  /** The figure of a trial, which runs now unless it is known. */
  private async scored(spec: TrialSpec, id: string, isKnown: boolean): Promise<number | null> {
    const { file, signal } = this.options;
    if (isKnown) {
      this.known += 1;
      const { result } = file.trial(id)!;
      return this.compared(id, spec, scoreOf(this.options.objective, spec, result), result);
    }
    return await this.inTurn(async () => {
      signal.throwIfAborted();
      const { objective, pool } = this.options;
      const { packed, hash, cpuMs, score, facts } = await pool.run({ spec }, objective);
      await this.writer.add({ id, spec, packed, hash, cpuMs });
      this.ran += 1;
      this.cpuMs += cpuMs;
      this.note(facts);
      return this.compared(id, spec, score, facts);
    });
  }

  /** Its figure; the parameters of a walk-forward sweep are judged where they were not chosen. */
  private compared(id: string, spec: TrialSpec, score: number | null, result: TrialFacts): number | null {
    if (spec.fold?.sample === 'out') this.walked.push(score);
    const isBest = spec.fold === null && score !== null && (this.best === null || score > this.best.score);
    if (isBest) this.best = { id, spec, score, result };
    this.tell();
    return score;
  }

  private note({ problem }: TrialFacts): void {
    if (problem === null) return;
    this.failed += 1;
    const { kind, message } = problem;
    // The same at different times is the same.
    const key = `${kind} ${message.split(' (market time ')[0]}`;
    const { count } = this.problems.get(key) ?? { count: 0 };
    this.problems.set(key, { kind, message, count: count + 1 });
  }

  /** At most `jobs` at a time. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.options.jobs) await new Promise<void>((go) => this.waiting.push(go));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const go = this.waiting.shift();
      if (go === undefined) this.running -= 1;
      else go();
    }
  }

  private tell(): void {
    const { known, ran, failed, best, writer } = this;
    const { total, onProgress } = this.options;
    const unwritten = writer.problem === null ? null : { count: writer.unwritten, problem: writer.problem };
    onProgress({ done: known + ran, failed, total, elapsedMs: performance.now() - this.began, best, unwritten });
  }
}

/** Writes trials a few at a time. While the disk is full, it keeps them and tries again. */
class Writer {
  /** Why trials can't be written; null if they can. */
  problem: string | null = null;
  private readonly file: TrialsFile;
  private readonly told: () => void;
  private readonly kept: NewTrial[] = [];
  private timer: NodeJS.Timeout | null = null;
  private failure: unknown = null;
  private pauseMs = writeEveryMs;

  constructor(file: TrialsFile, told: () => void) {
    this.file = file;
    this.told = told;
  }

  get unwritten(): number {
    return this.kept.length;
  }

  /** Too much is waiting for space to run anything more. */
  get isStuck(): boolean {
    return this.kept.length >= mostUnwritten;
  }

  async add(trial: NewTrial): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.kept.push(trial);
    this.timer ??= setTimeout(() => this.write(), this.problem === null ? this.pauseMs : retryWriteMs);
  }

  async end(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.write();
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.failure !== null) throw this.failure;
  }

  private write(): void {
    this.timer = null;
    const trials = [...this.kept];
    if (trials.length === 0) return;
    const began = performance.now();
    try {
      this.file.add(trials);
      this.pauseMs = Math.min(Math.max(writeEveryMs, pausePerWrite * (performance.now() - began)), longestPauseMs);
      this.kept.splice(0, trials.length);
      this.problem = null;
    } catch (error) {
      if (!(error instanceof TrialsFileError) || !error.isOfDisk) {
        this.failure = error;
        return;
      }
      this.problem = error.message;
      this.timer = setTimeout(() => this.write(), retryWriteMs);
      this.told();
    }
  }
}
