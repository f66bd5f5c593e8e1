import { configKeys } from '../config-keys.ts';
import { type GlobalFlag, globalFlags } from '../global-flags.ts';
import { groupSummaries } from '../groups.ts';
import { childrenOf, type Registry } from '../registry.ts';
import { helpTopics } from '../route.ts';
import type { ArgumentSpec, FlagSpec } from '../spec.ts';

/** What may stand in a place: fixed words, files, or what the memory of the command line knows. */
export type Values =
  | { kind: 'words'; words: readonly Described[] }
  | { kind: 'file' }
  | { kind: 'memory'; name: string }
  | { kind: 'anything' };

export type Described = readonly [word: string, about: string];

export interface FlagGrammar {
  /** `--limit-price`, `-o`. */
  readonly names: readonly string[];
  readonly about: string;
  /** Absent: a switch. */
  readonly values: Values | undefined;
}

/** One place in the tree of commands: the words that may come next, and of a command its arguments and flags. */
export interface Place {
  /** `order place`; empty for the root. */
  readonly path: string;
  readonly words: readonly Described[];
  readonly args: readonly Values[];
  /** The last argument may be repeated. */
  readonly repeats: boolean;
  readonly flags: readonly FlagGrammar[];
}

const remembered = new Set(['market', 'account', 'order', 'position', 'twap', 'scaled', 'group']);

/** Everything that completion scripts are made of: the root, every noun and every command. */
export function grammarOf(registry: Registry): { places: readonly Place[]; shared: readonly FlagGrammar[] } {
  const paths = new Set(['']);
  for (const command of registry.commands.keys()) {
    const words = command.split(' ');
    for (let length = 1; length <= words.length; length++) paths.add(words.slice(0, length).join(' '));
  }
  const places = [...paths].sort().map((path) => placeOf(path, registry));
  const help: Place = { path: 'help', words: helpWords(registry), args: [], repeats: false, flags: [] };
  const flags: [string, GlobalFlag][] = Object.entries(globalFlags);
  return { places: [...places, help], shared: flags.map(([name, flag]) => flagGrammar(name, flag)) };
}

function placeOf(path: string, registry: Registry): Place {
  const spec = registry.commands.get(path) ?? registry.commands.get(`${path} list`);
  const isCommand = registry.commands.has(path);
  const words = isCommand
    ? []
    : childrenOf(registry, path).map((word): Described => [word, aboutPath(`${path} ${word}`.trim(), registry)]);
  const args = isCommand ? (spec?.args ?? []) : [];
  return {
    path,
    words: path === '' ? [...words, ['help', 'Explain a command']] : words,
    args: args.map(valuesOf),
    repeats: args.at(-1)?.repeat === true,
    flags: Object.entries(spec?.flags ?? {}).map(([name, flag]) => flagGrammar(name, flag)),
  };
}

function helpWords(registry: Registry): Described[] {
  const topics = helpTopics.map((topic): Described => [topic, 'Topic']);
  return [...childrenOf(registry, '').map((word): Described => [word, aboutPath(word, registry)]), ...topics];
}

function aboutPath(path: string, registry: Registry): string {
  return groupSummaries[path] ?? registry.commands.get(path)?.summary ?? '';
}

function flagGrammar(name: string, flag: FlagSpec): FlagGrammar {
  const names = flag.short === undefined ? [`--${name}`] : [`--${name}`, `-${flag.short}`];
  return { names, about: flag.summary, values: flag.value === undefined ? undefined : valuesOf(flag) };
}

function valuesOf(value: FlagSpec | ArgumentSpec): Values {
  if (value.choices !== undefined)
    return { kind: 'words', words: value.choices.map((choice) => [choice, ''] as const) };
  const { kind } = value;
  if (kind === 'configKey')
    return { kind: 'words', words: Object.entries(configKeys).map(([key, { summary }]) => [key, summary] as const) };
  if (kind === 'file') return { kind: 'file' };
  if (kind !== undefined && remembered.has(kind)) return { kind: 'memory', name: kind };
  return { kind: 'anything' };
}
