import { environments } from '../../../base/files/folders.ts';
import type { Camel, OptionSpec, OptionValue } from './spec.ts';

/** A global option, with the other places its value may come from: variable, config, default. */
export interface GlobalOption extends OptionSpec {
  readonly variable?: string;
  readonly configKey?: string;
}

/** The formats of `--output`. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
/** A format of `--output`. */
export type OutputFormat = (typeof outputFormats)[number];

/** The global options of every command, in the order of help. */
export const commonOptions = {
  env: {
    value: 'NAME',
    choices: environments,
    variable: 'PERP_ENV',
    configKey: 'env',
    summary: 'where to trade (default sim)',
  },
  profile: {
    value: 'NAME',
    kind: 'profile',
    variable: 'PERP_PROFILE',
    configKey: 'profile',
    summary: 'profile to use: environment and login (see perp profile); none: no profile',
  },
  account: {
    value: 'ID',
    kind: 'account',
    variable: 'PERP_ACCOUNT',
    summary: 'account to use, by id, number or name (default: the one set by perp accounts use, or the only one)',
  },
  json: { summary: "print the API's own resource as JSON" },
  output: {
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    variable: 'PERP_OUTPUT',
    configKey: 'output',
    summary: 'output format (default table)',
  },
  jq: {
    value: 'EXPR',
    kind: 'text',
    summary: 'filter the JSON with a jq expression; implies --json',
  },
  columns: {
    value: 'NAMES',
    kind: 'text',
    summary: 'columns of a list and their order, such as market,size,fee: headers of the table, or fields of the JSON',
  },
  yes: { short: 'y', summary: "don't ask for confirmation" },
  'dry-run': {
    summary: 'print the exact request, or what would be written, without changing anything',
  },
  'idempotency-key': {
    value: 'KEY',
    kind: 'text',
    summary: 'use this key instead of a new one; a write repeated under the same key is done only once',
  },
  new: { summary: 'send even if the same write has an unknown outcome' },
  'api-key-file': { value: 'FILE', kind: 'file', summary: 'read the API key from a file' },
  timeout: {
    value: 'SECONDS',
    kind: 'amount',
    maximum: 3600,
    configKey: 'timeout',
    summary: 'how long to wait for an answer (default 30) or, with --wait, for the order to end',
  },
  quiet: { short: 'q', summary: 'print no notes, previews or progress on stderr' },
  utc: { summary: "show times in UTC instead of this machine's time zone (also TZ=UTC)" },
  'no-color': { summary: 'turn off colors (also NO_COLOR)' },
  debug: { summary: 'show requests and answers on stderr, without credentials' },
} as const satisfies Record<string, GlobalOption>;

/** The global options of the simulation. */
export const simulationOptions = {
  state: {
    value: 'NAME',
    kind: 'state',
    variable: 'PERP_STATE',
    configKey: 'sim.state',
    summary: 'simulation to use (default: the one in use, see perp sim use)',
  },
  books: {
    value: 'FILE',
    kind: 'file',
    summary: 'play markets and books from a recording, or from a venue (live)',
  },
  clock: {
    value: 'CLOCK',
    choices: ['real', 'manual'],
    summary: 'real time, or manual: time moves only with perp sim advance',
  },
  speed: { value: 'N', kind: 'amount', summary: 'run time N times as fast' },
} as const satisfies Record<string, GlobalOption>;

/** All global options. */
export const globalOptions = { ...commonOptions, ...simulationOptions } as const;

/** The name of an option that every command takes. */
export type GlobalOptionName = keyof typeof globalOptions;

/** Global options as given, by their names in camel case; missing ones come from variables and config. */
export type GlobalInput = {
  [Name in GlobalOptionName as Camel<Name>]?: OptionValue<(typeof globalOptions)[Name]> | undefined;
};
