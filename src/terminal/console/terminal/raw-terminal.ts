import { endProcess, isEnding, receivedSignal, suspendJob } from '../../../base/failure/ending.ts';
import { type InputEvents, InputReader } from './input-reader.ts';

/** Events from a terminal in raw mode. */
export interface TerminalEvents extends InputEvents {
  resized(): void;
  /** The user came back after Ctrl-Z; the screen shows something else. */
  resumed(): void;
}

/** A terminal that passes on every key and can be drawn on anywhere. */
export interface RawTerminal {
  readonly columns: number;
  readonly rows: number;
  write(text: string): void;
  /** Takes over keys and signals; returns a function that gives them back. */
  listen(events: TerminalEvents): () => void;
  /** Calls this when the process exits, however it does, except for SIGKILL. */
  onExit(restore: () => void): () => void;
  /** Stops the process, as Ctrl-Z does. */
  suspend(): void;
}

interface Output {
  readonly columns: number;
  readonly rows?: number | undefined;
  out(text: string): void;
}

/** Signals that would end the process without a chance to restore the terminal, and their exit statuses. */
const fatal = [
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
] as const;

/** The terminal of this process; `output` writes to it and knows its size. If it is gone, the process ends. */
export function processTerminal(output: Output): RawTerminal {
  return {
    get columns() {
      // A terminal that is gone has no size.
      return Number.isFinite(output.columns) ? output.columns : 80;
    },
    get rows() {
      return output.rows ?? 24;
    },
    write: (text) => output.out(text),
    listen(events) {
      const { stdin, stdout } = process;
      const resized = () => events.resized();
      const resumed = () => {
        setRaw(true);
        events.resumed();
      };
      const reader = new InputReader(events);
      const read = (text: string) => reader.take(text);
      if (stdin.isTTY) {
        stdin.setEncoding('utf8').on('data', read);
        for (const event of goneEvents) stdin.on(event, hungUp);
        setRaw(true);
        stdin.resume();
      }
      stdout.on('resize', resized);
      process.on('SIGCONT', resumed);
      return () => {
        stdin.off('data', read);
        for (const event of goneEvents) stdin.off(event, hungUp);
        reader.close();
        stdout.off('resize', resized);
        process.off('SIGCONT', resumed);
        setRaw(false);
        if (stdin.isTTY) stdin.pause();
      };
    },
    onExit(restore) {
      const leave = () => {
        setRaw(false);
        restore();
      };
      const endings = fatal.map(([signal, exit]) => [signal, () => end(signal, exit)] as const);
      process.on('exit', leave);
      for (const [signal, listener] of endings) process.on(signal, listener);
      return () => {
        process.off('exit', leave);
        for (const [signal, listener] of endings) process.off(signal, listener);
      };
    },
    suspend() {
      setRaw(false);
      suspendJob();
    },
  };
}

/** In raw mode, a terminal's input ends only with the terminal; an error (EIO) means the same. */
const goneEvents = ['end', 'error'] as const;

function hungUp(): void {
  // Restoring a terminal that is gone fails, too.
  if (!isEnding()) end('SIGHUP', 129);
}

function end(signal: (typeof fatal)[number][0], exit: number): void {
  if (signal === 'SIGHUP') receivedSignal(signal);
  endProcess(exit);
}

function setRaw(isRaw: boolean): void {
  try {
    if (process.stdin.isTTY) process.stdin.setRawMode(isRaw);
  } catch {
    // The terminal is gone.
  }
}
