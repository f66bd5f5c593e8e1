import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { counted, quantity } from '../../base/text/format.ts';
import { parseDuration, parseTime } from '../../desk/values/times.ts';
import { defaultStartingBalance, plans } from '../../exchange/engine/defaults.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { compiledRecording } from '../../exchange/markets/recorded/recorded-source.ts';
import { syntheticSource } from '../../exchange/markets/synthetic/synthetic-source.ts';
import { type Criteria, parseCriteria, sealCriteria } from './criteria.ts';
import { type Stretch, type SweepPlan, shardOf, sizeOf, sweepId, trialsIn, unitsOf, type Walk } from './plan.ts';
import { ofTheseVersions, type Proof } from './proof/proof.ts';
import { enoughProofs, mostUsualProofs, type Proving, proveTrials } from './proof/prove-trials.ts';
import type { Objective } from './returns.ts';
import { grid, type Point, parseRange, sample } from './space.ts';
import { runSweep, type SweepEnd, type SweepProgress } from './sweep.ts';
import { type LabTape, openTapes, timeOn } from './tapes.ts';
import type { TrialSpec } from './trial.ts';
import { asFileError, TrialsFile, TrialsFileError } from './trials-file.ts';
import { type OpenedStrategy, Pool } from './workers/pool.ts';
import { WorkerEnded } from './workers/worker-process.ts';

type Given<Name extends string, Value> = { readonly [Each in Name]?: Value | undefined };

/**
 * A sweep as requested; texts as on the command line. `criteria` is a file of criteria, which are sealed before the
 * first trial; `prove` how many trials are proven, or `none`, default 3.
 */
export interface LabRequest
  extends Given<'walk' | 'seeds' | 'dates' | 'from' | 'to' | 'think' | 'shard' | 'criteria' | 'prove', string>,
    Given<'set' | 'books' | 'plans', readonly string[]>,
    Given<'forMs' | 'balance' | 'timeoutMs' | 'memoryMb' | 'jobs', number> {
  readonly strategy: string;
  readonly out: string;
  readonly stateDir: string;
  /** Points to draw of the ranges, and the seed of these draws; without a number, all points are tried. */
  readonly sample?: number | undefined;
  readonly seed?: number | undefined;
  readonly objective?: Objective | undefined;
  readonly isDryRun?: boolean | undefined;
  readonly signal: AbortSignal;
  onNote(text: string): void;
  onProgress(progress: SweepProgress): void;
}

/** The outcome of a sweep. */
export interface LabOutcome extends SweepEnd {
  readonly sweep: string;
  readonly strategy: string;
  readonly strategyHash: string;
  readonly total: number;
  readonly shard: { readonly number: number; readonly of: number };
  /** Of the trials file's current contents; null for a dry run. */
  readonly hash: string | null;
  readonly trialsInFile: number;
  readonly broken: readonly { readonly name: string; readonly problem: string }[];
  /** The outcome of proving some of the trials. */
  readonly proofs: readonly Proof[];
  readonly elapsedMs: number;
}

/** The default start of synthetic markets, a Monday, and how long they are played. */
const syntheticStart = Date.UTC(2026, 0, 5);
const dayMs = 86_400_000;
const usualTimeoutMs = 60_000;
const usualMemoryMb = 512;
const mostTrials = 1_000_000;

/** The result of a dry run. */
const nothingRan = {
  known: 0,
  ran: 0,
  failed: 0,
  problems: [],
  best: null,
  walked: [],
  lost: 0,
  unwritten: null,
  cpuMs: 0,
  isWhole: false,
  proofs: [],
};

