import { fstatSync, readFileSync } from 'node:fs';
import { isWindows } from '../system/system.ts';
import { exitCodes } from './failure.ts';

/** A signal after which a process cleans up and then dies of it, so that its caller knows. */
type Fatal = 'SIGINT' | 'SIGHUP';

/** Decides how this process ends: one for all copies of this module in the bundle. */
interface Ending {
  /** The received signal; `isForJob`: it came as a key, so only this process knows of it. */
  heard: { readonly signal: Fatal; readonly isForJob: boolean } | undefined;
  readonly openWrites: Set<unknown>;
  isOver: boolean;
}

const registry = globalThis as { [key: symbol]: unknown };
registry[Symbol.for('perp.ending')] ??= { heard: undefined, openWrites: new Set(), isOver: false } satisfies Ending;
const ending = registry[Symbol.for('perp.ending')] as Ending;

/** The process was told to end. A key that means a signal is for the whole job, as on an ordinary terminal. */
export function receivedSignal(signal: Fatal, isKey = false): void {
  ending.heard ??= { signal, isForJob: isKey };
}

/** A write is about to be sent; `closeWrite` when its outcome is known. */
export function openWrite(write: unknown): void {
  ending.openWrites.add(write);
}

/** The outcome of a write is known. */
export function closeWrite(write: unknown): void {
  ending.openWrites.delete(write);
}

/** The exit status of a process that ends before its command does. */
export function unfinishedStatus(): number {
  return ending.openWrites.size > 0 ? exitCodes.outcomeUnknown : exitCodes.interrupted;
}

/**
 * Ends the process. If a signal asked for it and nothing else has to be reported, it dies of that signal, which makes
 * shells stop a loop or a script. A more specific status, such as an unknown outcome, stays.
 */
export function endProcess(status: number): never {
  const { heard } = ending;
  ending.isOver = true;
  if (heard !== undefined && (status === exitCodes.done || status >= 128) && !isWindows()) {
    // The last listener: the others restore the terminal.
    process.on('exit', () => {
      process.removeAllListeners(heard.signal);
      process.kill(heard.isForJob && isForegroundJob() ? 0 : process.pid, heard.signal);
    });
  }
  process.exit(status);
}

/** Whether the process is ending now: later failures aren't news. */
export function isEnding(): boolean {
  return ending.isOver;
}

/** Stops the process as Ctrl-Z does, with the rest of its job: a script doesn't continue without it. */
export function suspendJob(): void {
  process.kill(isForegroundJob() ? 0 : process.pid, 'SIGTSTP');
}

/**
 * Whether this process's group is the one in the foreground of the terminal on standard input. A program that gives
 * perp its own terminal may share perp's group, and gets no signals from keys there.
 */
function isForegroundJob(): boolean {
  try {
    const [, , group, , terminal, foreground] = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return group === foreground && Number(terminal) === fstatSync(0).rdev;
  } catch {
    return false;
  }
}
