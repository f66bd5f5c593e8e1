import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import type { StrategyModules } from '../realm/realm.ts';
import type { Objective } from '../returns.ts';
import { type RunAnswer, type RunRequest, unpacked } from '../trial.ts';
import { resultWithout } from '../trial-record.ts';
import { hashOfModules, modulesOf } from './modules.ts';
import { type LoadedStrategy, type PackedAnswer, packedAnswer, type Question, type Reply } from './worker.ts';
import { WorkerEnded, type WorkerOptions, WorkerProcess } from './worker-process.ts';

/** Limits of every run. */
interface PoolOptions extends WorkerOptions {
  readonly timeoutMs: number;
}

/** A strategy's file, loaded in a worker. */
export interface OpenedStrategy extends LoadedStrategy {
  readonly modules: StrategyModules;
  readonly hash: string;
}

const loadTimeoutMs = 30_000;

/** Worker processes that run one strategy: as many as there are concurrent runs. */
export class Pool {
  readonly #options: PoolOptions;
  #modules: StrategyModules = [];
  readonly #free: WorkerProcess[] = [];
  readonly #all = new Set<WorkerProcess>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Loads a strategy's file in a worker: nothing of it runs in this process. Throws a Failure. */
  async open(file: string): Promise<OpenedStrategy> {
    const worker = this.#freeWorker() ?? (await this.#start());
    try {
      const parse = (module: { name: string; text: string; isTyped: boolean }) =>
        asked<{ text: string; imports: string[] }>(worker, { kind: 'parse', ...module }, module.name);
      const modules = await modulesOf(file, parse);
      this.#modules = modules;
      const loaded = await asked<LoadedStrategy>(worker, { kind: 'load', modules }, modules[0]!.name);
      this.#free.push(worker);
      return { ...loaded, modules, hash: hashOfModules(modules) };
    } catch (error) {
      if (error instanceof Failure) this.#free.push(worker);
      else this.#stop(worker);
      if (error instanceof WorkerEnded) throw usageFailure(`The strategy can't be loaded: ${error.message}.`);
      throw error;
    }
  }

  /**
   * Runs a trial. Errors are in its result. `again`: if its process dies, perhaps not because of the run, it runs once
   * more.
   */
  async run(request: RunRequest, objective: Objective, again = true): Promise<PackedAnswer> {
    const worker = await this.#taken();
    let reply: Reply;
    try {
      reply = await worker.ask({ kind: 'run', request, objective }, this.#options.timeoutMs);
    } catch (error) {
      this.#stop(worker);
      if (!(error instanceof WorkerEnded) || this.#isClosed) throw error;
      if (error.kind === 'crashed' && again) return await this.run(request, objective, false);
      const result = resultWithout(request, error.kind, error.message);
      const none = { cpuMs: 0, prefixes: [], lines: [], places: {} };
      return { ...none, ...packedAnswer(request.spec, result, objective) };
    }
    if (!reply.ok) {
      this.#stop(worker);
      throw new Error(`a worker failed: ${reply.message}`);
    }
    this.#free.push(worker);
    return reply.value as PackedAnswer;
  }

  /** The same, unpacked. */
  async answer(request: RunRequest): Promise<RunAnswer> {
    const { packed, cpuMs, prefixes, lines, places } = await this.run(request, 'return');
    return { result: unpacked(packed), cpuMs, prefixes, lines, places };
  }

  /** Ends every worker, no matter what it does. */
  close(): void {
    this.#isClosed = true;
    for (const worker of this.#all) worker.stop();
  }

  async #taken(): Promise<WorkerProcess> {
    const free = this.#freeWorker();
    if (free !== undefined) return free;
    const worker = await this.#start();
    await asked(worker, { kind: 'load', modules: this.#modules }, 'the strategy');
    return worker;
  }

  #freeWorker(): WorkerProcess | undefined {
    for (let worker = this.#free.pop(); worker !== undefined; worker = this.#free.pop())
      if (!worker.isOver) return worker;
    return undefined;
  }

  async #start(): Promise<WorkerProcess> {
    if (this.#isClosed) throw new Error('the pool is closed');
    const worker = new WorkerProcess(this.#options);
    this.#all.add(worker);
    await worker.open();
    return worker;
  }

  #stop(worker: WorkerProcess): void {
    this.#all.delete(worker);
    worker.stop();
  }
}

async function asked<T>(worker: WorkerProcess, question: Question, name: string): Promise<T> {
  const reply = await worker.ask(question, loadTimeoutMs);
  if (reply.ok) return reply.value as T;
  if (reply.failed === 'bug') throw new Error(`a worker failed: ${reply.message}`);
  throw usageFailure(`${name}: ${reply.message}`);
}
