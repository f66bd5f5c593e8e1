import { exitCodeMeanings } from './exit-codes.ts';
import { type GlobalFlag, globalFlags } from './global-flags.ts';
import { groupSummaries, sections } from './groups.ts';
import { wrap } from './output/wrap.ts';
import { childrenOf, type Registry } from './registry.ts';
import { commandLines } from './shell-lines.ts';
import type { ArgumentSpec, CommandSpec, FlagSpec } from './spec.ts';
import { usageLine } from './usage-line.ts';

/** Help for a command, a noun, a topic, or with an empty path for everything; made for 80 columns. */
export function helpText(path: string, registry: Registry, columns = 80): string {
  return pageText(helpPage(path, registry), Math.max(40, Math.min(columns, 100)));
}

/** A labelled thing and what it is. */
export type Row = readonly [label: string, text: string];

/** What help consists of: paragraphs, and titled lists. */
export type Part = string | readonly [title: string, rows: readonly Row[]];

/** The same help before it is laid out. */
export function helpPage(path: string, registry: Registry): readonly Part[] {
  const command = registry.commands.get(path);
  if (path === '') return overview(registry);
  if (path === 'exit-codes') return exitCodesTopic();
  if (path === 'environment') return environmentTopic();
  if (path === 'values') return valuesTopic();
  return command === undefined ? groupHelp(path, registry) : commandHelp(path, command);
}

function overview(registry: Registry): readonly Part[] {
  const words = childrenOf(registry, '');
  const listed = sections.map(([title, members]): Section => {
    return [
      title,
      members.filter((word) => words.includes(word)).map((word) => [word, summaryOf(word, registry)] as const),
    ];
  });
  return [
    'perp: a trading desk in the terminal. Perpetual futures on the Challenge Trading API, and a complete local simulation of it.',
    'Usage: perp NOUN VERB [ARGUMENTS] [FLAGS]',
    ...listed.filter(([, rows]) => rows.length > 0),
    [
      'Start here',
      [
        ['perp markets', 'what can be traded'],
        ['perp quote BTC', 'the price now'],
        ['perp order place BTC buy 0.05', 'buy at market'],
        ['perp positions', 'what came of it'],
      ],
    ],
    [
      'More',
      [
        ['perp help NOUN [VERB]', 'arguments, flags and examples'],
        ['perp help values', 'how markets, sizes, prices and times are written'],
        ['perp help environment', 'flags of every command, variables, config'],
        ['perp help exit-codes', 'what the exit status says'],
      ],
    ],
  ];
}

function groupHelp(path: string, registry: Registry): readonly Part[] {
  const verbs = childrenOf(registry, path);
  const rows = verbs.map((verb) => [verb, summaryOf(`${path} ${verb}`, registry)] as const);
  const examples = verbs.flatMap((verb) => registry.commands.get(`${path} ${verb}`)?.examples.slice(0, 1) ?? []);
  return [
    `${groupSummaries[path] ?? path}.`,
    `Usage: perp ${path} VERB [ARGUMENTS] [FLAGS]`,
    ['Verbs', rows],
    ...(verbs.includes('list') ? [`perp ${path} alone lists.`] : []),
    ['Examples', examples],
    `perp help ${path} VERB shows arguments and flags.`,
  ];
}

/** The end of every command's help. */
export const helpElsewhere = 'See also: perp help environment (flags of every command), perp help values.';

function commandHelp(path: string, spec: CommandSpec): readonly Part[] {
  const args = (spec.args ?? []).map((argument) => [argument.name.toUpperCase(), describe(argument)] as const);
  const flags = Object.entries(spec.flags ?? {}).map(
    ([name, flag]) => [flagLabel(name, flag), describe(flag)] as const,
  );
  return [
    `${spec.summary}.`,
    `Usage: ${usageLine(path, spec)}`,
    ...(spec.description === undefined ? [] : [spec.description]),
    ['Arguments', args],
    ['Flags', flags],
    ['Examples', spec.examples],
    helpElsewhere,
  ];
}

function exitCodesTopic(): readonly Part[] {
  return [['Exit status', exitCodeMeanings.map(([code, meaning]) => [String(code), meaning] as const)]];
}

