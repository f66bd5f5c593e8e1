import { type Argument, type Command, Help, type Option } from 'commander';
import { isWindows } from '../../../base/system/system.ts';
import type { OptionSpec } from '../../console/grammar/spec.ts';
import { type Palette, plainPalette } from '../../console/output/themes.ts';
import { daily, defaultVerbs } from './nouns.ts';
import type { ValueArgument } from './options.ts';

type HelpContext = Parameters<Help['prepareContext']>[0];

/** A node of the tree as help shows it. */
export interface Explained extends Command {
  /** `order place`; empty for the program. */
  readonly path: string;
  /** Its own options, without the global ones. */
  readonly ownOptions: readonly Option[];
  readonly examples: readonly Row[];
  below(name: string): Explained | undefined;
}

/** A label and its explanation. */
export type Row = readonly [label: string, text: string];

/** Help consists of paragraphs and titled lists. */
export type Part = string | readonly [title: string, rows: readonly Row[]];

/** The minimum and maximum width of help, whatever the terminal. */
const [narrowest, widest] = [40, 100];

/** Commander's help in perp's format: what a command does, usage, arguments and options, examples. */
export class TreeHelp extends Help {
  override minWidthToWrap = 1;
  #palette: Palette;

  constructor(palette: Palette) {
    super();
    this.#palette = palette;
  }

  override prepareContext({ helpWidth = 80, outputHasColors = false }: HelpContext): void {
    this.helpWidth = Math.max(narrowest, Math.min(helpWidth, widest));
    if (!outputHasColors) this.#palette = plainPalette;
  }

  override formatHelp(command: Command): string {
    return this.textOf(this.pageOf(command as Explained));
  }

  /** Hides `help`, which exists everywhere. */
  override visibleCommands(command: Command): Command[] {
    return super.visibleCommands(command).filter((one) => one.name() !== 'help');
  }

  /** `perp order place MARKET SIDE SIZE [options]`. */
  override commandUsage(command: Command): string {
    const { path, ownOptions, registeredArguments, commands } = command as Explained;
    const words = path === '' ? ['perp'] : ['perp', path];
    if (path === '') return 'perp NOUN VERB [ARGUMENTS] [OPTIONS]';
    if (commands.length > 0) return [...words, 'VERB [ARGUMENTS] [OPTIONS]'].join(' ');
    const required = ownOptions.filter((option) => option.mandatory);
    const more = ownOptions.length > required.length ? ['[options]'] : [];
    const args = registeredArguments.map((argument) => {
      const name = argument.variadic ? `${argument.name()}...` : argument.name();
      return argument.required ? name : `[${name}]`;
    });
    const options = [...required.map((option) => bare(option.flags)), ...more];
    const isOther = registeredArguments.some(
      (argument) => argument.variadic && (argument as Partial<ValueArgument>).value?.kind === 'word',
    );
    return [...words, ...(isOther ? [...options, '--', ...args] : [...args, ...options])].join(' ');
  }

  /** `-o, --output FORMAT`; options without a letter are indented to align. */
  override optionTerm(option: Option): string {
    return `${option.short === undefined ? '    ' : ''}${bare(option.flags)}`;
  }

  override optionDescription(option: Option): string {
    const { repeat, variable } = (option as Option & { value: OptionSpec & { variable?: string } }).value;
    return noted(option.description, [
      option.argChoices?.join(' | '),
      option.mandatory ? 'required' : undefined,
      repeat === true ? 'may be repeated' : undefined,
      variable === undefined ? undefined : `$${variable}`,
    ]);
  }

  override argumentDescription(argument: Argument): string {
    return noted(argument.description, [argument.argChoices?.join(' | ')]);
  }

  /** The parts of a command's help, before layout. */
  pageOf(command: Explained): readonly Part[] {
    const usage = `Usage: ${this.commandUsage(command)}`;
    if (command.path === '') return [overview, usage, ...this.#daily(command), helpMore];
    if (command.commands.length > 0) return this.#nounPage(command, usage);
    return [
      `${command.summary()}.`,
      usage,
      ...(command.description() === '' ? [] : [command.description()]),
      [
        'Arguments',
        command.registeredArguments.map((one) => [this.argumentTerm(one), this.argumentDescription(one)] as const),
      ],
      ['Options', command.ownOptions.map((option) => this.optionRow(option))],
      ['Examples', command.examples],
      helpElsewhere,
    ];
  }

  optionRow(option: Option): Row {
    return [this.optionTerm(option), this.optionDescription(option)];
  }

  #nounPage(noun: Explained, usage: string): readonly Part[] {
    const verbs = noun.commands.map((command) => command.name());
    const verb = defaultVerbs[noun.path] ?? 'list';
    return [
      `${noun.summary()}.`,
      usage,
      ...this.#commandLists(noun),
      ...(verbs.includes(verb) ? [`perp ${noun.path} is short for perp ${noun.path} ${verb}.`] : []),
      ['Examples', verbs.flatMap((verb) => noun.below(verb)?.examples.slice(0, 1) ?? [])],
      `perp help ${noun.path} VERB explains arguments and options.`,
    ];
  }

