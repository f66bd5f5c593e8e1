import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { bin, buildPerp, builtCache } from '../built-perp.ts';
import { perpFromSource } from '../practice.ts';

export interface Ended {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** A run of the command line, which people and pages can reach while it runs. */
export class RunningPerp {
  /** Its standard input. */
  readonly stdin: Writable;
  readonly ended: Promise<Ended>;
  #err = '';
  #hasEnded = false;
  #heard = () => {};

  /** `start` receives a listener for its stderr. */
  constructor(stdin: Writable, start: (hear: (text: string) => void) => Promise<Ended>) {
    this.stdin = stdin;
    this.ended = start((text) => {
      this.#err += text;
      this.#heard();
    }).finally(() => {
      this.#hasEnded = true;
      this.#heard();
    });
  }

  /** Waits until its stderr matches. */
  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#err);
      if (found !== null) return found[0];
      if (this.#hasEnded) throw new Error(`perp ended without ${pattern}: ${this.#err}`);
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

/** The executable as a separate process, which can be signaled. */
export class PerpProcess extends RunningPerp {
  readonly process: ChildProcessWithoutNullStreams;

  constructor(argv: readonly string[], variables: Record<string, string>) {
    const child = spawn(process.execPath, [bin, ...argv], { env: variables });
    super(child.stdin, (hear) => {
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text;
        hear(text);
      });
      return new Promise((resolve) => {
        child.on('close', (exit, signal) => resolve({ exit: signal === 'SIGINT' ? 130 : exit, out, err }));
      });
    });
    this.process = child;
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

  start(argv: readonly string[], variables: Record<string, string> = {}): PerpProcess {
    buildPerp();
    const running = new PerpProcess(argv, { ...this.variables, ...variables });
    this.#context.after(() => void running.process.kill('SIGKILL'));
    return running;
  }

  /** Like `start`, but from source and in this process, which is ten times as fast. */
  startHere(argv: readonly string[], variables: Record<string, string> = {}): RunningPerp {
    const input = new PassThrough();
    const running = new RunningPerp(input, (heard) =>
      perpFromSource(argv, { input, heard, variables: { ...this.variables, ...variables } }),
    );
    this.#context.after(() => void input.destroy());
    return running;
  }

  /** Runs it to its end, without input. */
  perp(argv: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
    const running = this.start(argv, variables);
    running.stdin.end();
    return running.ended;
  }

  /** Like `perp`, but from source and in this process. */
  perpHere(argv: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
    return perpFromSource(argv, { variables: { ...this.variables, ...variables } });
  }
}
