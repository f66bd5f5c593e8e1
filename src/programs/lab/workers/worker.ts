import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { isPart } from '../../../base/self/self.ts';
import type { plans } from '../../../exchange/engine/defaults.ts';
import type { Ms } from '../../../exchange/engine/model.ts';
import { textHash } from '../../../exchange/engine/random.ts';
import type { BookSnapshot, MarketSource } from '../../../exchange/engine/source.ts';
import { compiledRecording } from '../../../exchange/markets/recorded/recorded-source.ts';
import { syntheticSource } from '../../../exchange/markets/synthetic/synthetic-source.ts';
import { EngineRun } from '../../sdk/strategy/engine-run.ts';
import { laterSource } from '../moved-source.ts';
import { noisySource } from '../noisy-source.ts';
import { Realm, RefusedError, type StrategyModules, strategyIn } from '../realm/realm.ts';
import { type Objective, scoreOf } from '../returns.ts';
import { scrambledSource } from '../scrambled-source.ts';
import {
  packed,
  type RunAnswer,
  type RunRequest,
  resultText,
  type TrialFacts,
  type TrialResult,
  type TrialSource,
  type TrialSpec,
  trialHash,
  trialId,
} from '../trial.ts';
import { TrialRecord } from '../trial-record.ts';
import { freezeIntrinsics, shutHost } from './walls.ts';

/** Requests to a worker, one at a time. */
export type Question =
  /** A strategy text's imports, and its text without types. */
  | { readonly kind: 'parse'; readonly name: string; readonly text: string; readonly isTyped: boolean }
  /** The strategy it runs from now on. */
  | { readonly kind: 'load'; readonly modules: StrategyModules }
  /** The tapes that it was started with, by fingerprint, as open files. */
  | { readonly kind: 'tapes'; readonly files: Readonly<Record<string, number>> }
  | { readonly kind: 'run'; readonly request: RunRequest; readonly objective: Objective };

/** The strategy as it was loaded. */
export interface LoadedStrategy {
  readonly name: string | null;
  readonly markets: readonly string[];
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
}

/** A run's answer as it crosses to the parent: the result packed, and what is needed of it at once. */
export interface PackedAnswer extends Omit<RunAnswer, 'result'> {
  readonly packed: Uint8Array;
  readonly hash: string;
  /** Its figure by the objective. */
  readonly score: number | null;
  readonly facts: TrialFacts;
}

/** A worker's answers. `failed`: the strategy's actions, for a question about it. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failed: 'refused' | 'threw' | 'bug'; readonly message: string };

/** The stored part of a result, and the part reported immediately. */
export function packedAnswer(
  spec: TrialSpec,
  result: TrialResult,
  objective: Objective,
): Pick<PackedAnswer, 'packed' | 'hash' | 'score' | 'facts'> {
  const { problem, balance, drawdown, counts } = result;
  const text = resultText(result);
  return {
    packed: packed(text),
    hash: trialHash(trialId(spec), text),
    score: scoreOf(objective, spec, result),
    facts: { problem, balance, drawdown, counts },
  };
}

/** How many numbers the books of all sources of a process may have together: 16 MB. */
const mostNumbers = 2 ** 21;

/** Numeric fields of a book besides its levels. */
const ownNumbers = 32;

let modules: StrategyModules = [];
const tapes = new Map<string, MarketSource>();
let synthetic: { seed: number; source: MarketSource } | null = null;

async function answer(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'parse':
      return parsed(question);
    case 'load':
      modules = question.modules;
      return loaded();
    case 'tapes':
      for (const [fingerprint, file] of Object.entries(question.files)) {
        const share = mostNumbers / Object.keys(question.files).length;
        tapes.set(fingerprint, rememberedBooks(compiledRecording(file).source, share));
      }
      return null;
    case 'run': {
      const { request, objective } = question;
      const { result, ...others } = await runTrial(sourceOf(request.spec.source), modules, request);
      return { ...others, ...packedAnswer(request.spec, result, objective) } satisfies PackedAnswer;
    }
  }
}

function parsed({ name, text, isTyped }: Question & { kind: 'parse' }): { text: string; imports: string[] } {
  const script = isTyped ? stripTypeScriptTypes(text) : text;
  const module = new vm.SourceTextModule(script, { identifier: name });
  return { text: script, imports: module.moduleRequests.map(({ specifier }) => specifier) };
}

async function loaded(): Promise<LoadedStrategy> {
  const realm = await Realm.open(modules, { now: () => 0, random: () => 0.5, log() {}, called() {} });
  const { name = null, markets, parameters = {} } = strategyIn(realm);
  return { name, markets, parameters };
}

function sourceOf(source: TrialSource): MarketSource {
  if (source.kind === 'synthetic') {
    if (synthetic?.seed !== source.seed)
      synthetic = { seed: source.seed, source: rememberedBooks(syntheticSource(source), mostNumbers) };
    return synthetic.source;
  }
  const found = tapes.get(source.fingerprint);
  if (found === undefined) throw new Error(`no tape ${source.fingerprint}`);
  return found;
}

/**
 * The same source, which caches requested books. Successive trials mostly request the same books, and finding one again
 * means playing the tape up to it. Above `most` numbers, new ones aren't cached.
 */
export function rememberedBooks(source: MarketSource, most: number): MarketSource {
  const known = new Map<string, Map<Ms, BookSnapshot | null>>();
  for (const { marketId } of source.definitions) known.set(marketId, new Map());
  let room = most;
  return {
    ...source,
    book(marketId, time) {
      const books = known.get(marketId);
      const found = books?.get(time);
      if (found !== undefined) return found;
      const book = source.book(marketId, time);
      room -= ownNumbers + (book === null ? 0 : book.bids.length + book.asks.length);
      if (room > 0) books?.set(time, book);
      return book;
    },
  };
}

