import { Command, type ErrorOptions } from 'commander';
import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import { sentence } from '../../../base/text/format.ts';
import { plain, quoted, shortened } from '../../../base/text/plain-text.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import type { Chosen, Missing } from '../../console/grammar/command-line.ts';
import type { GlobalInput } from '../../console/grammar/global-options.ts';
import { type Catalog, type CommandSpec, labelOf } from '../../console/grammar/spec.ts';
import { type Palette, plainPalette } from '../../console/output/themes.ts';
import { type Explained, TreeHelp } from './help.ts';
import { defaultVerbs, nounSummaries, sections } from './nouns.ts';
import { GlobalOption, given, once, sharedOptions, ValueArgument, ValueOption } from './options.ts';
import { commandInstead, commandMeant, optionMeant, verbMeant } from './suggestions.ts';
import { topicPage } from './topics.ts';

/** The commands of a tree, and where it prints. */
interface TreeOptions {
  readonly catalog: Catalog;
  /** Prints help and the version. */
  write(text: string): void;
  /** For help. */
  readonly columns: number;
  readonly palette: Palette;
  /** Runs the parsed command. */
  act(chosen: Chosen): void | Promise<void>;
}

/**
 * The commands as one commander program: `program.parse(words, { from: 'user' })` calls `act`. It throws a usage
 * failure for an invalid line, and commander's CommanderError after printing help or the version. Parsing a line
 * creates only the nodes it names, and the global options only if it has options; help and suggestions create the rest.
 */
export function commandTree(options: TreeOptions): Node {
  return new Node(options, '');
}

/** The program, a noun or a command. */
export class Node extends Command implements Explained {
  /** Its words; empty for the program. */
  readonly path: string;
  readonly #options: TreeOptions;
  #spec: CommandSpec | undefined;
  #isBegun = false;
  #isComplete = false;
  #hasSharedOptions = false;
  #names: ReadonlySet<string> | undefined;

  constructor(options: TreeOptions, path: string) {
    super(path.split(' ').at(-1) || 'perp');
    this.path = path;
    this.#options = options;
  }

