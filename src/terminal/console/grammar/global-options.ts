import { environments } from '../../../base/files/folders.ts';
import type { Camel, OptionSpec, OptionValue } from './spec.ts';

/** A global option, with the other places its value may come from: variable, config, default. */
export interface GlobalOption extends OptionSpec {
  readonly variable?: string;
  readonly configKey?: string;
  readonly of: 'every command' | 'the simulation';
}

/** The formats of `--output`. */
export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
/** A format of `--output`. */
export type OutputFormat = (typeof outputFormats)[number];

/** The global options, in the order of help. */
export const globalOptions = {
  env: {
    of: 'every command',
    value: 'NAME',
    choices: environments,
    variable: 'PERP_ENV',
    configKey: 'env',
    summary: 'where to trade (default sim)',
  },
  profile: {
    of: 'every command',
    value: 'NAME',
    kind: 'profile',
    variable: 'PERP_PROFILE',
    configKey: 'profile',
    summary: 'profile to use: environment and login (see perp profile); none: no profile',
  },
  account: {
    of: 'every command',
    value: 'ID',
    kind: 'account',
    variable: 'PERP_ACCOUNT',
    summary: 'account to use, by id, number or name (default: the one set by perp accounts use, or the only one)',
  },
  json: { of: 'every command', summary: "print the API's own resource as JSON" },
  output: {
    of: 'every command',
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    variable: 'PERP_OUTPUT',
    configKey: 'output',
    summary: 'output format (default table)',
  },
  jq: {
    of: 'every command',
    value: 'EXPR',
    kind: 'text',
    summary: 'filter the JSON with a jq expression; implies --json',
  },
  columns: {
    of: 'every command',
    value: 'NAMES',
    kind: 'text',
    summary: 'columns of a list and their order, such as market,size,fee: headers of the table, or fields of the JSON',
  },
  yes: { of: 'every command', short: 'y', summary: "don't ask for confirmation" },
  'dry-run': {
    of: 'every command',
    summary: 'print the exact request, or what would be written, without changing anything',
  },
  'idempotency-key': {
    of: 'every command',
    value: 'KEY',
    kind: 'text',
    summary: 'use this key instead of a new one; a write repeated under the same key is done only once',
  },
  new: { of: 'every command', summary: 'send even if the same write has an unknown outcome' },
  'api-key-file': { of: 'every command', value: 'FILE', kind: 'file', summary: 'read the API key from a file' },
  timeout: {
    of: 'every command',
    value: 'SECONDS',
    kind: 'amount',
    maximum: 3600,
    configKey: 'timeout',
    summary: 'how long to wait for an answer (default 30) or, with --wait, for the order to end',
  },
  quiet: { of: 'every command', short: 'q', summary: 'print no notes, previews or progress on stderr' },
  utc: { of: 'every command', summary: "show times in UTC instead of this machine's time zone (also TZ=UTC)" },
  'no-color': { of: 'every command', summary: 'turn off colors (also NO_COLOR)' },
  debug: { of: 'every command', summary: 'show requests and answers on stderr, without credentials' },
  state: {
    of: 'the simulation',
    value: 'NAME',
    kind: 'state',
    variable: 'PERP_STATE',
    configKey: 'sim.state',
    summary: 'simulation to use (default: the one in use, see perp sim use)',
  },
  books: {
    of: 'the simulation',
    value: 'FILE',
    kind: 'file',
    summary: 'play markets and books from a recording, or from a venue (live)',
  },
  clock: {
    of: 'the simulation',
    value: 'CLOCK',
    choices: ['real', 'manual'],
    summary: 'real time, or manual: time moves only with perp sim advance',
  },
  speed: { of: 'the simulation', value: 'N', kind: 'amount', summary: 'run time N times as fast' },
} as const satisfies Record<string, GlobalOption>;

/** The name of an option that every command takes. */
export type GlobalOptionName = keyof typeof globalOptions;

/** Global options as given, by their names in camel case; missing ones come from variables and config. */
export type GlobalInput = {
  [Name in GlobalOptionName as Camel<Name>]?: OptionValue<(typeof globalOptions)[Name]> | undefined;
};
