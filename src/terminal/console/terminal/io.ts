import { constants, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { endProcess, isEnding, receivedSignal, unfinishedStatus } from '../../../base/failure/ending.ts';
import { type ExitCode, exitCodes } from '../../../base/failure/failure.ts';
import { type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';
import { withoutCredentials, withoutSecrets } from '../../../base/text/plain-text.ts';
import type { RawTerminal } from './raw-terminal.ts';

/** The streams of one run; tests pass their own. */
export interface Io {
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Columns of stdout; Infinity when it is not a terminal and COLUMNS is not set. */
  readonly columns: number;
  /** Columns of stderr's terminal; absent when it is not a terminal. */
  readonly stderrColumns?: number | undefined;
  /** Rows of stdout's terminal; absent when it is not a terminal. */
  readonly rows?: number | undefined;
  out(text: string): void;
  err(text: string): void;
  /** While a program draws on the whole terminal, text for stderr would appear on its screen; it goes here instead. */
  divertErr?(to: ((text: string) => void) | undefined): void;
  /** Resolves when everything written to stdout has left this process. */
  flushed?(): Promise<void>;
  /**
   * Sets the exit status to use if stdout's reader goes away early. The process then exits at once, unless it is to
   * `stop` by itself; its later output is lost.
   */
  endsWith?(exit: ExitCode, stop?: () => void): void;
  /** From now on, standard output never blocks: output waits while nobody reads, and is lost if it can't be written. */
  outlives?(): void;
  /** Marks that the command may have changed something from now on, so a lost answer leaves the outcome unknown. */
  changes?(): void;
  /** The terminal itself, for a full-screen program; absent without one. */
  terminal?(): Promise<RawTerminal>;
  /** Standard input, to read as it arrives. */
  input(): Readable;
}

/**
 * Whether it is a terminal. Only a character device other than /dev/null can be one; anything else skips node:tty,
 * which loads slowly.
 */
function isTerminal(descriptor: number): boolean {
  try {
    if (isWindows()) return isatty(descriptor);
    const found = fstatSync(descriptor);
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null').rdev && isatty(descriptor);
  } catch {
    // The descriptor is closed.
    return false;
  }
}

/** The process's own streams, each opened only when used: opening one costs a millisecond. */
export function processIo(variables: Variables): Io {
  let mayHaveChanged = false;
  let outlivesOutput = false;
  let stop: (() => void) | undefined;
  const outputFailed = (error: NodeJS.ErrnoException) => {
    if (outlivesOutput || isEnding()) return;
    // A reader that stops early (`| head -1`) is not a failure, unless work is left undone.
    if (error.code === 'EPIPE' && stop !== undefined) return stop();
    if (error.code === 'EPIPE')
      endProcess(Number(process.exitCode ?? (mayHaveChanged ? unfinishedWrite() : exitCodes.done)));
    if (error.code === 'EIO' && process.stdout.isTTY) {
      // The terminal is gone.
      receivedSignal('SIGHUP');
      endProcess(129);
    }
    endProcess(outputLost(error, variables, mayHaveChanged));
  };
  const output = new Output(1, () => process.stdout, outputFailed);
  // Errors can't be reported; the exit status still shows the failure.
  const errors = new Output(
    2,
    () => process.stderr,
    () => {},
  );
  let diverted: ((text: string) => void) | undefined;
  const io: Io = {
    get stdinIsTerminal() {
      return isTerminal(0);
    },
    get stdoutIsTerminal() {
      return isTerminal(1);
    },
    get stderrIsTerminal() {
      return diverted === undefined && isTerminal(2);
    },
    get columns() {
      return chosenColumns(variables) ?? (isTerminal(1) ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY);
    },
    get stderrColumns() {
      return isTerminal(2) ? (chosenColumns(variables) ?? (process.stderr.columns || 80)) : undefined;
    },
    get rows() {
      return isTerminal(1) ? process.stdout.rows || 24 : undefined;
    },
    out: (text) => output.write(withoutSecrets(text)),
    err(text) {
      if (diverted === undefined) errors.write(withoutCredentials(text));
      else diverted(withoutCredentials(text));
    },
    divertErr(to) {
      diverted = isTerminal(2) ? to : undefined;
    },
    flushed: () => output.flushed(),
    endsWith(exit, stops) {
      process.exitCode = exit;
      stop = stops;
    },
    outlives() {
      outlivesOutput = true;
      output.holdNothingUp();
    },
    changes() {
      mayHaveChanged = true;
    },
    terminal: async () => (await import('./raw-terminal.ts')).processTerminal(io),
    input: () => process.stdin,
  };
  return io;
}

/** The maximum output waiting for its reader, bytes; beyond it, the oldest is dropped. */
const mostWaiting = 1 << 20;

/**
 * Standard output or error, which may be closed or full; on failure only `failed` is called. The stream itself is
 * opened only where a direct write won't do: for a pipe, Node would load its networking first.
 */
class Output {
  readonly #descriptor: 1 | 2;
  readonly #stream: () => NodeJS.WriteStream;
  readonly #failed: (error: NodeJS.ErrnoException) => void;
  #opened: NodeJS.WriteStream | undefined;
  /** Whether it is a pipe or a file; asked once. */
  #isSimple: boolean | undefined;
  /** The same pipe or terminal, opened so that a write doesn't wait for its reader, and its waiting output. */
  #unblocked: number | undefined;
  #waiting: Buffer = Buffer.alloc(0);
  #isWaiting = false;

  constructor(descriptor: 1 | 2, stream: () => NodeJS.WriteStream, failed: (error: NodeJS.ErrnoException) => void) {
    this.#descriptor = descriptor;
    this.#stream = stream;
    this.#failed = failed;
  }

  /** From now on, an idle reader, such as a paused terminal, doesn't block the process. */
  holdNothingUp(): void {
    try {
      const status = fstatSync(this.#descriptor);
      const mayBlock = status.isFIFO() || status.isCharacterDevice();
      const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
      if (mayBlock) this.#unblocked = openSync(`/dev/fd/${this.#descriptor}`, flags);
    } catch {
      // It is closed, or this system can't reopen it.
    }
  }

  #writeUnblocked(descriptor: number, text: Buffer): void {
    const all = Buffer.concat([this.#waiting, text]);
    this.#waiting = all.subarray(Math.max(0, all.length - mostWaiting));
    try {
      while (this.#waiting.length > 0) this.#waiting = this.#waiting.subarray(writeSync(descriptor, this.#waiting));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.#waiting = Buffer.alloc(0);
    }
    if (this.#waiting.length === 0 || this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.#writeUnblocked(descriptor, Buffer.alloc(0));
    }, 200).unref();
  }

  write(text: string): void {
    let left: Buffer = Buffer.from(text);
    if (this.#unblocked !== undefined) {
      this.#writeUnblocked(this.#unblocked, left);
      return;
    }
    try {
      this.#isSimple ??= isSimple(this.#descriptor);
      if (this.#opened === undefined && this.#isSimple) left = leftAfterWriting(this.#descriptor, left);
    } catch (error) {
      this.#failed(error as NodeJS.ErrnoException);
      return;
    }
    if (left.length === 0) return;
    this.#opened ??= this.#stream().on('error', this.#failed);
    this.#opened.write(left);
  }

  async flushed(): Promise<void> {
    if (this.#opened === undefined) return;
    await new Promise((resolve) => this.#opened!.write('', resolve));
  }
}

/**
 * Writes to a pipe or file and waits until it is written; returns the rest that does not fit into a non-blocking pipe.
 */
function leftAfterWriting(descriptor: number, bytes: Buffer): Buffer {
  let left: Buffer = bytes;
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return left;
}

/** A pipe, a file, or a socket, which Node gives its child processes as a pipe. */
function isSimple(descriptor: number): boolean {
  if (isWindows()) return false;
  const found = fstatSync(descriptor);
  return found.isFIFO() || found.isFile() || found.isSocket();
}

/**
 * Reports that the output could not be written, as on a full disk. A write that was sent has happened, but nobody has
 * seen its result.
 */
function outputLost(error: NodeJS.ErrnoException, variables: Variables, mayHaveChanged: boolean): ExitCode {
  const code = 'output_lost';
  const message = `The output can't be written: ${error.message}.`;
  const hint = mayHaveChanged
    ? 'The command took effect: check perp order --ended and perp positions before repeating it.'
    : 'Nothing was changed: free some disk space and try again.';
  tell({ code, message, hint }, variables);
  return mayHaveChanged ? exitCodes.outcomeUnknown : exitCodes.unavailable;
}

function unfinishedWrite(): number {
  const status = unfinishedStatus();
  return status === exitCodes.interrupted ? exitCodes.incomplete : status;
}

/**
 * Ends the process when nothing is left to do. If its command isn't done, nobody will finish it: an awaited event, such
 * as the end of an input, never came.
 */
export function endOfWork(isDone: boolean, variables: Variables): never {
  if (isDone) endProcess(Number(process.exitCode ?? exitCodes.done));
  const exit = unfinishedStatus();
  const isOpen = exit === exitCodes.outcomeUnknown;
  const code = isOpen ? 'outcome_unknown' : 'unfinished';
  const message = isOpen
    ? 'perp ended before the answer to a write arrived: its outcome is unknown.'
    : 'The command ended before it was done, because nothing more could arrive.';
  const hint = isOpen ? 'perp pending resume finds it out.' : undefined;
  tell({ code, message, hint }, variables);
  endProcess(exit);
}

/** Writes an error directly, when the process is about to end. */
function tell(error: { code: string; message: string; hint: string | undefined }, variables: Variables): void {
  const { message, hint } = error;
  const json = wantsJson(process.argv.slice(2), variables);
  const text = [`Error: ${message}`, ...(hint === undefined ? [] : [hint])].join('\n');
  try {
    writeSync(2, `${json ? JSON.stringify({ error }) : text}\n`);
  } catch {
    // The error can't be reported; the exit status shows it.
  }
}

function chosenColumns(variables: Variables): number | undefined {
  const text = variable(variables, 'COLUMNS');
  return text !== undefined && /^\d{1,4}$/.test(text) && Number(text) >= 10 ? Number(text) : undefined;
}

/**
 * Whether errors should be JSON objects, judged from the raw arguments, because the arguments themselves may be wrong.
 */
export function wantsJson(argv: readonly string[], variables: Variables): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.some((token) => token === '--json' || /^--jq(=|$)/.test(token))) return true;
  const at = flags.findLastIndex((token) => /^(-o|--output)(=|$)|^-o\w/.test(token));
  if (at < 0) return isJson(variable(variables, 'PERP_OUTPUT'));
  const token = flags[at]!;
  return isJson(/^(-o|--output)$/.test(token) ? flags[at + 1] : token.replace(/^(-o|--output)=?/, ''));
}

function isJson(format: string | undefined): boolean {
  return format === 'json' || format === 'ndjson';
}

/**
 * Whether a run prints in color: FORCE_COLOR decides (0 and false turn colors off); otherwise NO_COLOR or a
 * terminal without colors turns them off; otherwise they are on if the output is a terminal.
 */
export function isColored(variables: Variables, isTerminal: boolean): boolean {
  const forced = variable(variables, 'FORCE_COLOR');
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && variable(variables, 'NO_COLOR') === undefined && !isColorless(variables.TERM ?? '');
}

/** Terminals that terminfo lists without colors: the VT series, unless its name contains color, and monochrome ones. */
function isColorless(term: string): boolean {
  if (/^vt\d/.test(term)) return !term.includes('color');
  return /^dumb$|^(?:adm|wyse|tvi|hp|h19|ansi-m)|[-+]m(?:ono)?$|mono/.test(term);
}
