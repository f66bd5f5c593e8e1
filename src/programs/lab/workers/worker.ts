import { stripTypeScriptTypes } from 'node:module';
import vm from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { isPart } from '../../../base/self/self.ts';
import type { Ms } from '../../../exchange/engine/model.ts';
import type { BookSnapshot, MarketSource } from '../../../exchange/engine/source.ts';
import { compiledRecording } from '../../../exchange/markets/recorded/recorded-source.ts';
import { syntheticSource } from '../../../exchange/markets/synthetic/synthetic-source.ts';
import { type Objective, scoreOf } from '../objective.ts';
import { Realm, RefusedError, type StrategyModules, strategyIn } from '../realm/realm.ts';
import { runTrial } from '../run-trial.ts';
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
