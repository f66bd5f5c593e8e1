import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Later } from './moved-source.ts';

/** Unix milliseconds of market time. */
type Ms = number;

/** The value of one parameter of a strategy. */
export type ParameterValue = number | string | boolean;

/** The source of a trial's markets. */
export type TrialSource =
  /** A recording or tape: its name on this machine when it ran, and the SHA-256 of its content, which identifies it. */
  | { readonly kind: 'tape'; readonly name: string; readonly fingerprint: string }
  /** The built-in synthetic markets. */
  | { readonly kind: 'synthetic'; readonly seed: number };

/** For a walk-forward sweep: the fold, and whether the parameters are chosen in this window or tried there. */
interface Fold {
  readonly number: number;
  readonly sample: 'in' | 'out';
  /** Out of sample: the criterion by which the parameters were chosen, and a hash of all candidates. */
  readonly chosen?: string;
}

/** All inputs of a trial's result, except the times of `think: 'real'`, which the result contains. */
export interface TrialSpec {
  /** Base name of the strategy's file, and a hash of its text and of every module that it imports. */
  readonly strategy: string;
  readonly strategyHash: string;
  /** Every parameter of the strategy, by sorted name. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly source: TrialSource;
  /** Market time at which it starts, and up to which it runs. */
  readonly from: Ms;
  readonly to: Ms;
  /** The challenge plan, and the starting balance, USD. */
  readonly plan: string;
  readonly balance: number;
  /** For the strategy's random numbers and the exchange's draws. */
  readonly seed: number;
  /** The cost of a decision on the market's clock: this many ms, or the time it really takes. */
  readonly think: number | 'real';
  /** Equity is sampled at every multiple of this market time. */
  readonly sampleMs: Ms;
  readonly fold: Fold | null;
  /** Versions of the exchange's rules, and of the source's catalog and prices. */
  readonly versions: { readonly rules: number; readonly catalog: number; readonly prices: number };
}

/**
 * Why a trial failed: the strategy threw, took too long, used too much memory, requested something that trials refuse,
 * or its process died.
 */
export type TrialProblem = 'threw' | 'timeout' | 'memory' | 'refused' | 'crashed';

/**
 * Whether a trial failed to give a result only on this machine: elsewhere, or with more time and memory, it may give
 * one.
 */
export function isOfMachine(problem: { readonly kind: TrialProblem } | null): boolean {
  return problem !== null && ['timeout', 'memory', 'crashed'].includes(problem.kind);
}

/** A position from flat to flat, or as it was when the trial ended. Money in USD, sizes in base asset. */
export interface Trip {
  readonly market: string;
  readonly side: 'long' | 'short';
  readonly size: number;
  readonly entry: number;
  /** null if none of it was closed. */
  readonly exit: number | null;
  readonly openedAt: Ms;
  /** null: it was open when the trial ended. */
  readonly closedAt: Ms | null;
  /** Before fees and carry. */
  readonly realized: number;
  readonly fees: number;
  /** The carry in its result; negative if it was charged. */
  readonly carry: number;
}

/** Counts of events. */
interface TrialCounts {
  /** Calls of the strategy's handlers and timers. */
  readonly decisions: number;
  /** Requests that it sent, and refused ones. */
  readonly requests: number;
  readonly refusals: number;
  readonly fills: number;
}

/**
 * The results of a trial. The same spec gives the same result on every machine, in any order, with any number of
 * workers.
 */
export interface TrialResult {
  readonly status: 'done' | 'failed';
  /** Of a failed trial. All other fields are from before the failure. */
  readonly problem: { readonly kind: TrialProblem; readonly message: string; readonly at: Ms | null } | null;
  /** SHA-256 over every request, order, fill and log line, in order, each with its time. */
  readonly decisionHash: string;
  /** Equity, USD, at `spec.from`, at each multiple of `spec.sampleMs` after it, and at the end. */
  readonly equity: readonly number[];
  /** The lowest and highest of `equity`, and the deepest fall below an earlier highest, as a share of it. */
  readonly lowest: number;
  readonly highest: number;
  readonly drawdown: number;
  readonly trips: readonly Trip[];
  /** Sums over the account, USD: paid fees, carry (negative: charged), realized before both. */
  readonly fees: number;
  readonly carry: number;
  readonly realized: number;
  /** Traded notional, USD. */
  readonly volume: number;
  readonly balance: number;
  /** The state of the challenge at the end; if it had ended, by which rule and when. */
  readonly account: { readonly status: string; readonly rule: string | null; readonly endedAt: Ms | null };
  readonly counts: TrialCounts;
  /** The last lines that the strategy logged or wrote, and their total number. */
  readonly log: readonly string[];
  readonly logLines: number;
  /** With `think: 'real'`: the duration of each decision, whole ms of market time. A replay charges these. */
  readonly thinks: readonly number[] | null;
}

