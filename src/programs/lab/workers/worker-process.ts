import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readByParts, startOf } from '../../../base/self/self.ts';
import type { TrialProblem } from '../trial.ts';
import { networkWall } from './walls.ts';
import type { Question, Reply } from './worker.ts';

/** The worker ended, or was ended, without an answer. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
  readonly kind: TrialProblem;

  constructor(kind: TrialProblem, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** How a worker is started. */
export interface WorkerOptions {
  /** Memory that one may use, MB. */
  readonly memoryMb: number;
  /** Compiled tapes that are open in this process, by fingerprint. */
  readonly tapes: ReadonlyMap<string, number>;
}

/** The memory of a worker process before any trial, MB. */
const ownMb = 200;
const pollMs = 200;
const firstTape = 4;

/**
 * A process that runs trials one after the other. Under Node's permission model, it can read the files of perp itself
 * and no others, start nothing and write nothing; tapes come to it as files that are open already.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #options: WorkerOptions;
  #errors = '';
  #ended: { kind: TrialProblem; message: string } | null = null;
  #waiting: { reply: (reply: Reply) => void; fail: (error: Error) => void } | null = null;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const tapes = [...options.tapes];
    const start = startOf('lab-worker', flags(options.memoryMb));
    const [program, ...words] = [...networkWall().prefix, ...start.words];
    this.#child = spawn(program!, words, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...tapes.map(([, file]) => file)],
      serialization: 'advanced',
      // Nothing of this machine: not its time zone, its language or any key.
      env: { TZ: 'UTC', LC_ALL: 'en_US.UTF-8', NODE_OPTIONS: start.options },
      cwd: '/',
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-8_000);
    });
    this.#child.on('message', (reply: Reply) => {
      const waiting = this.#waiting;
      this.#waiting = null;
      waiting?.reply(reply);
    });
    this.#child.on('error', (error) => this.#fail({ kind: 'crashed', message: error.message }));
    this.#child.on('close', (code, signal) => this.#fail(this.#ended ?? this.#causeOf(code, signal)));
  }

  get isOver(): boolean {
    return this.#ended !== null;
  }

  /** Gives the worker its tapes. */
  async open(): Promise<void> {
    const files = [...this.#options.tapes.keys()].map((fingerprint, at) => [fingerprint, firstTape + at]);
    await this.ask({ kind: 'tapes', files: Object.fromEntries(files) }, 60_000);
  }

  /** Asks, and waits for the answer for at most this long. Throws WorkerEnded if no answer will come. */
  async ask(question: Question, timeoutMs: number): Promise<Reply> {
    if (this.#ended !== null) throw new WorkerEnded(this.#ended.kind, this.#ended.message);
    const late = setTimeout(() => this.#end('timeout', `it took longer than ${timeoutMs / 1000}s`), timeoutMs);
    const poll = setInterval(() => this.#watchMemory(), pollMs);
    try {
      return await new Promise<Reply>((reply, fail) => {
        this.#waiting = { reply, fail };
        this.#child.send(question, (error) => {
          if (error !== null) this.#fail({ kind: 'crashed', message: error.message });
        });
      });
    } finally {
      clearTimeout(late);
      clearInterval(poll);
    }
  }

  /** Ends it now. */
  stop(): void {
    this.#ended ??= { kind: 'crashed', message: 'it was stopped' };
    this.#child.kill('SIGKILL');
  }

  #end(kind: TrialProblem, message: string): void {
    this.#ended ??= { kind, message };
    this.#child.kill('SIGKILL');
  }

  /** Linux reports the process's memory; elsewhere, only the limit of its heap applies. */
  #watchMemory(): void {
    try {
      const [, pages] = readFileSync(`/proc/${this.#child.pid}/statm`, 'latin1').split(' ');
      const usedMb = (Number(pages) * 4096) / 1e6;
      const { memoryMb } = this.#options;
      if (usedMb > memoryMb + ownMb) this.#end('memory', memoryText(memoryMb));
    } catch {}
  }

  #causeOf(code: number | null, signal: string | null): { kind: TrialProblem; message: string } {
    // Anchored: an error shows a line of the program, which may contain these words.
    const fatal = this.#errors.split('\n').filter((line) => line.startsWith('FATAL ERROR: '));
    if (fatal.some((line) => /heap|allocation failed/i.test(line)))
      return { kind: 'memory', message: memoryText(this.#options.memoryMb) };
    const [said] = this.#errors.trim().split('\n').slice(-1);
    const how = signal === null ? `exit status ${code}` : signal;
    return { kind: 'crashed', message: `its process ended (${how})${said ? `: ${said}` : ''}` };
  }

  #fail(ended: { kind: TrialProblem; message: string }): void {
    this.#ended ??= ended;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.fail(new WorkerEnded(this.#ended.kind, this.#ended.message));
  }
}

function memoryText(memoryMb: number): string {
  return `it used more than ${memoryMb} MB of memory`;
}

/** The process's only permission: reading perp's own files. */
function flags(memoryMb: number): string[] {
  return [
    '--permission',
    ...readByParts().map((file) => `--allow-fs-read=${file}`),
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    // Nothing runs beside a trial: each core has its own worker, and code compiled in the meantime would retain the
    // realms of all earlier trials.
    '--single-threaded',
    // Garbage is collected at once. Step by step, all intermediate objects of a trial are retained.
    '--no-incremental-marking',
    '--min-semi-space-size=8',
    '--max-semi-space-size=8',
    '--heap-growing-percent=10',
    // Between trials, nothing has the shapes of the engine's objects. If they go, so does the code compiled for them.
    '--retain-maps-for-n-gc=1000000',
    // It retains every module ever made of the same text, and with it its realm.
    '--no-compilation-cache',
    `--max-old-space-size=${memoryMb}`,
  ];
}
