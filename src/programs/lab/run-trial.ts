import type { plans } from '../../exchange/engine/defaults.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { textHash } from '../../exchange/engine/random.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { EngineRun } from '../sdk/strategy/engine-run.ts';
import { laterSource } from './moved-source.ts';
import { noisySource } from './noisy-source.ts';
import { Realm, RefusedError, type StrategyModules, strategyIn } from './realm/realm.ts';
import { scrambledSource } from './scrambled-source.ts';
import type { RunAnswer, RunRequest, TrialResult, TrialSpec } from './trial.ts';
import { TrialRecord } from './trial-record.ts';

const longestMessage = 1_000;

/**
 * Runs a trial on the opened source of its markets, in its own realm. It always gives a result: an error in the
 * strategy is its `problem`.
 */
export async function runTrial(
  opened: MarketSource,
  modules: StrategyModules,
  request: RunRequest,
): Promise<RunAnswer> {
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