/** The figures that a sweep reports immediately. */
export type TrialFacts = Pick<TrialResult, 'problem' | 'balance' | 'drawdown' | 'counts'>;

/** A trial that has run. */
export interface Trial {
  readonly id: string;
  readonly spec: TrialSpec;
  readonly result: TrialResult;
  /** SHA-256 of spec and result. */
  readonly hash: string;
  /** CPU time used here, ms; not part of its hash. */
  readonly cpuMs: number;
}

/** One run of a trial, with the variations and observations that a proof wants. */
export interface RunRequest {
  readonly spec: TrialSpec;
  /** Ends before `spec.to`, at this market time. */
  readonly until?: Ms;
  /** The market after this time is scrambled by this seed. */
  readonly scramble?: { readonly after: Ms; readonly seed: number };
  /** The market comes later and more slowly. */
  readonly later?: Later;
  /**
   * Prices are a few ticks off, differently from one move to the next, and sizes some lots larger, as this seed draws;
   * with 0 the level stays.
   */
  readonly wander?: number;
  /** Market times at which the hash of everything so far is wanted, ascending. */
  readonly prefixesAt?: readonly Ms[];
  /** From an earlier run with `think: 'real'`: charged instead of measured. */
  readonly thinks?: readonly number[];
  /** The lines that are hashed are returned, too. */
  readonly lines?: boolean;
  /** The strategy runs a second time without a fresh start, and only that run counts. */
  readonly used?: boolean;
}

/** The results of a run. */
export interface RunAnswer {
  readonly result: TrialResult;
  readonly cpuMs: number;
  /** For each of `prefixesAt`: the hash of the lines up to and including that time. */
  readonly prefixes: readonly string[];
  /** With `lines`: every request, order, fill and log line, as JSON texts that begin with their time. */
  readonly lines: readonly string[];
  /** With `lines`: in which line of its files the strategy placed each order, by client order id. */
  readonly places: Readonly<Record<string, string>>;
}

/** A trial's identity: the same for the same spec, wherever its tape is. */
export function trialId(spec: TrialSpec): string {
  const { source } = spec;
  const known = source.kind === 'tape' ? { kind: source.kind, fingerprint: source.fingerprint } : source;
  return digestOf({ ...spec, strategy: undefined, source: known }).slice(0, 32);
}

/** A result as hashed and stored text: JSON with sorted keys. */
export function resultText(result: TrialResult): string {
  return sortedJson(result)!;
}

/** A result's text as it is kept and sent. */
export function packed(text: string): Uint8Array {
  return deflateRawSync(text, { level: 1 });
}

/** A result as it was before it was packed. */
export function unpacked(bytes: Uint8Array): TrialResult {
  return JSON.parse(inflateRawSync(bytes).toString('utf8')) as TrialResult;
}

/** A trial's hash: over its identity and everything in its result, which is given as its text. */
export function trialHash(id: string, text: string): string {
  return createHash('sha256')
    .update(`{"id":${JSON.stringify(id)},"result":${text}}`)
    .digest('hex');
}

/** One hash over trials, which come in the order of their ids. */
export function sweepHash(trials: Iterable<Pick<Trial, 'id' | 'hash'>>): string {
  const whole = createHash('sha256');
  let between = '';
  for (const { id, hash } of trials) {
    whole.update(`${between}${id} ${hash}`);
    between = '\n';
  }
  return whole.digest('hex');
}

/** SHA-256 of a value as JSON with sorted keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(sortedJson(value)!).digest('hex');
}

/** A plain value as JSON, the keys of every object sorted; undefined for values that JSON leaves out. */
function sortedJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => sortedJson(one) ?? 'null').join(',')}]`;
  const entries = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const text = sortedJson((value as Record<string, unknown>)[key]);
      return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
    });
  return `{${entries.join(',')}}`;
}
