import type { FlagSpec } from './spec.ts';

/** A flag that every command takes, with the other places its value may come from: flag, variable, config, default. */
export interface GlobalFlag extends FlagSpec {
  readonly variable?: string;
  readonly configKey?: string;
  readonly group: 'global' | 'simulation';
}

export const environments = ['live', 'sandbox', 'sim'] as const;
export type EnvironmentName = (typeof environments)[number];

export const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** The flags of every command, in the order help lists them. */
export const globalFlags = {
  env: {
    group: 'global',
    value: 'NAME',
    choices: environments,
    variable: 'PERP_ENV',
    configKey: 'env',
    summary: 'where to trade (default sim)',
  },
  account: {
    group: 'global',
    value: 'ID',
    kind: 'account',
    variable: 'PERP_ACCOUNT',
    summary: 'account to use (default: accounts use, else the only one)',
  },
  json: { group: 'global', summary: "print the API's own resource as JSON" },
  output: {
    group: 'global',
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    variable: 'PERP_OUTPUT',
    configKey: 'output',
    summary: 'how results are printed (default table)',
  },
  yes: { group: 'global', short: 'y', summary: 'do not ask' },
  'dry-run': { group: 'global', summary: 'print the exact request, or what would be written, and change nothing' },
  'idempotency-key': {
    group: 'global',
    value: 'KEY',
    kind: 'text',
    summary: 'repeat a write under its own key instead of a fresh one',
  },
  new: { group: 'global', summary: 'send even where it repeats a write whose outcome is not known' },
  'api-key-file': { group: 'global', value: 'FILE', kind: 'file', summary: 'read the API key from a file' },
  timeout: {
    group: 'global',
    value: 'SECONDS',
    kind: 'amount',
    maximum: 3600,
    configKey: 'timeout',
    summary: 'how long to wait for one answer (default 30), and with --wait for the end of the order',
  },
  quiet: { group: 'global', short: 'q', summary: 'no notes, previews or progress on stderr' },
  'no-color': { group: 'global', summary: 'no colours (also NO_COLOR)' },
  debug: { group: 'global', summary: 'show requests and answers on stderr, credentials left out' },
  help: { group: 'global', short: 'h', summary: 'show help' },
  state: {
    group: 'simulation',
    value: 'NAME',
    kind: 'text',
    configKey: 'sim.state',
    summary: 'name of the simulation to use (default "default")',
  },
  books: { group: 'simulation', value: 'FILE', kind: 'file', summary: 'markets and books from a recording' },
  clock: {
    group: 'simulation',
    value: 'CLOCK',
    choices: ['real', 'manual'],
    summary: 'manual: time moves by perp sim advance only',
  },
  speed: { group: 'simulation', value: 'N', kind: 'amount', summary: 'play time N times as fast' },
} as const satisfies Record<string, GlobalFlag>;

export type GlobalFlagName = keyof typeof globalFlags;
