import { usageFailure } from '../../../base/failure/failure.ts';
import { type Variables, variable } from '../../../base/files/folders.ts';
import { defaultState, isStateName } from '../../../base/terms/state-names.ts';
import { maybe } from '../../../base/text/format.ts';
import { placeOf } from '../../../base/text/place-options.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import type { FloorCheck, SessionSettings, StopGrowth, UnknownFloor } from '../../../desk/session/session.ts';
import { type GlobalInput, globalOptions, type OutputFormat } from '../grammar/global-options.ts';
import type { ThemeSetting } from '../output/themes.ts';
import { isColored } from '../terminal/io.ts';
import { readConfig } from './config-file.ts';
import type { ConfigValues } from './config-keys.ts';
import { type InUse, simulationInUse } from './in-use.ts';
import { Lookup } from './lookup.ts';

/**
 * The settings of one run of the command line, each from option, variable, profile, config or default, in this order.
 */
export type Settings = ReturnType<typeof settingsOf> & Pick<SessionSettings, 'afterEnd'>;

/** After an interruption of half a minute, systems retransmit within this time. */
const defaultArrivalSeconds = 15;

/** The settings of one command line with these global options; `ignoresProfile`: it manages profiles itself. */
export function settingsOf(
  given: GlobalInput,
  variables: Variables,
  config: ConfigValues,
  inUse: InUse = { state: defaultState, by: 'default' },
  ignoresProfile = false,
) {
  const lookup = new Lookup(given, variables, config, ignoresProfile);
  const { environment } = lookup;
  const simulation = simulationOf(given, lookup, inUse);
  const { idempotencyKey } = given;
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,128}$/.test(idempotencyKey))
    throw usageFailure('--idempotency-key must be 1 to 128 printable ASCII characters.');
  const chosenOutput = lookup.value<OutputFormat>('output');
  const output = outputOf(given, chosenOutput);
  const account = lookup.account(simulation.state);
  const timeoutMs = timeoutMsOf(lookup.value<number>('timeout') ?? 30);
  return {
    /** The source of each config key's value. */
    lookup,
    environment,
    profile: lookup.profile?.name,
    ...placeOf(given),
    /**
     * A host setting that was given although no environment was chosen: it is ignored in the simulation, and may be a
     * mistake.
     */
    strayOfHost: lookup.find('env') === undefined ? strayOfHost(given, variables) : undefined,
    account: account?.value as string | undefined,
    accountFrom: account?.from as SessionSettings['accountFrom'],
    /** Whether the format was chosen; the default is `table`. */
    outputIsChosen: given.json === true || given.jq !== undefined || chosenOutput !== undefined,
    output,
    /** The columns of a list to show; undefined: the default ones. */
    listColumns: maybe(given.columns, (columns) => columnsOf(columns, output)),
    /** A jq expression that filters JSON output. */
    jq: given.jq,
    yes: given.yes === true,
    dryRun: given.dryRun === true,
    idempotencyKey,
    /** Send even if it repeats an unsettled write. */
    fresh: given.new === true,
    apiKeyFile: given.apiKeyFile,
    /** The file of the profile's API key. */
    profileKeyFile: lookup.keyFile,
    timeoutMs,
    /** How long an unanswered write may still arrive after its connection was given up. */
    arrivalMs: Math.max(1, (lookup.value<number>('arrival_window') ?? defaultArrivalSeconds) * 1000),
    /** How long --wait follows an order: --timeout if given, otherwise until the order ends. */
    waitMs: given.timeout === undefined ? undefined : timeoutMs,
    quiet: given.quiet === true,
    /** Times in UTC; else in the time zone of this machine. */
    utc: given.utc === true,
    color: given.noColor !== true && isColored(variables, true),
    /** The colors of charts and the live screen. */
    theme: lookup.value<ThemeSetting>('theme') ?? 'auto',
    debug: given.debug === true,
    ...tradeSettings(lookup),
    /** Own keys of the live screen, from `watch.keys`. */
    watchKeys: lookup.value<string>('watch.keys'),
    baseUrl: environment === 'sim' ? undefined : lookup.value<string>(`${environment}.base_url`),
    /** Addresses of the streams; undefined for the simulation, which has its own, or if not set. */
    streams: {
      market: environment === 'sim' ? undefined : lookup.value<string>('live.market_stream_url'),
      account: environment === 'sim' ? undefined : lookup.value<string>(`${environment}.account_stream_url`),
    },
    simulation,
  };
}

