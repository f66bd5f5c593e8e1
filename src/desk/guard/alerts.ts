import { type ChildProcess, spawn } from 'node:child_process';
import type { Variables } from '../../base/files/folders.ts';
import { realTiming } from '../../base/sockets/timing.ts';
import { isWindows } from '../../base/system/system.ts';
import { jsonText, plain, shortened } from '../../base/text/plain-text.ts';
import type { Session } from '../session/session.ts';
import type { Task } from './guard-state.ts';
import { type GuardEvent, pause, type Reporter } from './reporter.ts';

/** Number of programs that may run at the same time. */
const maxPrograms = 4;

/** The alert programs that are running. */
export class Alerts {
  readonly #session: Session;
  readonly #program: readonly string[] | null;
  readonly #running = new Map<string, Promise<void>>();

  constructor(session: Session, program: readonly string[] | null) {
    this.#session = session;
    this.#program = program;
  }

  get hasProgram(): boolean {
    return this.#program !== null;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Whether another program may be started for this key. */
  isFree(key: string): boolean {
    return !this.#running.has(key) && this.#running.size < maxPrograms;
  }

  /** Starts the program with an alert; `ended` receives its failure, if any. */
  start(key: string, alert: GuardEvent & { repeated: boolean }, ended: (trouble: string | undefined) => void): void {
    if (this.#program === null) return;
    const { variables, stage } = this.#session.machine;
    const input = `${jsonText(alert)}\n`;
    const run = stage === undefined ? runExec(this.#program, input, variables) : stage.run(this.#program, input);
    const finish = (trouble: string | undefined) => {
      this.#running.delete(key);
      ended(trouble);
    };
    this.#running.set(
      key,
      run.then(finish, (error: unknown) => finish(error instanceof Error ? error.message : String(error))),
    );
  }

  /** Resolves when the programs that are running now have ended. */
  async finished(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}

/** After this time, ms, or this much output, a guard's program is ended. */
const execLimits = { timeMs: 10_000, bytes: 64 << 10 };

/** How long an ended program may keep its output open. */
const lingerMs = 500;

/**
 * Runs the user's program with JSON on standard input, without a shell and without perp's credential. Resolves when the
 * program has ended: to undefined, or to what went wrong. A program that hangs or prints too much is killed, with
 * everything it started.
 */
export async function runExec(
  [program = '', ...args]: readonly string[],
  input: string,
  variables: Variables,
  { timeMs, bytes } = execLimits,
): Promise<string | undefined> {
  const { PERP_API_KEY: _, ...env } = variables;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: !isWindows() });
  let trouble: string | undefined;
  let lastLine = '';
  let heard = 0;
  const stop = (why: string) => {
    trouble ??= why;
    endGroup(child);
  };
  const timer = setTimeout(() => stop(`it was still running after ${timeMs / 1000}s`), timeMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      heard += text.length;
      if (heard > bytes) stop(`it printed more than ${bytes >> 10} KiB`);
      lastLine = text.trimEnd().split('\n').at(-1) || lastLine;
    });
  }
  // A program may ignore its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const end = (failed: string | undefined) => {
    clearTimeout(timer);
    child.stdout.destroy();
    child.stderr.destroy();
    resolve(trouble ?? failed);
  };
  child.on('error', (error) => end(error.message));
  child.on('exit', (code, signal) => {
    const said = lastLine === '' ? '' : `: ${plain(shortened(lastLine))}`;
    const failed = code === 0 ? undefined : `it exited with ${code ?? signal}${said}`;
    const linger = setTimeout(() => end(failed), lingerMs);
    child.on('close', () => {
      clearTimeout(linger);
      end(failed);
    });
  });
  return await promise;
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && !isWindows()) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** How long an alert program may delay the end of a guard that was stopped, and of one that ends by itself, ms. */
const stoppedMs = 1_500;
const endedMs = 10_000;

interface Telling {
  reporter: Reporter;
  alerts: Alerts;
  /** Begins the key of the alert. */
  word: string;
  says: string;
  facts?: object;
}

/** Reports an event of the guard itself, which no rule has fired, as a line and to the alert program. */
export function tell({ reporter, alerts, word, says, facts = {} }: Telling, told = () => {}): void {
  const key = `${word}@${reporter.now}`;
  const task: Task = { key, rule: 'guard', time: reporter.now, says, facts: { ...facts }, steps: [] };
  reporter.fired(task);
  alerts.start(key, { ...reporter.recordOf(task), repeated: false }, (trouble) => {
    if (trouble !== undefined) reporter.execFailed(task, trouble);
    told();
  });
}

/** Reports that the guard ends; the alert program continues if it takes longer. */
export async function reportEnding(session: Session, ending: Omit<Telling, 'word'>): Promise<void> {
  const timers = session.machine.stage?.timers ?? realTiming;
  const told = new AbortController();
  tell({ ...ending, word: 'end' }, () => told.abort());
  if (ending.alerts.hasProgram) await pause(timers, session.signal.aborted ? stoppedMs : endedMs, told.signal);
}