/** Runs the missing part of a sweep into its trials file. Throws a Failure for wrong input. */
export async function runLab(request: LabRequest): Promise<LabOutcome> {
  const began = performance.now();
  const shard = shardIn(request.shard);
  provesIn(request.prove);
  const criteria = criteriaIn(request.criteria);
  const opened = await openTapes(request.books ?? [], request.stateDir);
  const { tapes, broken } = opened;
  const pool = new Pool({
    timeoutMs: request.timeoutMs ?? usualTimeoutMs,
    memoryMb: request.memoryMb ?? usualMemoryMb,
    tapes: new Map(tapes.map(({ fingerprint, fd }) => [fingerprint, fd])),
  });
  let file: TrialsFile | undefined;
  try {
    if (broken.length > 0 && tapes.length === 0)
      throw usageFailure(broken.length === 1 ? `${broken[0]!.problem}.` : 'None of the tapes can be played.');
    for (const { problem } of broken) request.onNote(`Left out: ${problem}.`);
    const strategy = await pool.open(request.strategy);
    const plan = planOf(request, strategy, tapes);
    const total = trialsIn(shardOf(unitsOf(plan), shard));
    const facts = {
      sweep: sweepId(plan),
      strategy: plan.strategy,
      strategyHash: plan.strategyHash,
      total,
      shard,
      broken,
    };
    if (request.isDryRun === true) {
      return { ...facts, ...nothingRan, hash: null, trialsInFile: 0, elapsedMs: performance.now() - began };
    }
    file = openFile(request.out);
    if (criteria !== undefined) sealCriteria(file, criteria, Date.now());
    file.addStrategy(strategy.hash, strategy.modules);
    const part = { sweep: facts.sweep, shard: shard.number, of: shard.of, settings: settingsOf(request, plan) };
    file.addPart({ ...part, isDone: false });
    const { jobs = availableParallelism(), objective = 'return', signal, onProgress } = request;
    const units = shardOf(unitsOf(plan), shard);
    const end = await runSweep({ units, total, pool, file, jobs, objective, signal, onProgress });
    if (end.isWhole) file.addPart({ ...part, isDone: true });
    const sweepMs = performance.now() - began;
    const best = end.best?.id ?? null;
    const proofs = await provenIn(request, { file, pool, tapes, best, strategyHash: strategy.hash, sweepMs });
    const elapsedMs = performance.now() - began;
    return { ...facts, ...end, proofs, hash: file.hash(), trialsInFile: file.count, elapsedMs };
  } catch (error) {
    const isOfFile = (error as { errcode?: number }).errcode !== undefined;
    throw asFailure(isOfFile ? asFileError(request.out, error) : error);
  } finally {
    pool.close();
    file?.close();
    opened.close();
  }
}

/** The error, as a user reads it. */
export function asFailure(error: unknown): unknown {
  if (error instanceof TrialsFileError && error.isOfDisk)
    return new Failure({
      code: 'not_written',
      message: error.message,
      hint: 'Free some space and run the same command again; it runs only the missing trials.',
    });
  if (error instanceof WorkerEnded)
    return new Failure({
      code: 'worker',
      message: `A worker can't start: ${error.message}.`,
      hint: /\bunshare: /.test(error.message)
        ? 'Each worker has its own network, and this machine allows no more; run fewer at a time with -j.'
        : 'Give trials more --memory, or run fewer at a time with -j.',
    });
  return error instanceof TrialsFileError ? usageFailure(error.message) : error;
}

/** Proves the best trial and some others; trials on tapes that are unavailable are left out. */
async function provenIn(
  request: LabRequest,
  {
    pool,
    tapes,
    sweepMs,
    ...proving
  }: Pick<Proving, 'file' | 'best' | 'strategyHash'> & {
    pool: Pool;
    tapes: readonly LabTape[];
    /** How long the sweep took. */
    sweepMs: number;
  },
): Promise<Proof[]> {
  const { signal, onNote } = request;
  const count = provesIn(request.prove);
  const isEnough = request.prove === undefined ? enoughProofs(sweepMs) : () => false;
  const opened = new Map<string, MarketSource>();
  const sourceOf = ({ source }: TrialSpec): MarketSource | undefined => {
    const key = source.kind === 'tape' ? source.fingerprint : String(source.seed);
    const tape = tapes.find(({ fingerprint }) => fingerprint === key);
    if (source.kind === 'tape' && tape === undefined) return undefined;
    const known =
      opened.get(key) ?? (source.kind === 'tape' ? compiledRecording(tape!.fd).source : syntheticSource(source));
    opened.set(key, known);
    return known;
  };
  return proveTrials({
    ...{ ...proving, sourceOf, count },
    run: async (one) => pool.answer(ofTheseVersions(one)),
    isStopped: (proven) => signal.aborted || isEnough(proven),
    onProof: (_, { status, sentence }) => ['clean', 'too few positions'].includes(status) || onNote(sentence),
  });
}