const longestMessage = 1_000;

/**
 * Runs a trial on the opened source of its markets, in its own realm. It always gives a result: an error in the
 * strategy is its `problem`.
 */
async function runTrial(opened: MarketSource, modules: StrategyModules, request: RunRequest): Promise<RunAnswer> {
  const { spec, until = spec.to, scramble } = request;
  const began = process.cpuUsage();
  const later = request.later === undefined ? opened : laterSource(opened, request.later);
  const { from } = spec;
  const { wander: seed } = request;
  const shown = seed === undefined ? later : noisySource(later, { from, to: until, seed });
  const source = scramble === undefined ? shown : scrambledSource(shown, scramble);
  const record = new TrialRecord(source, request);
  const thoughts = new Thoughts(spec, request.thinks);
  const now = () => run?.now ?? spec.from;
  let run: EngineRun | null = null;
  let drawn = 0;
  let isUsed = false;
  const places: Record<string, string> = {};
  let problem: TrialResult['problem'] = null;
  try {
    const realm = await Realm.open(modules, {
      now,
      random: () => textHash(`${spec.seed}/Math.random/${drawn++}`) / 2 ** 53,
      log: (text) => isUsed || record.say(text, now()),
      called: () => isUsed || record.decision(),
      ...(request.lines === true ? { placed: (id, where) => Object.assign(places, { [id]: where }) } : {}),
    });
    const { from: start, parameters, seed, balance: startingBalance } = spec;
    const options = { source, start, parameters, seed, startingBalance, plan: spec.plan as keyof typeof plans };
    if (request.used === true) {
      isUsed = true;
      run = new EngineRun(strategyIn(realm), options);
      run.advance(until);
      run.finish();
      [isUsed, run, drawn] = [false, null, 0];
    }
    run = new EngineRun(strategyIn(realm), { ...options, ...record.listeners(), thinkMs: thoughts.thinkMs });
    play(run, record, spec, until);
  } catch (error) {
    problem = problemOf(error, now());
  }
  const { user, system } = process.cpuUsage(began);
  const result = record.end(until, problem, thoughts.taken);
  const cpuMs = Math.round((user + system) / 1000);
  return { result, cpuMs, prefixes: record.prefixes(), lines: record.lines, places };
}

function play(run: EngineRun, record: TrialRecord, { from, sampleMs }: TrialSpec, until: Ms): void {
  record.begin(run);
  const next = (at: Ms) => (Math.floor(at / sampleMs) + 1) * sampleMs;
  for (let at = next(from); at < until && run.isActive; at = next(at)) {
    run.advance(at);
    record.sample();
  }
  if (run.isActive) run.advance(until);
  run.finish();
}

function problemOf(error: unknown, at: Ms): TrialResult['problem'] {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedError) return { kind: 'refused', message: cause.message, at };
  const message = error instanceof Error ? error.message : String(error);
  return {
    kind: 'threw',
    message: message.length > longestMessage ? `${message.slice(0, longestMessage)}...` : message,
    at,
  };
}

/** The cost of a trial's decisions on the market's clock. */
class Thoughts {
  /** Whole ms of each decision, measured or replayed; null if each costs what the spec says. */
  readonly taken: number[] | null;
  private readonly spec: TrialSpec;
  private readonly replayed: readonly number[] | undefined;
  private spentMs = 0;
  private at = 0;

  constructor(spec: TrialSpec, replayed: readonly number[] | undefined) {
    this.spec = spec;
    this.replayed = replayed;
    this.taken = spec.think === 'real' ? [] : null;
  }

  /** As an option of a run. */
  get thinkMs(): number | ((tookMs: number) => number) {
    const { taken } = this;
    if (taken === null) return this.spec.think as number;
    return (tookMs) => {
      const ms = this.replayed === undefined ? this.#due(tookMs) : (this.replayed[this.at] ?? 0);
      this.at += 1;
      taken.push(ms);
      return ms;
    };
  }

  /** Whole ms; the fraction is charged with a later decision. */
  #due(tookMs: number): number {
    this.spentMs += tookMs;
    const ms = Math.floor(this.spentMs);
    this.spentMs -= ms;
    return ms;
  }
}

function failureOf(error: unknown): Reply {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  if (error instanceof RefusedError) return { ok: false, failed: 'refused', message };
  if (name === 'StrategyError') return { ok: false, failed: 'threw', message };
  // Linking throws the realm's own errors, which belong to no class of the host.
  const from = (error as { name?: unknown } | null)?.name;
  if (from === 'SyntaxError' && !(error instanceof Error))
    return { ok: false, failed: 'threw', message: `${(error as { message?: unknown }).message}` };
  if (error instanceof SyntaxError) {
    // Its stack begins with the place in the strategy's file.
    const line = /:(\d+)$/.exec(stack.split('\n')[0]!)?.[1];
    return { ok: false, failed: 'threw', message: line === undefined ? message : `${message} (line ${line})` };
  }
  return { ok: false, failed: 'bug', message: stack };
}

function work(): void {
  shutHost();
  freezeIntrinsics(vm.runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]);
  // The host ignores promises that a strategy leaves behind.
  process.on('unhandledRejection', () => {});
  process.on('message', (question: Question) => {
    void answer(question)
      .then((value): Reply => ({ ok: true, value }), failureOf)
      // In its own turn: promises that the trial left behind run first, and at its own cost.
      .then((reply) => setImmediate(() => process.send!(reply)));
  });
  process.on('disconnect', () => process.exit());
}

if (isMainThread && isPart('lab-worker') && process.send !== undefined) work();
