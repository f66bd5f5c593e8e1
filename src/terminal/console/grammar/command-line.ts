import type { Variables } from '../../../base/files/folders.ts';
import type { GlobalInput } from './global-options.ts';
import type { ArgumentSpec, OptionSpec } from './spec.ts';

/** A parsed command line: the command and its input. */
export interface Chosen {
  /** `order place`. */
  readonly path: string;
  /** The input of the command's `run` (see ValuesOf). */
  readonly input: Record<string, unknown>;
  readonly globals: GlobalInput;
}

/** Reads command lines in one process, without running them. */
export interface LineReader {
  /** Parses the words after `perp`; throws a usage failure if they name no command. */
  read(words: readonly string[]): Chosen;
  /** The completions of the last of these words, as `perp __complete` prints them. */
  complete(words: readonly string[], variables: Variables): string;
}

/** The missing input of a command line. */
export interface Missing {
  /** `order place`. */
  readonly path: string;
  /** The given arguments; the missing ones follow them. */
  readonly given: readonly string[];
  readonly globals: GlobalInput;
  /** Names of the command's given options: `stop-loss`. */
  readonly chosen: readonly string[];
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly { readonly name: string; readonly spec: OptionSpec }[];
}
