import { type InputEvents, InputReader } from './input-reader.ts';

/** What a terminal in raw mode reports. */
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

/** The terminal of this process; `output` writes to it and knows its size. */
export function processTerminal(output: Output): RawTerminal {
  return {
    get columns() {
      return output.columns;
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
        setRaw(true);
        stdin.resume();
      }
      stdout.on('resize', resized);
      process.on('SIGCONT', resumed);
      return () => {
        stdin.off('data', read);
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
      const endings = fatal.map(([signal, exit]) => [signal, () => process.exit(exit)] as const);
      process.on('exit', leave);
      for (const [signal, end] of endings) process.on(signal, end);
      return () => {
        process.off('exit', leave);
        for (const [signal, end] of endings) process.off(signal, end);
      };
    },
    suspend() {
      setRaw(false);
      process.kill(process.pid, 'SIGTSTP');
    },
  };
}

function setRaw(isRaw: boolean): void {
  try {
    if (process.stdin.isTTY) process.stdin.setRawMode(isRaw);
  } catch {
    // The terminal is gone.
  }
}
