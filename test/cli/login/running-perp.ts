import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, buildPerp, builtCache } from '../built-perp.ts';
import { perpFromSource } from '../practice.ts';

export interface Ended {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command line as a separate process, so that people, pages and signals can reach it while it runs. */
export class RunningPerp {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  #out = '';
  #err = '';
  #heard = () => {};

  constructor(argv: readonly string[], variables: Record<string, string>) {
    this.process = spawn(process.execPath, [bin, ...argv], { env: variables });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
    });
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
      this.#heard();
    });
    this.ended = new Promise((resolve) => {
      this.process.on('close', (exit) => {
        resolve({ exit, out: this.#out, err: this.#err });
        this.#heard();
      });
    });
  }

  /** Waits until its stderr matches. */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#err);
      if (found !== null) return found[0];
      if (this.process.exitCode !== null) throw new Error(`perp ended without ${pattern}: ${this.#err}`);
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  /** The address of the approval page that it printed. */
  address(): Promise<string> {
    return this.said(/https?:\/\/\S+code_challenge=\S+/);
  }
}

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** A machine without a keychain or display, with its own folders, whose live host is the given one. */
export class Machine {
  readonly folder: string;
  readonly variables: Record<string, string>;
  readonly #context: Context;

  constructor(t: Context, baseUrl: string, variables: Record<string, string> = {}) {
    buildPerp();
    this.#context = t;
    this.folder = mkdtempSync(join(tmpdir(), 'perp-login-'));
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
    this.variables = {
      PATH: process.env.PATH!,
      HOME: this.folder,
      XDG_CACHE_HOME: builtCache,
      PERP_STATE_DIR: join(this.folder, 'state'),
      PERP_CONFIG_DIR: join(this.folder, 'config'),
      PERP_BASE_URL: baseUrl,
      PERP_ENV: 'live',
      NO_COLOR: '1',
      ...variables,
    };
  }

  start(argv: readonly string[], variables: Record<string, string> = {}): RunningPerp {
    const running = new RunningPerp(argv, { ...this.variables, ...variables });
    this.#context.after(() => void running.process.kill('SIGKILL'));
    return running;
  }

  /** Runs it to its end, without input. */
  perp(argv: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
    const running = this.start(argv, variables);
    running.process.stdin.end();
    return running.ended;
  }

  /** Like `perp`, but from source and in this process, which is ten times as fast. */
  perpHere(argv: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
    return perpFromSource(argv, { variables: { ...this.variables, ...variables } });
  }
}
