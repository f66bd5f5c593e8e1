import { createHash } from 'node:crypto';
import type { Later } from './moved-source.ts';

/** Unix milliseconds of market time. */
type Ms = number;

/** The value of one parameter of a strategy. */
export type ParameterValue = number | string | boolean;

/** Where a trial's markets come from. */
export type TrialSource =
  /** A recording or tape: its name on this machine when it ran, and the SHA-256 of its content, which identifies it. */
  | { readonly kind: 'tape'; readonly name: string; readonly fingerprint: string }
  /** The built-in synthetic markets. */
  | { readonly kind: 'synthetic'; readonly seed: number };

/** Of a walk-forward sweep: which of its folds, and whether the parameters are chosen in this window or tried there. */
interface Fold {
  readonly number: number;
  readonly sample: 'in' | 'out';
  /** Out of sample: by what the parameters were chosen, and a hash of all that they were chosen from. */
  readonly chosen?: string;
}

/** All that decides a trial's result, except the times of `think: 'real'`, which the result keeps. */
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
  /** Of the strategy's random numbers and of the exchange's draws. */
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
 * Why a trial failed: the strategy threw, took too long, used too much memory, asked for what a trial refuses, or its
 * process died.
 */
export type TrialProblem = 'threw' | 'timeout' | 'memory' | 'refused' | 'crashed';

/**
 * Whether a trial only failed to give a result on this machine: elsewhere, or with more time and memory, it may give
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
  /** null: nothing of it was closed. */
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
  /** Requests that it sent, and those that were refused. */
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
  /** How the challenge stood at the end, and by which rule and when it had ended. */
  readonly account: { readonly status: string; readonly rule: string | null; readonly endedAt: Ms | null };
  readonly counts: TrialCounts;
  /** The last lines of what the strategy logged or wrote, and how many lines it was in all. */
  readonly log: readonly string[];
  readonly logLines: number;
  /** With `think: 'real'`: what each decision took, whole ms of market time. A replay charges these. */
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
  /** CPU time that it took here, ms; no part of its hash. */
  readonly cpuMs: number;
}

/** One run of a trial, with what a proof wants to vary or see of it. */
export interface RunRequest {
  readonly spec: TrialSpec;
  /** Ends before `spec.to`, at this market time. */
  readonly until?: Ms;
  /** Everything that the market shows after this time is scrambled by this seed. */
  readonly scramble?: { readonly after: Ms; readonly seed: number };
  /** The market comes later than it did, and more slowly. */
  readonly later?: Later;
  /**
   * Prices are a few ticks off, by others from one move to the next, and sizes some lots larger, as this seed draws;
   * with 0 the level stays.
   */
  readonly wander?: number;
  /** Market times at which the hash of everything up to then is wanted, ascending. */
  readonly prefixesAt?: readonly Ms[];
  /** Of an earlier run with `think: 'real'`: charged instead of measured. */
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

/** A result as the text that is hashed and kept: JSON with sorted keys. */
export function resultText(result: TrialResult): string {
  return sortedJson(result)!;
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

/** A plain value as JSON, the keys of every object sorted; undefined for what JSON leaves out. */
function sortedJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    // Equity and trips are most of many results.
    if (value.every(isPlain)) return JSON.stringify(value);
    const keys = keysOfAll(value);
    return keys === null
      ? `[${value.map((one) => sortedJson(one) ?? 'null').join(',')}]`
      : JSON.stringify(value, [...keys]);
  }
  const entries: string[] = [];
  for (const key of sortedKeys(value)) {
    const text = sortedJson((value as Record<string, unknown>)[key]);
    if (text !== undefined) entries.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${entries.join(',')}}`;
}

/** The sorted keys of a list's objects if all have the same, with plain values alone; otherwise null. */
function keysOfAll(values: readonly unknown[]): readonly string[] | null {
  let common: readonly string[] | null = null;
  for (const value of values) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const keys = sortedKeys(value);
    common ??= keys;
    if (keys !== common || !Object.values(value).every(isPlain)) return null;
  }
  return common;
}

function isPlain(value: unknown): boolean {
  return (typeof value !== 'object' || value === null) && typeof value !== 'function';
}

let lastKeys: readonly string[] = [];
let lastSorted: readonly string[] = [];

/** The keys of an object, sorted. Those of a list mostly have the same. */
function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  if (keys.length === lastKeys.length && keys.every((key, at) => key === lastKeys[at])) return lastSorted;
  lastKeys = keys;
  lastSorted = [...keys].sort();
  return lastSorted;
}
