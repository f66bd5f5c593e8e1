import type { Command } from 'commander';
import { exitCodeMeanings } from '../failure/exit-codes.ts';
import { type GlobalOption, globalOptions } from '../grammar/global-options.ts';
import type { Part, TreeHelp } from './help.ts';

type Page = (program: Command, help: TreeHelp) => readonly Part[];

/** What `perp help TOPIC` explains beside commands. */
const pages = {
  'exit-codes': exitCodesPage,
  environment: environmentPage,
  values: valuesPage,
} as const satisfies Record<string, Page>;

export const topics: readonly string[] = Object.keys(pages);

/** The page of a topic; undefined for any other word. */
export function topicPage(topic: string, program: Command, help: TreeHelp): readonly Part[] | undefined {
  const page: Page | undefined = Object.hasOwn(pages, topic) ? pages[topic as keyof typeof pages] : undefined;
  return page?.(program, help);
}

function exitCodesPage(): readonly Part[] {
  return [['Exit status', exitCodeMeanings.map(([code, meaning]) => [String(code), meaning] as const)]];
}

function environmentPage(program: Command, help: TreeHelp): readonly Part[] {
  const options: [string, GlobalOption][] = Object.entries(globalOptions);
  const rowsOf = (place: GlobalOption['of']) => {
    const names = options.filter(([, option]) => option.of === place).map(([name]) => name);
    return program.options.filter((option) => names.includes(option.name())).map((option) => help.optionRow(option));
  };
  const variables = options.filter(([, option]) => option.variable !== undefined);
  return [
    'Where a value comes from, first found first: option, variable, config file (perp config), default. An empty variable counts as unset.',
    ['Options of every command', rowsOf('every command')],
    ['Options of the simulation (--env sim)', rowsOf('the simulation')],
    [
      'Variables',
      [
        ...variables.map(([name, option]) => [option.variable!, `as --${name}`] as const),
        ['PERP_API_KEY', 'API key of live or sandbox; it never appears on a command line'],
        ['PERP_BASE_URL', 'address of the live API'],
        ['PERP_SANDBOX_URL', 'address of the sandbox API'],
        ['PERP_MARKET_STREAM_URL', 'origin of the market-data stream, wss://...'],
        ['PERP_ACCOUNT_STREAM_URL', 'origin of the live account stream'],
        ['PERP_SANDBOX_ACCOUNT_STREAM_URL', 'origin of the sandbox account stream'],
        ['PERP_LOGIN_URL', 'address of the approval page'],
        ['PERP_CONFIG_DIR', 'folder of the config file'],
        ['PERP_STATE_DIR', 'folder of the simulations'],
        ['NO_COLOR', 'no colours'],
        ['COLUMNS', 'width of tables'],
      ],
    ],
  ];
}

function valuesPage(): readonly Part[] {
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
