import { Command, CommanderError, Option } from 'commander';
import { usageFailure } from './failure.ts';
import { type GlobalFlagName, globalFlags } from './global-flags.ts';
import { oneValue } from './parse-value.ts';
import { quoted, shortened } from './quoted.ts';
import { type CommandSpec, camelCase, type FlagSpec } from './spec.ts';
import { nearest } from './suggest.ts';
import { usageLine } from './usage-line.ts';
import { separatedUnitHint } from './values.ts';

/** Global flags as given; absent ones are settled later from variables and config. */
export type GlobalInput = { [Name in GlobalFlagName]?: string | number | true };

export interface Parsed {
  globals: GlobalInput;
  /** What the command's `run` receives (see InputOf). */
  input: Record<string, unknown>;
}

/** What commander takes apart for one command; made once, for a batch parses many lines. */
interface Tokenizer {
  /** Global flags that the command has no flag of its own for. */
  shared: readonly (readonly [GlobalFlagName, FlagSpec])[];
  split(tokens: readonly string[]): {
    words: readonly string[];
    given: ReadonlyMap<string, readonly (string | true)[]>;
  };
}

const tokenizers = new WeakMap<CommandSpec, Tokenizer>();

/** Turns the tokens after a command's words into its input; throws a usage failure that says what to write instead. */
export function parse(path: string, spec: CommandSpec, tokens: readonly string[]): Parsed {
  const tokenizer = tokenizers.get(spec) ?? tokenizerOf(path, spec);
  tokenizers.set(spec, tokenizer);
  const { words, given } = tokenizer.split(tokens);

  const input: Record<string, unknown> = {};
  for (const [name, value] of argumentValues(path, spec, words)) input[name] = value;
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    input[camelCase(name)] = flagValue(name, flag, given.get(name));
  }
  const globals: GlobalInput = {};
  for (const [name, flag] of tokenizer.shared) {
    if (given.has(name)) globals[name] = flagValue(name, flag, given.get(name)) as string | number | true;
  }
  return { globals, input };
}

/** Commander splits the tokens into words and flags; every flag's raw values are collected, in order. */
function tokenizerOf(path: string, spec: CommandSpec): Tokenizer {
  const own: Record<string, FlagSpec> = spec.flags ?? {};
  const shorts = new Set(Object.values(own).map((flag) => flag.short));
  const shared = (Object.entries(globalFlags) as [GlobalFlagName, FlagSpec][])
    .filter(([name]) => !(name in own))
    .map(([name, flag]): [GlobalFlagName, FlagSpec] => {
      const { short, ...rest } = flag;
      return [name, shorts.has(short) ? rest : flag];
    });
  const flags: Record<string, FlagSpec> = { ...Object.fromEntries(shared), ...own };
  let given = new Map<string, (string | true)[]>();
  const program = new Command(path).exitOverride().helpOption(false).helpCommand(false).allowExcessArguments();
  program.showSuggestionAfterError(false).configureOutput({ writeErr: () => {}, writeOut: () => {} });
  for (const [name, flag] of Object.entries(flags)) {
    const short = flag.short === undefined ? '' : `-${flag.short}, `;
    const option = new Option(`${short}--${name}${flag.value === undefined ? '' : ` <${flag.value}>`}`);
    program.addOption(option);
    program.on(`option:${option.name()}`, (value?: string) => {
      given.set(name, [...(given.get(name) ?? []), flag.value === undefined ? true : (value ?? '')]);
    });
  }
  const split: Tokenizer['split'] = (tokens) => {
    given = new Map();
    try {
      program.parse(tokens, { from: 'user' });
    } catch (error) {
      if (error instanceof CommanderError) throw explained(error, path, flags);
      throw error;
    }
    return { words: program.args, given };
  };
  return { shared, split };
}

function explained(error: CommanderError, path: string, flags: Record<string, FlagSpec>) {
  const named = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const help = `perp ${path} --help lists its flags.`;
  if (error.code === 'commander.unknownOption') {
    const near = nearest(named.replace(/^-+/, '').split('=')[0]!, Object.keys(flags));
    return usageFailure(`Unknown flag ${shortened(named)}.`, near === undefined ? help : `Did you mean --${near}?`);
  }
  if (error.code === 'commander.optionMissingArgument') {
    return usageFailure(`${named.split(' ').find((word) => word.startsWith('--')) ?? named} needs a value.`, help);
  }
  return usageFailure(error.message.replace(/^error: /, ''), help);
}

function* argumentValues(path: string, spec: CommandSpec, words: readonly string[]): Generator<[string, unknown]> {
  const args = spec.args ?? [];
  for (const [index, argument] of args.entries()) {
    const label = argument.name.toUpperCase();
    const texts = argument.repeat === true ? words.slice(index) : words.slice(index, index + 1);
    if (texts.length === 0 && argument.optional !== true) {
      throw usageFailure(`${label} is missing.`, `Usage: ${usageLine(path, spec)}`);
    }
    const values = texts.map((text) => oneValue(argument, text, label));
    yield [argument.name, argument.repeat === true ? values : values[0]];
  }
  const last = args.at(-1);
  if (last?.repeat === true || words.length <= args.length) return;
  const surplus = words[args.length]!;
  const unit = last?.kind === 'size' ? separatedUnitHint(words[args.length - 1]!, surplus) : undefined;
  throw usageFailure(`Unexpected ${quoted(surplus)}.`, unit ?? `Usage: ${usageLine(path, spec)}`);
}

function flagValue(name: string, flag: FlagSpec, given: readonly (string | true)[] | undefined): unknown {
  if (flag.value === undefined) return given !== undefined;
  const texts = (given ?? []) as readonly string[];
  for (const text of texts) {
    if (/^--[a-z]/.test(text)) throw usageFailure(`--${name} needs a value, not ${text}.`);
  }
  const values = texts.map((text) => oneValue(flag, text, `--${name}`));
  if (flag.repeat === true) return values;
  if (values.length > 1 && new Set(texts).size > 1) {
    throw usageFailure(`--${name} is given ${values.length} times with different values.`, 'Give it once.');
  }
  if (values.length === 0 && flag.required === true) throw usageFailure(`--${name} is missing.`, flag.summary);
  return values[0];
}
