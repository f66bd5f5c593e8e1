import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts';
import { type Variables, variable } from '../files/folders.ts';
import { withoutCredentials, withoutSecrets } from '../text/secrets.ts';

/** The outside world of one run; tests pass their own. */
export interface Io {
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Columns of stdout; Infinity where it is not a terminal and COLUMNS is not set. */
  readonly columns: number;
  /** Rows of stdout's terminal; absent where there is none. */
  readonly rows?: number | undefined;
  out(text: string): void;
  err(text: string): void;
  /** Resolves when what was written to stdout has left this process. */
  flushed?(): Promise<void>;
  /** The exit status, should stdout's reader go away before the end. */
  endsWith?(exit: ExitCode): void;
  /** From now on something may have been changed, so that an answer that is lost leaves it unknown. */
  changes?(): void;
  /** All of standard input. */
  readInput(): Promise<string>;
}

/** Whether it is a terminal. Only a character device can be one; for anything else node:tty, which loads slowly, is not asked. */
function isTerminal(descriptor: number): boolean {
  try {
    return (process.platform === 'win32' || fstatSync(descriptor).isCharacterDevice()) && isatty(descriptor);
  } catch {
    // It is closed.
    return false;
  }
}

/** The process's own streams, each touched only when it is used: opening one costs a millisecond. */
export function processIo(variables: Variables): Io {
  let mayHaveChanged = false;
  return {
    get stdinIsTerminal() {
      return isTerminal(0);
    },
    get stdoutIsTerminal() {
      return isTerminal(1);
    },
    get stderrIsTerminal() {
      return isTerminal(2);
    },
    get columns() {
      return chosenColumns(variables) ?? (isTerminal(1) ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY);
    },
    get rows() {
      return isTerminal(1) ? process.stdout.rows || 24 : undefined;
    },
    out: writerTo(
      () => process.stdout,
      withoutSecrets,
      (error) => {
        // A reader that has seen enough (`| head -1`) is no failure.
        if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
        process.exit(outputLost(error, variables, mayHaveChanged));
      },
    ),
    // Nobody hears what goes wrong; the exit status still says it.
    err: writerTo(
      () => process.stderr,
      withoutCredentials,
      () => {},
    ),
    flushed: () => new Promise((resolve) => process.stdout.write('', () => resolve())),
    endsWith(exit) {
      process.exitCode = exit;
    },
    changes() {
      mayHaveChanged = true;
    },
    async readInput() {
      let text = '';
      process.stdin.setEncoding('utf8');
      for await (const chunk of process.stdin) text += chunk;
      return text;
    },
  };
}

/** Writes to a stream that may be closed or full: then `failed` is called, and nothing else happens. */
function writerTo(
  stream: () => NodeJS.WriteStream,
  cleaned: (text: string) => string,
  failed: (error: NodeJS.ErrnoException) => void,
): (text: string) => void {
  let opened: NodeJS.WriteStream | undefined;
  return (text) => {
    if (text === '') return;
    opened ??= stream().on('error', failed);
    opened.write(cleaned(text));
  };
}

/** Says that the answer could not be written (a full disk). What was sent has happened, and nobody knows what came of it. */
function outputLost(error: NodeJS.ErrnoException, variables: Variables, mayHaveChanged: boolean): ExitCode {
  const code = 'output_lost';
  const message = `The output cannot be written: ${error.message}.`;
  const hint = mayHaveChanged
    ? 'What the command did stands: look with perp order list and perp positions before repeating it.'
    : 'Nothing was changed: make room and repeat it.';
  const json = wantsJson(process.argv.slice(2), variables);
  try {
    writeSync(2, json ? `${JSON.stringify({ error: { code, message, hint } })}\n` : `Error: ${message}\n${hint}\n`);
  } catch {
    // Nowhere left to say it; the exit status does.
  }
  return mayHaveChanged ? exitCodes.outcomeUnknown : exitCodes.unavailable;
}

function chosenColumns(variables: Variables): number | undefined {
  const text = variable(variables, 'COLUMNS');
  return text !== undefined && /^\d{1,4}$/.test(text) && Number(text) >= 10 ? Number(text) : undefined;
}

/** Whether errors are to be JSON objects, told from the raw arguments: they may be what is wrong. */
export function wantsJson(argv: readonly string[], variables: Variables): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.includes('--json')) return true;
  const at = flags.findLastIndex((token) => /^(-o|--output)(=|$)|^-o\w/.test(token));
  if (at < 0) return isJson(variable(variables, 'PERP_OUTPUT'));
  const token = flags[at]!;
  return isJson(/^(-o|--output)$/.test(token) ? flags[at + 1] : token.replace(/^(-o|--output)=?/, ''));
}

function isJson(format: string | undefined): boolean {
  return format === 'json' || format === 'ndjson';
}
