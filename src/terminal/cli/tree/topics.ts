import type { Command } from 'commander';
import { exitCodeMeanings, ownCodes } from '../../../base/failure/failure.ts';
import {
  commonOptions,
  type GlobalOption,
  globalOptions,
  simulationOptions,
} from '../../console/grammar/global-options.ts';
import { configKeyOf, configKeys, type TableKey } from '../../console/settings/config-keys.ts';
import type { Part, TreeHelp } from './help.ts';

type Page = (program: Command, help: TreeHelp) => readonly Part[];

/** The topics of `perp help TOPIC`. */
const pages = {
  commands: (program, help) => help.commandsPage(program),
  'exit-codes': exitCodesPage,
  'error-codes': errorCodesPage,
  environment: environmentPage,
  values: valuesPage,
} as const satisfies Record<string, Page>;

/** The words that `perp help` explains besides commands. */
export const topics: readonly string[] = Object.keys(pages);

/** The page of a topic; undefined for any other word. */
export function topicPage(topic: string, program: Command, help: TreeHelp): readonly Part[] | undefined {
  const page: Page | undefined = Object.hasOwn(pages, topic) ? pages[topic as keyof typeof pages] : undefined;
  return page?.(program, help);
}

/** Every variable that perp reads, with its purpose. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ...Object.entries<GlobalOption>(globalOptions).flatMap(([name, { variable }]) =>
    variable === undefined ? [] : [[variable, `same as --${name}`] as const],
  ),
  ['PERP_API_KEY', 'API key for live or sandbox; keys are never passed as arguments'],
  ...(Object.keys(configKeys) as TableKey[])
    .map(configKeyOf)
    .flatMap(({ variable, summary, address }) =>
      variable === undefined || address === 'ws' || address === 'rest' ? [] : [[variable, summary] as const],
    ),
  ['PERP_VENUES_NAME_WS_URL', "address of a venue's stream"],
  ['PERP_VENUES_NAME_REST_URL', "address of a venue's REST API"],
  ['PERP_CONFIG_DIR', 'folder of the config file'],
  ['PERP_STATE_DIR', 'folder of simulations and pending writes'],
  ['NO_COLOR', 'turns off colors'],
  ['FORCE_COLOR', 'also prints colors to pipes and files; 0 turns them off'],
  ['BROWSER', 'program that opens the approval page for perp login; none: print the address'],
  ['COLUMNS', 'width of tables and text'],
];

function exitCodesPage(): readonly Part[] {
  return [['Exit status', exitCodeMeanings.map(([code, meaning]) => [String(code), meaning] as const)]];
}

function errorCodesPage(): readonly Part[] {
  const rows = Object.entries(ownCodes).map(
    ([code, [sent, exit, sentence]]) => [code, `${sentence} Sent: ${sent}; exit status ${exit}.`] as const,
  );
  return ["perp's own codes in error.code; any other is the host's.", ['Error codes', rows]];
}

function environmentPage(program: Command, help: TreeHelp): readonly Part[] {
  const rowsOf = (options: object) =>
    program.options.filter((option) => Object.hasOwn(options, option.name())).map((option) => help.optionRow(option));
  return [
    'Values are looked up in this order: option, variable, profile (perp profile), config file (perp config), default. An empty variable is treated as unset.',
    ['Global options', rowsOf(commonOptions)],
    ['Simulation options (--env sim)', rowsOf(simulationOptions)],
    ['Variables', variables],
  ];
}

function valuesPage(): readonly Part[] {
  return [
    [
      'MARKET',
      [
        ['BTC, BTCUSDT', 'symbol or coin, if only one market has it; perp writes markets this way'],
        ['binance:BTCUSDT', 'the market id; the API form binance|BTCUSDT must be quoted in a shell'],
      ],
    ],
    [
      'SIZE',
      [
        ['0.05', 'in the base asset'],
        ['500usd', 'notional in USD, rounded down to whole lots'],
        ['50%', 'share of the position (reducing orders only), rounded down to whole lots'],
        [
          'risk:200usd',
          'order place with --stop-loss: the size that loses this at the stop, including fees and slippage',
        ],
        ['risk:0.5%, risk:10%room', 'the same, as a share of the equity or of the room to the nearest floor'],
        [
          'max',
          'order place: the largest size that margin, limits and floors allow; with a stop, the loss is measured at the stop',
        ],
      ],
    ],
    [
      'PRICE',
      [
        ['61650.5', 'in USD'],
        ['entry, mark, bid, ask', "the position's average entry, the mark (mid), the best prices"],
        ['mark-1%, entry+150, bid+10bps', 'offset by a percentage, USD or basis points; minus is always down'],
        ['-1%, +150', 'offset from the entry (exits), else from the mark'],
        ['1%', 'exits only: from the entry, on the losing side (stop) or the winning side (target)'],
        ['2R, entry+1R', 'exits only: multiples of the loss at the stop, net of fees'],
      ],
    ],
    'The entry of an attached exit is the limit price of its order, else its trigger price, else its estimated fill. Relative prices are rounded to the tick, never to a worse price: down for a buy, up for a sell. --dry-run shows the source of the tick.',
    ['ORDER', [['order id or client order id', '']]],
    ['POSITION', [['position id or MARKET', '']]],
    ['Prices', [['61650.5', 'USD, with a decimal point and no thousands separators']]],
    [
      'JQ EXPRESSION',
      [
        ["--jq '.[].symbol'", 'one value per line, text without quotes'],
        ["--jq '.[] | [.symbol, .size] | @tsv'", 'columns'],
      ],
    ],
    ['Durations', [['45s, 30m, 1h30m, 2d', '']]],
    [
      'Times',
      [
        ['2026-11-21T10:00Z', 'UTC unless an offset is given'],
        ['1795255200000', 'Unix milliseconds'],
        ['30m', 'duration from now; for --since, --from and --to, before now'],
        ['today, yesterday', '--since, --from and --to: days of the challenge, which start at midnight in New York'],
      ],
    ],
    'Leverage and margin mode default to those of the open position, then to the config (trade.leverage, trade.margin), then to 1 and cross.',
  ];
}
