import { usageFailure } from '../../../base/failure/failure.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { oneValue } from '../../../desk/values/values.ts';
import type { Chosen } from '../../console/grammar/command-line.ts';
import { globalOptions } from '../../console/grammar/global-options.ts';
import { type Catalog, type CommandSpec, camelCase, labelOf, type OptionSpec } from '../../console/grammar/spec.ts';

/**
 * Reads a line that needs only the spec of its command: a command, its arguments, and options after it. Other lines are
 * left to the tree (undefined), which takes about twice as long and names the error.
 */
export function plainLine(words: readonly string[], catalog: Catalog): Chosen | undefined {
  let path = words[0] ?? '';
  let at = 1;
  for (; !catalog.summaries.has(path); at++) {
    const word = words[at];
    if (word === undefined || word.startsWith('-')) return undefined;
    path = `${path} ${word}`;
  }
  // A word with a space is not two words.
  if (path.split(' ').length !== at) return undefined;
  const spec = catalog.spec(path);
  const texts: string[] = [];
  try {
    const given = takeOptions(words.slice(at), spec.options ?? {}, texts);
    return given === undefined ? undefined : chosenBy(path, spec, texts, given);
  } catch {
    // A value that its option or argument doesn't accept.
    return undefined;
  }
}

type Options = Readonly<Record<string, OptionSpec>>;

/** The values of the options among these words, by name; the other words go to `texts`. */
function takeOptions(words: readonly string[], own: Options, texts: string[]): Map<string, unknown> | undefined {
  const given = new Map<string, unknown>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith('-') || word === '-') {
      texts.push(word);
      continue;
    }
    const [flag, joined] = /^(--[^=]+)=(.*)$/s.exec(word)?.slice(1) ?? [word];
    const name = flag!.slice(2);
    const options: Options = Object.hasOwn(own, name) ? own : globalOptions;
    const option = flag!.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined || (joined !== undefined && option.value === undefined)) return undefined;
    if (option.value === undefined) {
      given.set(name, true);
      continue;
    }
    const text = joined ?? words[++at];
    if (text === undefined || /^--[a-z]/.test(text)) return undefined;
    const value = oneValue(option, text, `--${name}`);
    if (option.repeat === true) given.set(name, [...((given.get(name) as unknown[] | undefined) ?? []), value]);
    else if (given.has(name)) return undefined;
    else given.set(name, value);
  }
  return given;
}

/** The command with its input; undefined if something is missing or left over. */
function chosenBy(
  path: string,
  spec: CommandSpec,
  texts: readonly string[],
  given: ReadonlyMap<string, unknown>,
): Chosen | undefined {
  const { args = [], options = {} } = spec;
  const { absent, required } = inputOf(spec);
  const input: Record<string, unknown> = { ...absent };
  let at = 0;
  for (const arg of args) {
    const own = texts.slice(at, arg.repeat === true ? texts.length : at + 1);
    if (own.length === 0 && arg.optional !== true) return undefined;
    const values = own.map((text) => oneValue(arg, text, labelOf(arg)));
    input[arg.name] = arg.repeat === true ? values : values[0];
    at += own.length;
  }
  if (at < texts.length || required.some((name) => !given.has(name))) return undefined;
  const globals: Record<string, unknown> = {};
  for (const [name, value] of given) if (Object.hasOwn(options, name)) input[camelCase(name)] = value;
  for (const name of given.size === 0 ? [] : Object.keys(globalOptions))
    if (given.has(name) && !Object.hasOwn(options, name)) globals[camelCase(name)] = given.get(name);
  return { path, input, globals };
}

/** The input of a command without arguments and options, and its required options. */
interface EmptyInput {
  readonly absent: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

const emptyInputs = new WeakMap<CommandSpec, EmptyInput>();

function inputOf(spec: CommandSpec): EmptyInput {
  const known = emptyInputs.get(spec);
  if (known !== undefined) return known;
  const absent: Record<string, unknown> = {};
  const required: string[] = [];
  for (const { name } of spec.args ?? []) absent[name] = undefined;
  for (const [name, option] of Object.entries(spec.options ?? {})) {
    absent[camelCase(name)] =
      option.value === undefined ? false : option.repeat === true ? Object.freeze([]) : undefined;
    if (option.required === true) required.push(name);
  }
  const empty = { absent, required };
  emptyInputs.set(spec, empty);
  return empty;
}

/** The longest path that systems allow; other arguments are much shorter. */
const longestArgument = 4096;

/**
 * Rejects overlong arguments before anything parses them: most likely a file's content was passed instead of its name.
 */
export function checkLengths(words: readonly string[]): void {
  const long = words.find((word) => word.length > longestArgument);
  if (long === undefined) return;
  throw usageFailure(
    `An argument has ${long.length} characters: ${quoted(long)}.`,
    `Arguments are limited to ${longestArgument} characters; put longer input in a file.`,
  );
}
