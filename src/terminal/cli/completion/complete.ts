import type { Option } from 'commander';
import { type EnvironmentName, type Variables, variable } from '../../../base/files/folders.ts';
import { type Remembered, type RememberedKind, remembered, rememberedKinds } from '../../../desk/resolve/remembered.ts';
import { priceBases } from '../../../desk/values/prices.ts';
import type { ValueSpec } from '../../../desk/values/values.ts';
import { readConfig } from '../../console/settings/config-file.ts';
import { configKeys, profileFields } from '../../console/settings/config-keys.ts';
import { statesIn } from '../../console/settings/in-use.ts';
import { type Profile, profilesIn } from '../../console/settings/lookup.ts';
import type { Node } from '../tree/command-tree.ts';
import { type ValueArgument, ValueOption } from '../tree/options.ts';
import { topics } from '../tree/topics.ts';

/** Possible next words or file names. */
type Offer = readonly Described[] | 'files';

type Described = readonly [word: string, about: string];

/**
 * The completions for TAB: `perp __complete WORD...` with the words after `perp`, the last of which is being typed.
 * Ignores case. Prints one `word<TAB>about` per line, and as the last line `:words`, or `:files` if the shell should
 * offer files. Markets, ids and keys come from stored data, never from the network.
 */
export function complete(words: readonly string[], program: Node, variables: Variables): string {
  const cursor = cursorAfter(words.slice(0, -1), program, variables);
  // A pair of quotes means an empty word, for shells that can't pass one.
  const current = (words.at(-1) ?? '').replace(/^""$/, '');
  const [prefix, offer] = offerFor(current, cursor);
  if (offer === 'files') return ':files\n';
  const typed = current.toLowerCase();
  const fitting = offer.filter(([word]) => `${prefix}${word}`.toLowerCase().startsWith(typed));
  return `${fitting.map(([word, about]) => `${prefix}${word}\t${about}\n`).join('')}:words\n`;
}

/** The position in the tree that a command line has reached. */
interface Cursor {
  node: Node;
  /** The option whose value comes next. */
  expects: ValueOption | undefined;
  /** The arguments that were given. */
  given: string[];
  /** After `--`, where nothing is an option. */
  isBehindOptions: boolean;
  /** `perp help` completes command names. */
  isHelp: boolean;
  environment: EnvironmentName;
  variables: Variables;
}

function cursorAfter(words: readonly string[], program: Node, variables: Variables): Cursor {
  const ofProfile = profiles(variables).get(variable(variables, 'PERP_PROFILE') ?? '')?.environment;
  const cursor: Cursor = {
    node: program.named(),
    expects: undefined,
    given: [],
    isBehindOptions: false,
    isHelp: false,
    environment: (variable(variables, 'PERP_ENV') ?? ofProfile ?? 'sim') as EnvironmentName,
    variables,
  };
  for (const word of words) {
    if (cursor.expects !== undefined) takeValue(cursor, cursor.expects, word);
    else if (!cursor.isBehindOptions && word === '--') cursor.isBehindOptions = true;
    else if (!cursor.isBehindOptions && word.startsWith('-') && word !== '-') beginOption(cursor, word);
    else if (cursor.node === program && word === 'help') cursor.isHelp = true;
    else {
      const below = cursor.given.length === 0 ? cursor.node.below(word) : undefined;
      if (below === undefined) cursor.given.push(word);
      else cursor.node = below;
    }
  }
  return cursor;
}

function takeValue(cursor: Cursor, option: Option, value: string): void {
  if (option.name() === 'env') cursor.environment = value as EnvironmentName;
  if (option.name() === 'profile')
    cursor.environment = profiles(cursor.variables).get(value)?.environment ?? cursor.environment;
  cursor.expects = undefined;
}

function beginOption(cursor: Cursor, word: string): void {
  const [name, value] = word.split(/=(.*)/s);
  const option = optionsAt(cursor.node).find(({ long, short }) => long === name || short === name);
  if (option?.required !== true) return;
  if (value === undefined) cursor.expects = option;
  else takeValue(cursor, option, value);
}

/** A noun without a verb takes the options of its list. */
function optionsAt(node: Node): readonly ValueOption[] {
  const options = [...node.options, ...(node.byDefault?.ownOptions ?? [])];
  return options.filter((option) => option instanceof ValueOption);
}

function offerFor(current: string, cursor: Cursor): [prefix: string, Offer] {
  const { node, expects, given, isBehindOptions, isHelp } = cursor;
  if (expects !== undefined) return ['', valuesOf(expects.value, cursor, current)];
  if (!isBehindOptions && current.startsWith('-')) return optionOffer(current, cursor);
  if (node.commands.length > 0 && (given.length === 0 || node.path === '' || argumentsOf(node).length === 0)) {
    const words = node.commands.map((command): Described => [command.name(), command.summary()]);
    const isTop = isHelp && node.path === '';
    const more = isHelp || current === '' ? [] : defaultArguments(cursor, current);
    return ['', isTop ? [...words, ...topics.map((topic): Described => [topic, 'Topic'])] : [...words, ...more]];
  }
  if (isHelp) return ['', []];
  const args = argumentsOf(node);
  if (node.path === 'config set' && given.length === 1) return ['', configValues(given[0]!, cursor)];
  const argument = args[given.length] ?? (args.at(-1)?.variadic === true ? args.at(-1) : undefined);
  return ['', argument === undefined ? [] : valuesOf(argument.value, cursor, current)];
}

