import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Why there is no terminal to test on; false if there is one. */
export const noTerminal =
  (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) && 'not installed: script';

/** How a command on a terminal ended. */
export interface TerminalEnd {
  /** As a shell reports it. */
  readonly status: number;
  /** Everything on the terminal. */
  readonly screen: string;
  /** The settings of the terminal afterwards (`stty -a`); empty if it is gone. */
  readonly modes: string;
}

const restOf = 30_000;

/** Words for a shell. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}

/** A shell command on a terminal of its own, 80 by 24, that a test types at. */
export class AtTerminal implements Disposable {
  readonly #terminal: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'perp-at-terminal-'));
  readonly #closed: Promise<void>;
  #screen = '';
  #news = Promise.withResolvers<void>();
  #isOver = false;

  /** The shell around the command outlives signals and the terminal itself, and notes what became of both. */
  constructor(command: string, variables: Record<string, string>) {
    const notes = `echo "status $?" > '${this.#folder}/end'; stty -a >> '${this.#folder}/end' 2>/dev/null; echo over >> '${this.#folder}/end'`;
    const shell = `trap '' HUP; trap : INT; stty cols 80 rows 24; ${command}; ${notes}`;
    const env = { SHELL: '/bin/sh', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...variables };
    this.#terminal = spawn('script', ['-qec', shell, '/dev/null'], { env });
    this.#terminal.stdin!.on('error', () => {});
    this.#terminal.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#screen += text;
      this.#tell();
    });
    this.#closed = new Promise((resolve) => {
      this.#terminal.on('close', () => {
        this.#isOver = true;
        this.#tell();
        resolve();
      });
    });
  }

  get screen(): string {
    return this.#screen;
  }

  type(text: string): void {
    this.#terminal.stdin!.write(text);
  }

  /** Waits until the terminal shows this. */
  async shows(pattern: RegExp): Promise<void> {
    const late = AbortSignal.timeout(restOf);
    while (!pattern.test(this.#screen)) {
      if (this.#isOver || late.aborted)
        throw new Error(`never showed ${pattern}: ${JSON.stringify(this.#screen.slice(-600))}`);
      await Promise.race([this.#news.promise, delay(restOf, undefined, { ref: false })]);
    }
  }

  /** The terminal goes away, as when its window is closed. */
  hangUp(): void {
    this.#terminal.kill('SIGKILL');
  }

  /** Sends a signal to the command itself. */
  signal(name: NodeJS.Signals): void {
    const childOf = (pid: number) => Number(execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).trim());
    process.kill(childOf(childOf(this.#terminal.pid!)), name);
  }

  async ended(): Promise<TerminalEnd> {
    const file = join(this.#folder, 'end');
    const deadline = performance.now() + restOf;
    await Promise.race([this.#closed, delay(restOf, undefined, { ref: false })]);
    // After a hang-up, the shell still runs.
    const isNoted = () => existsSync(file) && readFileSync(file, 'utf8').endsWith('over\n');
    while (!isNoted() && performance.now() < deadline) await delay(20);
    const noted = isNoted() ? readFileSync(file, 'utf8') : 'status NaN: still running\n';
    this[Symbol.dispose]();
    const [first = '', ...modes] = noted.split('\n');
    return { status: Number(/\d+/.exec(first)?.[0]), screen: this.#screen, modes: modes.slice(0, -2).join('\n') };
  }

  [Symbol.dispose](): void {
    this.#terminal.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
