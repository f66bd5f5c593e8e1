import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CommanderError } from 'commander';
import { addressedVenues } from '../../../src/base/terms/venues.ts';
import { main } from '../../../src/terminal/cli/main.ts';
import { sourceRegistry } from '../../../src/terminal/cli/source-registry.ts';
import { commandTree, type Node } from '../../../src/terminal/cli/tree/command-tree.ts';
import { plainPalette } from '../../../src/terminal/console/output/themes.ts';
import type { Outside } from '../../../src/terminal/console/terminal/outside.ts';
import type { RawTerminal } from '../../../src/terminal/console/terminal/raw-terminal.ts';
import { sleep } from '../../../src/wire/client/retry.ts';
import { beginning } from '../../seed.ts';

/** The output and exit status of one run of the command line. */
export interface Run {
  exit: number;
  out: string;
  err: string;
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the commands print.
  json: any;
  /** The JSON object on standard error, with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: the same of errors.
  error: any;
}

export interface Terminal {
  /** Whether a person is at the terminal; default: no. */
  terminal?: boolean;
  columns?: number;
  /** The terminal of full-screen programs. */
  screen?: RawTerminal;
  /** Standard input; without it, it has ended. */
  input?: string | Readable;
  /** Called with each text on stderr. */
  heard?: (text: string) => void;
  /** Called with each text on stdout. */
  printed?: (text: string) => void;
  /** Answers to questions; without them a question fails the run. */
  answer?: boolean;
  /** Choices and typed answers, in order. */
  typed?: readonly string[];
  /** What happens elsewhere while a question is open. */
  meanwhile?: () => Promise<unknown>;
  variables?: Record<string, string>;
  /** Retries wait as long as for a user; default: a fiftieth of that. */
  inRealTime?: boolean;
  /** What replaces more of the outside world. */
  outside?: Partial<Outside>;
}

let registry: ReturnType<typeof sourceRegistry> | undefined;

/** The commands of the source tree, read once per test file. */
export function commands(): ReturnType<typeof sourceRegistry> {
  registry ??= sourceRegistry();
  return registry;
}

/** The tree of all commands, without actions; `write` receives its help. */
export async function practiceTree(write: (text: string) => void = () => {}, columns = 80): Promise<Node> {
  return commandTree({ catalog: await commands(), write, columns, palette: plainPalette, act: () => {} }).named();
}

/** The help of a command, noun or topic; with an empty path, the overview. */
export async function helpOf(path: string, columns: number): Promise<string> {
  let text = '';
  const program = await practiceTree((part) => {
    text += part;
  }, columns);
  const words = path === '' ? [] : path.split(' ');
  assert.throws(() => {
    program.parse(['help', ...words], { from: 'user' });
    throw new CommanderError(0, 'commander.help', 'a topic ends like any command');
  }, CommanderError);
  return text;
}

/** Addresses of live markets' venues at which nobody answers, so no test sends anything outside this machine. */
const unreachableVenues = Object.fromEntries(
  addressedVenues.flatMap((name) => [
    [`PERP_VENUES_${name.toUpperCase()}_WS_URL`, 'ws://127.0.0.1:1'],
    [`PERP_VENUES_${name.toUpperCase()}_REST_URL`, 'http://127.0.0.1:1'],
  ]),
);

/** Runs the command line from source in this process, with nobody at the terminal unless `terminal` says so. */
export async function perpFromSource(
  argv: readonly string[],
  terminal: Terminal & { variables: Record<string, string> },
  questions: string[] = [],
): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const answers = [...(terminal.typed ?? [])];
  const isTerminal = terminal.terminal ?? false;
  const note = (text: string): void => {
    err.push(text);
    terminal.heard?.(text);
  };
  let hear = note;
  const outside: Outside = {
    io: {
      stdinIsTerminal: isTerminal,
      stdoutIsTerminal: isTerminal,
      stderrIsTerminal: false,
      stderrColumns: terminal.columns,
      columns: terminal.columns ?? (isTerminal ? 80 : Number.POSITIVE_INFINITY),
      out: (text) => {
        out.push(text);
        terminal.printed?.(text);
      },
      err: (text) => hear(text),
      ...(terminal.screen && {
        terminal: async () => terminal.screen!,
        divertErr: (to) => {
          hear = to ?? note;
        },
      }),
      input: () => (typeof terminal.input === 'object' ? terminal.input : Readable.from([terminal.input ?? ''])),
    },
    variables: terminal.variables,
    now: Date.now,
    ...(terminal.inRealTime !== true && { sleep: (ms, signal) => sleep(ms / 50, signal) }),
    beginning,
    prompts: {
      confirm: async (question) => {
        questions.push(question);
        await terminal.meanwhile?.();
        if (terminal.answer === undefined) throw new Error(`asked: ${question}`);
        return terminal.answer;
      },
      choose: async (question, choices) => {
        questions.push(`${question}: ${choices.map(({ name }) => name).join(' | ')}`);
        return answers.shift() ?? choices[0]!.value;
      },
      line: async (question, problem) => {
        questions.push(question);
        await terminal.meanwhile?.();
        const text = answers.shift() ?? '';
        const why = problem(text);
        if (why !== undefined) throw new Error(why);
        return text;
      },
      secret: async (question) => {
        throw new Error(`asked: ${question}`);
      },
    },
    ...terminal.outside,
  };
  const exit = await main(argv, await commands(), outside);
  return runOf(exit, out.join(''), err.join(''));
}

/**
 * A user's machine with its own folders: `perp(['order', 'list'])` runs the command line from source in this process.
 */
export class Desk implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'perp-cli-'));
  readonly questions: string[] = [];

  get variables(): Record<string, string> {
    return {
      ...unreachableVenues,
      HOME: this.folder,
      PERP_STATE_DIR: join(this.folder, 'state'),
      PERP_CONFIG_DIR: join(this.folder, 'config'),
    };
  }

  async perp(argv: readonly string[], terminal: Terminal = {}): Promise<Run> {
    const variables = { ...this.variables, NO_COLOR: '1', ...terminal.variables };
    return perpFromSource(argv, { ...terminal, variables }, this.questions);
  }

  /** The JSON output of a command that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the commands print.
  async json(...argv: string[]): Promise<any> {
    const run = await this.perp([...argv, '--json']);
    if (run.exit !== 0) throw new Error(`perp ${argv.join(' ')} ended with ${run.exit}: ${run.err}`);
    return run.json;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function runOf(exit: number, out: string, err: string): Run {
  return {
    exit,
    out,
    err,
    get json() {
      return JSON.parse(out);
    },
    get error() {
      return JSON.parse(err.trim().split('\n').at(-1)!).error;
    },
  };
}