function provesIn(text: string | undefined): number {
  if (text === undefined) return mostUsualProofs;
  if (text === 'none') return 0;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw usageFailure(`--prove is ${text}; write how many trials, such as 3, or none.`);
}

/** The criteria of a file; throws a Failure if it can't be read, or has none. */
function criteriaIn(file: string | undefined): Criteria | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageFailure(`The criteria ${file} can't be read: ${(error as Error).message}.`);
  }
  return parseCriteria(text);
}

function openFile(out: string): TrialsFile {
  if (!existsSync(dirname(out) || '.'))
    throw new TrialsFileError(`There is no folder ${dirname(out)}; create it first.`);
  return TrialsFile.open(out, { create: true });
}

function planOf(request: LabRequest, strategy: OpenedStrategy, tapes: readonly LabTape[]): SweepPlan {
  const { set = [], sample: count, seed = 1, plans: names = ['select'], balance = defaultStartingBalance } = request;
  const ranges = set.map((text) => parseRange(text, strategy.parameters));
  const twice = ranges.find(({ name }, at) => ranges.findIndex((other) => other.name === name) !== at);
  if (twice !== undefined) throw usageFailure(`--set names ${twice.name} twice.`);
  const points: Point[] = count === undefined ? grid(ranges) : sample(ranges, count, seed);
  if (count !== undefined && points.length < count)
    request.onNote(`There are only ${points.length} points to draw, not ${count}.`);
  for (const name of names)
    if (!Object.hasOwn(plans, name))
      throw usageFailure(`There is no plan ${name}. Plans: ${Object.keys(plans).join(', ')}.`);
  const walk = walkIn(request.walk);
  const plan: SweepPlan = {
    strategy: basename(request.strategy),
    strategyHash: strategy.hash,
    defaults: strategy.parameters,
    ...{ points, stretches: stretchesOf(request, tapes), walk, balance },
    plans: [...new Set(names)],
    think: thinkIn(request.think),
    sampleMs: null,
    objective: walk === null ? '' : (request.objective ?? 'return'),
  };
  const size = sizeOf(plan);
  if (size > mostTrials)
    throw usageFailure(`The sweep has ${counted(size, 'trial')}; the maximum is ${quantity(mostTrials)}.`);
  if (size === 0) throw usageFailure(`--walk ${request.walk} does not fit into the played time.`);
  return plan;
}

/** A sweep's description, for people who read its file. */
function settingsOf({ set = [], sample: drawn, walk, dates, seeds }: LabRequest, plan: SweepPlan): object {
  const { strategy, stretches, plans: names, think, objective, balance } = plan;
  const books = [...new Set(stretches.flatMap(({ source }) => (source.kind === 'tape' ? [source.name] : [])))];
  return { strategy, set, sample: drawn, walk, dates, seeds, books, plans: names, think, objective, balance };
}

function stretchesOf(request: LabRequest, tapes: readonly LabTape[]): Stretch[] {
  const seeds = request.seeds === undefined ? [1] : seedsIn(request.seeds);
  const days = request.dates === undefined ? null : daysIn(request.dates);
  if (days !== null && [request.from, request.to, request.forMs].some((given) => given !== undefined))
    throw usageFailure('--dates are whole days: leave out --from, --to and --for.');
  const found =
    tapes.length > 0
      ? tapes.flatMap((tape) =>
          windowsOn(tape, request, days).flatMap((window) => seeds.map((seed) => onTape(tape, window, seed))),
        )
      : (days ?? [syntheticWindow(request)]).flatMap((window) =>
          seeds.map((seed): Stretch => ({ source: { kind: 'synthetic', seed }, ...window, seed })),
        );
  if (found.length === 0) throw usageFailure('None of the dates is on the tapes.');
  return found;
}

