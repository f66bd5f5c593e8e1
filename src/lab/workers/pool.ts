import { inflateRawSync } from 'node:zlib';
import type { StrategyModules } from '../realm/realm.ts';
import { type RunAnswer, type RunRequest, type TrialResult, trialHash, trialId } from '../trial.ts';
import { resultWithout } from '../trial-record.ts';
import { hashOfModules, modulesOf, StrategyFileError } from './modules.ts';
import { type LoadedStrategy, type PackedAnswer, packed, type Question, type Reply } from './worker.ts';
import { WorkerEnded, WorkerProcess } from './worker-process.ts';

/** Limits of every run. */
export interface PoolOptions {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Compiled tapes that are open in this process, by fingerprint. */
  readonly tapes: ReadonlyMap<string, number>;
}

/** A strategy's file, loaded in a worker. */
export interface OpenedStrategy extends LoadedStrategy {
  readonly modules: StrategyModules;
  readonly hash: string;
}

/** What a run gave, packed as it is kept. */
export interface PackedRun extends PackedAnswer {
  readonly id: string;
}

/** A realm leaves a little behind that V8 does not collect, so a worker is replaced after so many trials. */
const trialsPerWorker = 100;
const loadTimeoutMs = 30_000;

/** Worker processes that run one strategy: as many as runs are asked at a time. */
export class Pool {
  readonly #options: PoolOptions;
  #modules: StrategyModules = [];
  readonly #free: WorkerProcess[] = [];
  readonly #all = new Set<WorkerProcess>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Loads a strategy's file in a worker: nothing of it runs in this process. Throws a StrategyFileError. */
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
      if (error instanceof StrategyFileError) this.#free.push(worker);
      else this.#stop(worker);
      if (error instanceof WorkerEnded) throw new StrategyFileError(`The strategy can't be loaded: ${error.message}.`);
      throw error;
    }
  }

  /** Runs a trial. What goes wrong with it is in its result. */
  async run(request: RunRequest): Promise<PackedRun> {
    const id = trialId(request.spec);
    const worker = await this.#taken();
    let reply: Reply;
    try {
      reply = await worker.ask({ kind: 'run', request }, this.#options.timeoutMs);
    } catch (error) {
      this.#stop(worker);
      if (!(error instanceof WorkerEnded) || this.#isClosed) throw error;
      const result = resultWithout(request, error.kind, error.message);
      return { id, packed: packed(result), hash: trialHash(id, result), cpuMs: 0, prefixes: [], lines: [], places: {} };
    }
    if (!reply.ok) {
      this.#stop(worker);
      throw new Error(`a worker failed: ${reply.message}`);
    }
    if (worker.asked >= trialsPerWorker) this.#stop(worker);
    else this.#free.push(worker);
    return { id, ...(reply.value as PackedAnswer) };
  }

  /** The same, unpacked. */
  async answer(request: RunRequest): Promise<RunAnswer> {
    const { packed: bytes, id: _, hash: __, ...others } = await this.run(request);
    return { result: unpacked(bytes), ...others };
  }

  /** Ends every worker, whatever it does. */
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

/** A result as it was before it was packed. */
export function unpacked(bytes: Uint8Array): TrialResult {
  return JSON.parse(inflateRawSync(bytes).toString('utf8')) as TrialResult;
}

async function asked<T>(worker: WorkerProcess, question: Question, name: string): Promise<T> {
  const reply = await worker.ask(question, loadTimeoutMs);
  if (reply.ok) return reply.value as T;
  if (reply.failed === 'bug') throw new Error(`a worker failed: ${reply.message}`);
  throw new StrategyFileError(`${name}: ${reply.message}`);
}