function environmentTopic(): readonly Part[] {
  const flags: [string, GlobalFlag][] = Object.entries(globalFlags);
  const rows = (group: GlobalFlag['group']) =>
    flags
      .filter(([, flag]) => flag.group === group)
      .map(([name, flag]) => [flagLabel(name, flag), describe(flag)] as const);
  const variables = flags.filter(([, flag]) => flag.variable !== undefined);
  return [
    'Where a value comes from, first found first: flag, variable, config file (perp config), default. An empty variable counts as unset.',
    ['Flags of every command', rows('global')],
    ['Flags of the simulation (--env sim)', rows('simulation')],
    [
      'Variables',
      [
        ...variables.map(([name, flag]) => [flag.variable!, `as --${name}`] as const),
        ['PERP_API_KEY', 'API key of live or sandbox; it never appears on a command line'],
        ['PERP_BASE_URL', 'address of the live API'],
        ['PERP_SANDBOX_URL', 'address of the sandbox API'],
        ['PERP_LOGIN_URL', 'address of the approval page'],
        ['PERP_CONFIG_DIR', 'folder of the config file'],
        ['PERP_STATE_DIR', 'folder of the simulations'],
        ['NO_COLOR', 'no colours'],
        ['COLUMNS', 'width of tables'],
      ],
    ],
  ];
}

function valuesTopic(): readonly Part[] {
  return [
    [
      'MARKET',
      [
        ['binance:BTCUSDT', 'its id; the API writes binance|BTCUSDT, which a shell wants quoted'],
        ['BTCUSDT, BTC', "the venue's name or the short name, when only one market has it"],
      ],
    ],
    [
      'SIZE',
      [
        ['0.05', 'in the base asset'],
        ['500usd', 'a notional, rounded down to whole lots'],
        ['50%', 'for reductions: a share of the position, rounded down to whole lots'],
      ],
    ],
    ['ORDER', [['an order id, or a client order id', '']]],
    ['POSITION', [['a position id, or the MARKET it is in', '']]],
    ['Prices', [['61650.5', 'USD, with a point, without thousands separators']]],
    ['Durations', [['45s, 30m, 1h30m, 2d', '']]],
    [
      'Times',
      [
        ['2026-11-21T10:00Z', 'UTC unless it carries an offset'],
        ['1795255200000', 'Unix milliseconds'],
        ['30m', 'from now'],
      ],
    ],
    'Leverage and margin mode, unless given: those of the open position, else of the config (trade.leverage, trade.margin), else 1 and cross.',
  ];
}

function summaryOf(path: string, registry: Registry): string {
  return groupSummaries[path] ?? registry.commands.get(path)?.summary ?? '';
}

/** `-o, --output FORMAT`. */
export function flagLabel(name: string, flag: FlagSpec): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  return `${short}--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`;
}

function describe(value: FlagSpec | ArgumentSpec): string {
  const notes = [
    value.choices === undefined ? '' : value.choices.join(' | '),
    'required' in value ? 'required' : '',
    value.repeat === true && 'value' in value ? 'may be repeated' : '',
    'variable' in value ? `$${value.variable}` : '',
  ].filter((note) => note !== '');
  return notes.length === 0 ? value.summary : `${value.summary} (${notes.join('; ')})`;
}

type Section = Exclude<Part, string>;

function pageText(parts: readonly Part[], width: number): string {
  const texts = parts.map((part) => (typeof part === 'string' ? wrap(part, width, '') : section(part, width)));
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

function section([title, given]: Section, width: number): string {
  if (given.length === 0) return '';
  // Room for short flags is kept where there are some.
  const isBare = given.every(([label]) => label.startsWith(' '));
  const rows = isBare ? given.map(([label, text]): Row => [label.trimStart(), text]) : given;
  const widest = Math.max(...rows.map(([label]) => label.length));
  const column = Math.min(widest, Math.max(14, Math.floor(width * 0.42)));
  const lines = rows.map(([label, text]) => {
    const indent = ' '.repeat(column + 4);
    if (text === '') return `  ${label}`;
    if (label.length > column) {
      return `  ${commandLines(label.trimStart(), width - 2).join('\n  ')}\n${wrap(text, width, ' '.repeat(6))}`;
    }
    return `  ${label.padEnd(column)}  ${wrap(text, width, indent).trimStart()}`;
  });
  return `${title}\n${lines.join('\n')}`;
}
