import type { Camel, OptionSpec } from './spec.ts';

/** An option of every command, with the other places its value may come from: option, variable, config, default. */
export interface GlobalOption extends OptionSpec {
  readonly variable?: string;
  readonly configKey?: string;
  readonly of: 'every command' | 'the simulation';
}

export const environments = ['live', 'sandbox', 'sim'] as const;
export type EnvironmentName = (typeof environments)[number];

export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** The options of every command, in the order that help lists them. */
export const globalOptions = {
  env: {
    of: 'every command',
    value: 'NAME',
    choices: environments,
    variable: 'PERP_ENV',
    configKey: 'env',
    summary: 'where to trade (default sim)',
  },
  account: {
    of: 'every command',
    value: 'ID',
    kind: 'account',
    variable: 'PERP_ACCOUNT',
    summary: 'account to use (default: accounts use, else the only one)',
  },
  json: { of: 'every command', summary: "print the API's own resource as JSON" },
  output: {
    of: 'every command',
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    variable: 'PERP_OUTPUT',
    configKey: 'output',
    summary: 'how results are printed (default table)',
  },
  yes: { of: 'every command', short: 'y', summary: 'do not ask' },
  'dry-run': { of: 'every command', summary: 'print the exact request, or what would be written, and change nothing' },
  'idempotency-key': {
    of: 'every command',
    value: 'KEY',
    kind: 'text',
    summary: 'repeat a write under its own key instead of a fresh one',
  },
  new: { of: 'every command', summary: 'send even where it repeats a write whose outcome is not known' },
  'api-key-file': { of: 'every command', value: 'FILE', kind: 'file', summary: 'read the API key from a file' },
  timeout: {
    of: 'every command',
    value: 'SECONDS',
    kind: 'amount',
    maximum: 3600,
    configKey: 'timeout',
    summary: 'how long to wait for one answer (default 30), and with --wait for the end of the order',
  },
  quiet: { of: 'every command', short: 'q', summary: 'no notes, previews or progress on stderr' },
  'no-color': { of: 'every command', summary: 'no colours (also NO_COLOR)' },
  debug: { of: 'every command', summary: 'show requests and answers on stderr, credentials left out' },
  state: {
    of: 'the simulation',
    value: 'NAME',
    kind: 'text',
    configKey: 'sim.state',
    summary: 'name of the simulation to use (default "default")',
  },
  books: { of: 'the simulation', value: 'FILE', kind: 'file', summary: 'markets and books from a recording' },
  clock: {
    of: 'the simulation',
    value: 'CLOCK',
    choices: ['real', 'manual'],
    summary: 'manual: time moves by perp sim advance only',
  },
  speed: { of: 'the simulation', value: 'N', kind: 'amount', summary: 'play time N times as fast' },
} as const satisfies Record<string, GlobalOption>;

export type GlobalOptionName = keyof typeof globalOptions;

/** Global options as given, by their names in camel case; absent ones come from variables and config. */
export type GlobalInput = { [Name in GlobalOptionName as Camel<Name>]?: string | number | true };