function onTape({ name, fingerprint }: LabTape, window: Window, seed: number): Stretch {
  return { source: { kind: 'tape', name: basename(name), fingerprint }, ...window, seed };
}

interface Window {
  readonly from: number;
  readonly to: number;
}

function windowsOn(tape: LabTape, { from, to, forMs }: LabRequest, days: readonly Window[] | null): Window[] {
  const { firstTime, lastTime, name } = tape;
  if (days !== null) {
    const onIt = days.map((day) => ({ from: Math.max(day.from, firstTime), to: Math.min(day.to, lastTime) }));
    return onIt.filter((window) => window.from < window.to);
  }
  const place = (text: string, label: string) => {
    const at = timeOn(tape, text);
    if (at !== null) return at;
    const range = [firstTime, lastTime].map((ms) => new Date(ms).toISOString()).join(' to ');
    throw usageFailure(`${label} ${text} is not on ${name}, which runs from ${range}.`);
  };
  const start = from === undefined ? firstTime : place(from, '--from');
  const end = to === undefined ? Math.min(lastTime, start + (forMs ?? lastTime)) : place(to, '--to');
  return [windowOf(start, end)];
}

function windowOf(from: number, to: number): Window {
  if (to <= from) throw usageFailure('The end is not after the start.');
  return { from, to };
}

function syntheticWindow({ from, to, forMs }: LabRequest): Window {
  const timeOf = (text: string, label: string): number => {
    const time = parseTime(text, label);
    if ('at' in time) return time.at;
    throw usageFailure(`${label} must be a time, such as 2026-03-02T00:00Z.`);
  };
  const start = from === undefined ? syntheticStart : timeOf(from, '--from');
  const end = to === undefined ? start + (forMs ?? dayMs) : timeOf(to, '--to');
  return windowOf(start, end);
}

/** `2026-03-02..2026-03-06` or `2026-03-02,2026-03-09`: UTC days. */
function daysIn(text: string): Window[] {
  const dayOf = (day: string): number => {
    const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00Z`) : Number.NaN;
    if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day)
      throw usageFailure(`--dates has ${JSON.stringify(day)}, not a day such as 2026-03-02.`);
    return at;
  };
  const days = text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('..').map(dayOf);
    if (last! < first!) throw usageFailure(`--dates ${part} goes backwards.`);
    return Array.from({ length: (last! - first!) / dayMs + 1 }, (_, at) => first! + at * dayMs);
  });
  return [...new Set(days)].sort((one, other) => one - other).map((from) => ({ from, to: from + dayMs }));
}

/** `1..20` or `1,5,9`. */
function seedsIn(text: string): number[] {
  const numberOf = (digits: string): number => {
    if (/^\d{1,9}$/.test(digits)) return Number(digits);
    throw usageFailure(`--seeds has ${JSON.stringify(digits)}, not a whole number; write 1..20 or 1,5,9.`);
  };
  const all = text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('..').map(numberOf);
    if (last! < first! || last! - first! > 100_000)
      throw usageFailure(`--seeds ${part} must be at most 100,000 numbers, in order.`);
    return Array.from({ length: last! - first! + 1 }, (_, at) => first! + at);
  });
  return [...new Set(all)];
}

function walkIn(text: string | undefined): Walk | null {
  if (text === undefined) return null;
  const [first, second, ...more] = text.split('/');
  if (first === undefined || second === undefined || more.length > 0)
    throw usageFailure(
      `--walk is ${text}; write the time to choose parameters and the time to try them, such as 5d/1d.`,
    );
  return { inMs: parseDuration(first, '--walk'), outMs: parseDuration(second, '--walk') };
}

function thinkIn(text: string | undefined): number | 'real' {
  if (text === undefined || text === '0') return 0;
  return text === 'real' ? 'real' : parseDuration(text, '--think');
}

function shardIn(text: string | undefined): { number: number; of: number } {
  if (text === undefined) return { number: 1, of: 1 };
  const [, number, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { number: Number(number), of: Number(of) };
  if (shard.number >= 1 && shard.number <= shard.of) return shard;
  throw usageFailure(`--shard is ${text}; write the part and the number of parts, such as 2/8.`);
}
