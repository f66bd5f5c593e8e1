import { type ChildProcess, spawn } from 'node:child_process';
import type { Variables } from '../../ground/files/folders.ts';
import { plain } from '../../ground/text/plain-text.ts';
import { shortened } from '../../ground/text/quoted.ts';

/** How long a program may run, and how much it may print. */
export interface ExecLimits {
  /** The program is ended after this time, ms. */
  timeMs: number;
  /** The program is ended after this much output. */
  bytes: number;
}

/** The limits of a guard's program. */
export const execLimits: ExecLimits = { timeMs: 10_000, bytes: 64 << 10 };

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
  { timeMs, bytes }: ExecLimits = execLimits,
): Promise<string | undefined> {
  const { PERP_API_KEY: _, ...env } = variables;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
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
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has already ended.
  }
}