/** The settings of `trade.*`. */
function tradeSettings(lookup: Lookup) {
  return {
    leverage: lookup.value<number>('trade.leverage'),
    marginMode: lookup.value<'cross' | 'isolated'>('trade.margin'),
    floorCheck: lookup.value<FloorCheck>('trade.floor_check') ?? 'refuse',
    unknownFloor: lookup.value<UnknownFloor>('trade.unknown_floor') ?? 'warn',
    stops: lookup.value<StopGrowth>('trade.stops') ?? 'ask',
    gapAllowanceBps: lookup.value<number>('trade.gap_allowance'),
    requireStop: lookup.value('trade.require_stop') === 'on',
    /** How a live write is confirmed on a terminal. */
    confirmLive: lookup.value<'ask' | 'name'>('trade.confirm_live') ?? 'ask',
  };
}

/** --jq and --json mean JSON; --jq filters NDJSON line by line. */
function outputOf(given: GlobalInput, chosen: OutputFormat | undefined): OutputFormat {
  if (given.json === true && given.output !== undefined && given.output !== 'json')
    throw usageFailure(`--json and -o ${given.output} can't be combined.`, 'Give one of them.');
  if (given.jq === undefined) return given.json === true ? 'json' : (chosen ?? 'table');
  if (given.output === 'table' || given.output === 'csv') {
    throw usageFailure(`--jq filters JSON, but -o is ${given.output}.`, 'Omit -o, or give -o ndjson.');
  }
  return chosen === 'ndjson' && given.json !== true ? 'ndjson' : 'json';
}

/** The names given with --columns, which JSON doesn't accept. */
function columnsOf(columns: string, output: OutputFormat): readonly string[] {
  if (output === 'json' || output === 'ndjson') {
    throw usageFailure('--columns is for tables and CSV; JSON has every field.', "Use --jq, such as --jq '.[].id'.");
  }
  const names = columns.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw usageFailure('--columns has an empty name.', 'Write --columns market,size,fee.');
}

function strayOfHost(given: GlobalInput, variables: Variables) {
  if (given.apiKeyFile !== undefined) return '--api-key-file' as const;
  return (['PERP_API_KEY', 'PERP_BASE_URL'] as const).find((name) => variable(variables, name) !== undefined);
}

/** The variable with the host's address, for each environment that has one. */
export const baseUrlVariables = { live: 'PERP_BASE_URL', sandbox: 'PERP_SANDBOX_URL' } as const;

/** The simulation that a command without --state means, with or without a terminal, and where it was chosen. */
export async function plainSimulation(variables: Variables, isOnTerminal: boolean): Promise<Settings['simulation']> {
  const inUse = await simulationInUse(variables, isOnTerminal);
  return settingsOf({ env: 'sim' }, variables, readConfig(variables), inUse).simulation;
}

/**
 * The simulation that the command line means: --state, PERP_STATE, config, otherwise the one in use, otherwise
 * `default`. A default does not apply to --books, which have their own simulations.
 */
function simulationOf(given: GlobalInput, lookup: Lookup, inUse: InUse) {
  const { environment, profile } = lookup;
  const { books, clock, speed } = given;
  const found = lookup.find('sim.state');
  const plain = String(found?.value ?? inUse.state);
  const plainFrom = found?.from ?? inUse.by;
  if (!isStateName(plain)) {
    throw usageFailure(
      `The simulation of ${plainFrom} is ${quoted(plain)}, not a valid name.`,
      'A name has 1 to 64 letters, digits, dots, dashes or underscores, and does not start with a dot.',
    );
  }
  if (speed !== undefined && speed <= 0)
    throw usageFailure('--speed must be above zero.', 'Write a multiple of real time, such as 0.5 or 10.');
  const strays = (['state', 'books', 'clock', 'speed'] as const).filter((name) => given[name] !== undefined);
  if (environment !== 'sim' && strays.length > 0) {
    throw usageFailure(
      `--${strays[0]} works only in the simulation, but the environment is ${environment}.`,
      `Add --env sim${profile === undefined ? '' : ' --profile none'}, or omit --${strays[0]}.`,
    );
  }
  const isExplicit = found?.from === '--state' || found?.from === globalOptions.state.variable;
  return {
    /** Undefined: its books have their own simulation, `desk` or a new one. */
    state: books === undefined || isExplicit ? plain : undefined,
    /** The simulation that a command without --books means, and where it was chosen. */
    plain,
    plainFrom,
    books,
    clock,
    speed,
  };
}

/** Errors are JSON objects if results are JSON. */
export function wantsJsonErrors({ output }: Pick<Settings, 'output'>): boolean {
  return output === 'json' || output === 'ndjson';
}

/** Milliseconds of `--timeout`; a usage failure if there are none. */
export function timeoutMsOf(seconds: number): number {
  if (!(seconds > 0)) throw usageFailure('--timeout must be above zero.');
  return seconds * 1000;
}