  /** The everyday commands, and the words for the rest. */
  #daily(program: Command): readonly Part[] {
    const known = this.visibleCommands(program);
    const rowsOf = (words: readonly string[]) => known.filter((one) => words.includes(one.name()));
    const lists = daily.map(([title, words]): Part => {
      return [title, rowsOf(words).map((one) => [one.name(), this.subcommandDescription(one)])];
    });
    const listed = daily.flatMap(([, words]) => words);
    const others = known.map((one) => one.name()).filter((name) => !listed.includes(name));
    return others.length === 0 ? lists : [...lists, `More: ${others.join(', ')}.`];
  }

  /** The page of all commands. */
  commandsPage(program: Command): readonly Part[] {
    return [...this.#commandLists(program), ...more];
  }

  /** Lists of the commands below, by section. */
  #commandLists(command: Command): readonly Part[] {
    const listed = Map.groupBy(this.visibleCommands(command), (one) => one.helpGroup() || 'Verbs');
    return [...listed].map(([title, commands]) => {
      return [title, commands.map((one) => [one.name(), this.subcommandDescription(one)] as const)];
    });
  }

  /** Lays out parts as text. */
  textOf(parts: readonly Part[]): string {
    const texts = parts.map((part) => (typeof part === 'string' ? this.#paragraph(part) : this.#section(part)));
    return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
  }

  #paragraph(text: string): string {
    return this.boxWrap(text, this.helpWidth!).replace(/^Usage:/, (title) => this.styleTitle(title));
  }

  #section([title, given]: Exclude<Part, string>): string {
    if (given.length === 0) return '';
    // Keep the indent for option letters only if some option has one.
    const isBare = given.every(([term]) => term.startsWith(' '));
    const rows = isBare ? given.map(([term, text]): Row => [term.trimStart(), text]) : given;
    const longest = Math.max(...rows.map(([term]) => term.length));
    const termWidth = Math.min(longest, Math.max(14, Math.floor(this.helpWidth! * 0.42)));
    return [this.styleTitle(title), ...rows.map(([term, text]) => this.#item(term, termWidth, text))].join('\n');
  }

  /** Commander's layout, except that a term too long for its column gets its own lines. */
  #item(term: string, termWidth: number, text: string): string {
    if (term.length <= termWidth) return this.formatItem(this.styleOptionTerm(term), termWidth, text, this);
    const lines = commandLines(term.trimStart(), this.helpWidth! - 2).map((line) => `  ${this.styleOptionTerm(line)}`);
    const wrapped = this.boxWrap(text, this.helpWidth! - 6).replace(/^/gm, '      ');
    return (text === '' ? lines : [...lines, wrapped]).join('\n');
  }

  override styleTitle(title: string): string {
    return this.#palette({ text: title, tone: 'strong' });
  }

  override styleOptionTerm(term: string): string {
    return this.#palette({ text: term, tone: 'strong' });
  }
}

const overview = 'perp: a trading desk in the terminal. Perpetual futures, live and simulated.';

const helpMore = 'All: perp help commands. One: perp help NOUN [VERB]. Values: perp help values.';

const more: readonly Part[] = [
  [
    'Start here',
    [
      ['perp markets', 'list the markets'],
      ['perp quote BTC', 'show the current price'],
      ['perp order place BTC buy 0.05', 'buy at market'],
      ['perp positions', 'show the open position'],
    ],
  ],
  [
    'More',
    [
      ['perp help NOUN [VERB]', 'arguments, options and examples'],
      ['perp help values', 'formats of markets, sizes, prices and times'],
      ['perp help environment', 'global options, variables, config file'],
      ['perp help exit-codes', 'meaning of each exit status'],
      ['perp help error-codes', "perp's own error codes"],
    ],
  ],
];

/** The last line of every command's help. */
export const helpElsewhere = 'See also: perp help environment (global options), perp help values.';

function bare(flags: string): string {
  return flags.replace(/[<>]/g, '');
}

/** Adds notes in parentheses; if the text already ends in parentheses, inside those. */
function noted(text: string, notes: readonly (string | undefined)[]): string {
  const present = notes.filter((note) => note !== undefined).join('; ');
  if (present === '') return text;
  const open = text.lastIndexOf('(') + 1;
  return text.endsWith(')') ? `${text.slice(0, open)}${present}; ${text.slice(open)}` : `${text} (${present})`;
}

/**
 * Splits a command into lines of this width that a shell still reads as one command: broken between words, after a pipe
 * unchanged, otherwise with a backslash. An option stays with its value if both fit. Windows shells have no such
 * continuation, so there the command stays whole.
 */
export function commandLines(command: string, width: number): string[] {
  if (command.length <= width || isWindows()) return [command];
  const units = unitsOf(command, width - indent.length - mark.length);
  const lines: string[] = [];
  let current = units[0]!;
  for (const [at, unit] of units.entries()) {
    if (at === 0) continue;
    const longer = `${current} ${unit}`;
    const ends = at === units.length - 1 || unit === '|';
    if (longer.length + (ends ? 0 : mark.length) <= width) current = longer;
    else {
      lines.push(current.endsWith('|') ? current : current + mark);
      current = indent + unit;
    }
  }
  return [...lines, current];
}

const indent = '  ';
const mark = ' \\';

const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' };

/** The words of a command as written; quoted or bracketed text stays in one word. */
function wordsOf(command: string): string[] {
  const words = [''];
  let awaited: string | undefined;
  for (const character of command) {
    if (awaited === undefined && character === ' ') words.push('');
    else {
      words.push(words.pop() + character);
      awaited = awaited === undefined ? closing[character] : character === awaited ? undefined : awaited;
    }
  }
  return words.filter((word) => word !== '');
}

/** Words, with quoted and bracketed text kept whole; an option and its value are one unit if they fit. */
function unitsOf(command: string, width: number): string[] {
  const units: string[] = [];
  for (const word of wordsOf(command)) {
    const before = units.at(-1);
    const belongs = before !== undefined && /^--?\w[\w-]*$/.test(before) && /^[^-|>]/.test(word);
    if (belongs && before.length + 1 + word.length <= width) units[units.length - 1] = `${before} ${word}`;
    else units.push(word);
  }
  return units;
}