  override createCommand(name = ''): Node {
    return new Node(this.#options, `${this.path} ${name}`.trim());
  }

  override createHelp(): TreeHelp {
    return new TreeHelp(this.#options.palette);
  }

  /** Creates everything of this node: the children of a noun, the arguments and options of a command. */
  named(): this {
    if (this.#isComplete) return this;
    this.#isComplete = true;
    this.#begin();
    if (this.#isNoun) {
      const names = [...this.#namesBelow()];
      for (const name of names) this.#child(name);
      (this.commands as Node[]).sort((one, other) => names.indexOf(one.name()) - names.indexOf(other.name()));
    }
    this.#addSharedOptions();
    return this;
  }

  /** Parses this level's words. A noun followed by a verb only needs that verb. */
  override parseOptions(words: string[]): ReturnType<Command['parseOptions']> {
    this.#begin();
    const [first = ''] = words;
    if (this.#isNoun && this.#namesBelow().has(first)) this.#child(first);
    else if (this.#isNoun) this.named();
    else if (words.some((word) => word.startsWith('-'))) this.#addSharedOptions();
    return super.parseOptions(words);
  }

  get #isNoun(): boolean {
    return this.path !== 'help' && !this.#options.catalog.summaries.has(this.path);
  }

  #begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    if (this.#isNoun) this.#setUpNoun();
    else if (this.path === 'help') this.#setUpHelp();
    else this.#setUpCommand(this.#options.catalog.spec(this.path));
  }

  /** The direct child of this name, ready for use. */
  below(name: string): Node | undefined {
    return (this.named().commands as readonly Node[]).find((child) => child.name() === name)?.named();
  }

  /** Runs when a noun is given without a verb. */
  get byDefault(): Node | undefined {
    return this.below(defaultVerbs[this.path] ?? 'list');
  }

  get ownOptions(): readonly ValueOption[] {
    return this.options.filter(
      (option): option is ValueOption => option instanceof ValueOption && !(option instanceof GlobalOption),
    );
  }

  get examples(): readonly (readonly [string, string])[] {
    return this.#spec?.examples ?? [];
  }

  /** Its help; fills in the node first if needed. A line that asks for the help of an unknown command is rejected. */
  override helpInformation(console?: { error: boolean }): string {
    this.named();
    const word = this.args.find((one) => one !== '-h' && one !== '--help') ?? '-';
    const isKnown = word.startsWith('-') || word === 'help' || this.#namesBelow().has(word);
    if (this.#isNoun && !isKnown) this.#unknown(word, []);
    return super.helpInformation(console);
  }

  /** Rejects a command line with commander's message and a suggestion. */
  override error(message: string, { code = '' }: ErrorOptions = {}): never {
    if (code === 'commander.unknownCommand') return this.#unknown(this.args[0]!);
    if (code === 'commander.missingArgument' || code === 'commander.missingMandatoryOptionValue') this.#missing();
    const [what = '', suggestion] = message.replace(/^error: /, '').split('\n');
    const meant = code === 'commander.unknownOption' ? this.#optionMeant(what) : undefined;
    throw usageFailure(
      this.#briefly(code) ?? sentence(what),
      meant ?? suggestion?.replace(/^\((.*)\)$/, '$1') ?? this.#moveHint(what) ?? this.#hint(code),
    );
  }

  /** A shorter message than commander's. */
  #briefly(code: string): string | undefined {
    const { args, registeredArguments: wanted } = this;
    if (code === 'commander.excessArguments') return `Unexpected argument ${quoted(args[wanted.length]!)}.`;
    return undefined;
  }

  /** Everything missing, in one failure, so that a terminal can prompt for it. */
  #missing(): never {
    // Commander reports missing options before unknown ones.
    const unknown = this.args.find((word) => /^-[-a-z]/i.test(word));
    if (unknown !== undefined) {
      const known = this.options.flatMap(({ long }) => long ?? []);
      const near = nearest(unknown, known);
      const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
      return this.error(`unknown option '${unknown}'${hint}`, { code: 'commander.unknownOption' });
    }
    const required = this.#spec?.args?.filter(({ optional }) => optional !== true) ?? [];
    const args = required.slice(this.args.length);
    const options = this.ownOptions.filter((option) => option.mandatory && given(this, option) === undefined);
    const labels = [...args.map(labelOf), ...options.map((option) => option.flags.replace(/[<>]/g, ''))];
    const verb = labels.length === 1 ? 'is' : 'are';
    throw new MissingInput(`${listed(labels)} ${verb} missing.`, this.#usage(), {
      path: this.path,
      given: [...this.args],
      globals: this.#globals(),
      chosen: this.ownOptions.filter((option) => given(this, option) !== undefined).map((option) => option.name()),
      args,
      options: options.map((option) => ({ name: option.name(), spec: option.value })),
    });
  }

  #optionMeant(message: string): string | undefined {
    const [, flag = ''] = /'([^']*)'/.exec(message) ?? [];
    const instead = commandInstead(this.path, flag);
    if (instead !== undefined) return `Did you mean perp ${instead}?`;
    const argument = this.registeredArguments.find((one) => flag === `--${one.name().toLowerCase()}`);
    if (argument !== undefined) return `Write it without --${argument.name().toLowerCase()}. ${this.#usage()}`;
    const known = (long: string) => this.options.some((option) => option.long === long) || long === '--version';
    const meant = optionMeant(flag, known);
    if (meant === undefined) return undefined;
    return meant === '--version' ? 'Did you mean perp --version?' : `Did you mean ${meant}?`;
  }

  #hint(code: string): string {
    const command = `perp ${this.path}`.trim();
    return code === 'commander.unknownOption' || code === 'commander.optionMissingArgument'
      ? `${command} --help lists the options.`
      : this.#usage();
  }

  #usage(): string {
    return `Usage: ${this.createHelp().commandUsage(this)}`;
  }

  /** For a price argument such as `-1%`, which looks like an option. */
  #moveHint(message: string): string | undefined {
    const move = /'(-[\d.][\d.%bpsrR]*)'$/.exec(message)?.[1];
    const takesPrice = this.#spec?.args?.some(({ kind }) => kind === 'price' || kind === 'optionalPrice') === true;
    return move !== undefined && takesPrice ? `Write entry${move} or mark${move}.` : undefined;
  }

  #unknown(word: string, rest: readonly string[] = this.args.slice(1)): never {
    this.named();
    const names = this.commands.map((command) => command.name());
    const meant = commandMeant(this.path, word, rest) ?? verbMeant(this.path, word, rest, names);
    const here = `perp ${this.path}`.trim();
    if (meant !== undefined)
      throw usageFailure(`Unknown command: ${here} ${shortened(word)}`, `Did you mean perp ${plain(meant)}?`);
    const near = nearest(word, names) ?? (this.path === '' ? this.#elsewhere(word) : undefined);
    const others =
      this.path === '' ? 'perp help commands lists them all.' : `${here} has these commands: ${names.join(', ')}.`;
    throw usageFailure(
      `Unknown command: ${here} ${shortened(word)}`,
      near === undefined ? others : `Did you mean ${near.includes(' ') ? 'perp' : here} ${near}?`,
    );
  }

  /** `perp place` most likely means `perp order place`. */
  #elsewhere(word: string): string | undefined {
    const singular = (text: string) => text.replace(/s$/, '');
    const noun = this.commands.find((command) => singular(command.name()) === singular(word));
    const paths = [...this.#options.catalog.summaries.keys()];
    return noun?.name() ?? paths.find((path) => path.split(' ').slice(1).includes(word));
  }

  #setUpNoun(): void {
    if (this.path === '') this.#setUpProgram();
    this.hook('preSubcommand', (_, below) => {
      const [word] = this.args;
      if (word === undefined || word === below.name() || word.startsWith('-')) return;
      // A word after a noun that is not a verb arrives here as an argument of the default verb; `list` takes none.
      const { length } = (below as Node).named().registeredArguments;
      const isOtherVerb = () => verbMeant(this.path, word, [], [...this.#namesBelow()]) !== undefined;
      if (length === 0 || (this.args.length > length && isOtherVerb())) this.#unknown(word);
    });
  }

  /** Creates the child of this name unless it is there. */
  #child(name: string): void {
    if (this.commands.some((child) => child.name() === name)) return;
    const child = this.command(name, { isDefault: name === (defaultVerbs[this.path] ?? 'list') });
    child.summary(nounSummaries[child.path] ?? this.#options.catalog.summaries.get(child.path) ?? '');
    if (this.path === '') child.helpGroup(sections.find(([, words]) => words.includes(name))?.[0] ?? '');
  }

  #addSharedOptions(): void {
    if (this.#hasSharedOptions) return;
    this.#hasSharedOptions = true;
    for (const option of sharedOptions()) {
      if (this.options.some(({ long }) => long === option.long)) continue;
      const isShortTaken = option.short !== undefined && this.options.some(({ short }) => short === option.short);
      this.addOption(isShortTaken ? option.withoutShort() : option);
    }
  }

  #namesBelow(): ReadonlySet<string> {
    if (this.#names !== undefined) return this.#names;
    const own = this.path === '' ? '' : `${this.path} `;
    const paths = [...this.#options.catalog.summaries.keys()].filter((path) => path.startsWith(own));
    const names = new Set(paths.map((path) => path.slice(own.length).split(' ', 1)[0]!));
    this.#names =
      this.path === '' ? new Set(sections.flatMap(([, words]) => words)).intersection(names).union(names) : names;
    return this.#names;
  }

  #setUpProgram(): void {
    const { catalog, write, columns, palette } = this.#options;
    // Help for a noun without a verb goes to "err"; it was requested, so it belongs on stdout.
    this.configureOutput({
      writeOut: write,
      writeErr: write,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      getOutHasColors: () => palette !== plainPalette,
      getErrHasColors: () => palette !== plainPalette,
    });
    this.exitOverride().enablePositionalOptions().showSuggestionAfterError();
    this.version(`perp ${catalog.version}`, '-V, --version', 'print the version').helpOption(
      '-h, --help',
      'print help',
    );
    this.helpCommand(false).command('help', { hidden: true }).summary('Explain a command');
  }

  #setUpHelp(): void {
    const program = this.parent as Node;
    this.argument('[COMMAND...]').action((words: string[]) => {
      const page = words.length === 1 ? program.page(words[0]!) : undefined;
      let node = program;
      for (const word of page === undefined ? words : []) node = node.below(word) ?? node.#unknown(word, []);
      if (page === undefined) node.help();
      else this.#options.write(page);
    });
  }

  /** The text of a topic; undefined for any other word. */
  page(topic: string): string | undefined {
    const { getOutHelpWidth, getOutHasColors } = this.configureOutput();
    const help = this.createHelp();
    help.prepareContext({ helpWidth: getOutHelpWidth?.() ?? 80, outputHasColors: getOutHasColors?.() ?? false });
    const parts = topicPage(topic, this, help);
    return parts === undefined ? undefined : help.textOf(parts);
  }

  #setUpCommand(spec: CommandSpec): void {
    this.#spec = spec;
    if (spec.description !== undefined) this.description(spec.description);
    for (const argument of spec.args ?? []) this.addArgument(new ValueArgument(argument));
    for (const [name, option] of Object.entries(spec.options ?? {})) this.addOption(new ValueOption(name, option));
    this.action(() => this.#options.act({ path: this.path, input: this.#input(spec), globals: this.#globals() }));
  }

  #input({ args = [] }: CommandSpec): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    for (const [index, { name }] of args.entries()) input[name] = this.processedArgs[index];
    for (const option of this.ownOptions) {
      const { value: takesValue, repeat } = option.value;
      const value = given(this, option);
      const absent = takesValue === undefined ? false : repeat ? [] : undefined;
      input[option.inputName] = value === undefined ? absent : value;
    }
    return input;
  }

  /** Global options given at any level: before, between and after the words of the command. */
  #globals(): GlobalInput {
    const globals: Record<string, unknown> = {};
    for (let level: Command | null = this; level !== null; level = level.parent) {
      for (const option of level.options) {
        if (!(option instanceof GlobalOption)) continue;
        const value = given(level, option);
        if (value !== undefined) globals[option.inputName] = once(option, value, globals[option.inputName]);
      }
    }
    return globals;
  }
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A usage failure that lists all missing arguments and options; on a terminal, perp prompts for them instead. */
export class MissingInput extends Failure {
  readonly missing: Missing;

  constructor(message: string, hint: string, missing: Missing) {
    super({ code: 'usage', message, hint });
    this.missing = missing;
  }
}
