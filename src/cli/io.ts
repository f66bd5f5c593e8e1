import { type Variables, variable } from './places.ts';

/** The outside world of one run; tests pass their own. */
export interface Io {
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Columns of stdout; Infinity where it is not a terminal and COLUMNS is not set. */
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
}

/** The process's own streams. */
export function processIo(variables: Variables): Io {
  const { stdin, stdout, stderr } = process;
  return {
    stdinIsTerminal: stdin.isTTY === true,
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    get columns() {
      return chosenColumns(variables) ?? (stdout.isTTY === true ? stdout.columns || 80 : Number.POSITIVE_INFINITY);
    },
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    readInput: async () => {
      let text = '';
      stdin.setEncoding('utf8');
      for await (const chunk of stdin) text += chunk;
      return text;
    },
  };
}

function chosenColumns(variables: Variables): number | undefined {
  const text = variable(variables, 'COLUMNS');
  return text !== undefined && /^\d{1,4}$/.test(text) && Number(text) >= 10 ? Number(text) : undefined;
}