/** The arguments of a command; for a noun, those of its default verb. */
function argumentsOf(node: Node): readonly ValueArgument[] {
  const command = node.commands.length > 0 ? node.byDefault : node;
  return (command?.registeredArguments ?? []) as readonly ValueArgument[];
}

/** Values that can replace a verb, such as the position of `perp plan BTC`. */
function defaultArguments(cursor: Cursor, current: string): readonly Described[] {
  const [argument] = argumentsOf(cursor.node);
  const offer = argument === undefined ? [] : valuesOf(argument.value, cursor, current);
  return offer === 'files' ? [] : offer;
}

function optionOffer(current: string, cursor: Cursor): [prefix: string, Offer] {
  const options = optionsAt(cursor.node);
  const [name = '', value] = current.split(/=(.*)/s);
  if (value === undefined) return ['', options.map((option): Described => [option.long!, option.description])];
  const option = options.find(({ long }) => long === name);
  return [`${name}=`, option?.required === true ? valuesOf(option.value, cursor, value) : []];
}

function valuesOf({ choices, kind }: ValueSpec, { environment, variables }: Cursor, current = ''): Offer {
  if (choices !== undefined) return choices.map((choice) => [choice, ''] as const);
  if (kind === 'file') return 'files';
  if (kind === 'configKey') return configKeyOffer(variables);
  if (kind === 'orderSize') return orderSizes;
  if (kind === 'profile') return [...profiles(variables)].map(([name, { environment: of }]) => [name, of] as const);
  if (kind === 'state') return statesIn(variables).map((state) => [state, ''] as const);
  if (kind === 'exitMove')
    return remembered(variables, environment, 'order').map(([id, about]) => [`${safe(id)}=`, safe(about)] as const);
  if (kind === 'price' || kind === 'exitPrice' || kind === 'optionalPrice') return priceWords(kind);
  if (!(rememberedKinds as readonly unknown[]).includes(kind)) return [];
  const known = (one: RememberedKind) => remembered(variables, environment, one);
  // A position is named by its market, too; one that no list has shown, by any.
  const own = kind === 'market' ? [] : known(kind as RememberedKind);
  const markets =
    kind === 'market' || (kind === 'position' && own.length === 0) ? marketNames(known('market'), current) : [];
  return [...own, ...markets].map(([value, about]) => [safe(value), safe(about)] as const);
}

function profiles(variables: Variables): Map<string, Profile> {
  try {
    return profilesIn(readConfig(variables));
  } catch {
    return new Map();
  }
}

function configKeyOffer(variables: Variables): Described[] {
  const own = [...profiles(variables).keys()].flatMap((name) =>
    Object.entries(profileFields).map(([field, { summary }]): Described => [`profiles.${name}.${field}`, summary]),
  );
  return [...Object.entries(configKeys).map(([key, { summary }]): Described => [key, summary]), ...own];
}

/** Sizes that no list shows. */
const orderSizes: readonly Described[] = [
  ['max', 'the largest that margin, limits and floors allow'],
  ['risk:0.5%', 'loses this share of the equity at its stop'],
  ['risk:200usd', 'loses this at its stop'],
  ['risk:10%room', 'loses this share of the room to the floor at its stop'],
];

/** The values of a config key, like those of an option. */
function configValues(key: string, cursor: Cursor): Offer {
  if (!Object.hasOwn(configKeys, key)) return [];
  if (key === 'sim.state') return valuesOf({ kind: 'state', summary: '' }, cursor);
  return valuesOf(configKeys[key as keyof typeof configKeys], cursor);
}

/** The words that a price may start with, and `none` if the price may be absent. */
function priceWords(kind: 'price' | 'exitPrice' | 'optionalPrice'): Described[] {
  const words = Object.entries(priceBases).map(([word, about]): Described => [word, about]);
  return kind === 'optionalPrice' ? [...words, ['none', 'no exit']] : words;
}

/**
 * Each market once: by its symbol if that is unique; otherwise, or if no symbol starts that way, by its id in a form
 * that needs no quoting.
 */
function marketNames(markets: readonly Remembered[], current: string): Remembered[] {
  const count = new Map<string, number>();
  for (const [, symbol] of markets) count.set(symbol, (count.get(symbol) ?? 0) + 1);
  const ids = markets.map(([id, symbol]): Remembered => [id.replace('|', ':'), symbol]);
  const symbols = ids.filter(([, symbol]) => count.get(symbol) === 1).map(([id, symbol]): Remembered => [symbol, id]);
  const isSymbol = symbols.some(([symbol]) => symbol.toLowerCase().startsWith(current.toLowerCase()));
  if (!isSymbol) return ids;
  return [...symbols, ...ids.filter(([, symbol]) => count.get(symbol) !== 1)];
}

/** Keeps only plain words of what servers sent: nothing that ends a line or is special to a shell. */
function safe(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:_/+=@-]|\p{Default_Ignorable_Code_Point}/gu, '');
}
