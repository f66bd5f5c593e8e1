import type { FloorCheck, SessionSettings, StopGrowth, UnknownFloor } from '../../desk/session/session.ts';
import { oneValue } from '../../desk/values/values.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import { type EnvironmentName, streamAddresses, type Variables, variable } from '../../ground/files/folders.ts';
import { placeOf } from '../../ground/text/here.ts';
import { quoted } from '../../ground/text/plain-text.ts';
import { defaultState, isStateName } from '../../terms/state-names.ts';
import {
  type GlobalInput,
  type GlobalOption,
  type GlobalOptionName,
  globalOptions,
  type OutputFormat,
} from '../grammar/global-options.ts';
import { camelCase } from '../grammar/spec.ts';
import type { ThemeSetting } from '../output/themes.ts';
import { isColored } from '../terminal/io.ts';
import { configAddress, readConfig } from './config-file.ts';
import {
  type ConfigKeyName,
  type ConfigValues,
  checkedAddress,
  checkedStreamAddress,
  configKeys,
} from './config-keys.ts';
import { type InUse, simulationInUse } from './in-use.ts';

/** The settings of one run of the command line, each from option, variable, config or default, in this order. */
export interface Settings extends SessionSettings {
  /**
   * A host setting that was given although no environment was chosen: it is ignored in the simulation, and may be a
   * mistake.
   */
  strayOfHost: 'PERP_API_KEY' | '--api-key-file' | 'PERP_BASE_URL' | undefined;
  output: OutputFormat;
  /** Whether the format was chosen; the default is `table`. */
  outputIsChosen: boolean;
  /** The columns of a list to show; undefined: the usual ones. */
  listColumns: readonly string[] | undefined;
  /** A jq expression that filters JSON output. */
  jq: string | undefined;
  yes: boolean;
  /** Send even if it repeats an unsettled write. */
  fresh: boolean;
  apiKeyFile: string | undefined;
  /** How long an unanswered write may still arrive after its connection was given up. */
  arrivalMs: number;
  /** How long --wait follows an order: --timeout if given, otherwise until the order ends. */
  waitMs: number | undefined;
  quiet: boolean;
  /** Times in UTC; else in the time zone of this machine. */
  utc: boolean;
  color: boolean;
  /** The colors of charts and the live screen. */
  theme: ThemeSetting;
  debug: boolean;
  /** How a live write is confirmed on a terminal. */
  confirmLive: 'ask' | 'name';
  /** Own keys of the live screen, as `watch.keys` says. */
  watchKeys: string | undefined;
  /** Addresses of the streams; undefined for the simulation, which has its own, or if not set. */
  streams: { market: string | undefined; account: string | undefined };
  simulation: {
    /** Undefined: its books have a simulation of their own, `desk` or a new one. */
    state: string | undefined;
    /** The simulation that a command without --books means. */
    plain: string;
    /** Where `plain` was chosen. */
    plainFrom: '--state' | 'PERP_STATE' | 'the config file' | InUse['by'];
    books: string | undefined;
    clock: 'real' | 'manual' | undefined;
    speed: number | undefined;
  };
}

/** Systems retransmit within this time after an interruption of half a minute. */
const defaultArrivalSeconds = 15;

/** The settings of one command line with these global options. */
export function settingsOf(
  given: GlobalInput,
  variables: Variables,
  config: ConfigValues,
  inUse: InUse = { state: defaultState, by: 'default' },
): Settings {
  const chosen = <T>(name: GlobalOptionName): T | undefined =>
    globalValue(name, given, variables, config) as T | undefined;
  if (given.json === true && given.output !== undefined && given.output !== 'json') {
    throw usageFailure(`--json and -o ${given.output} can't be combined.`, 'Give one of them.');
  }
  const chosenEnvironment = chosen<EnvironmentName>('env');
  const environment = chosenEnvironment ?? 'sim';
  const simulation = {
    ...statesOf(given, variables, config, inUse),
    books: chosen<string>('books'),
    clock: chosen<'real' | 'manual'>('clock'),
    speed: chosen<number>('speed'),
  };
  checkSimulation(simulation, given, environment);
  const idempotencyKey = chosen<string>('idempotency-key');
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,128}$/.test(idempotencyKey)) {
    throw usageFailure('--idempotency-key must be 1 to 128 printable ASCII characters.');
  }
  const chosenOutput = chosen<OutputFormat>('output');
  const timeoutSeconds = chosen<number>('timeout') ?? 30;
  if (timeoutSeconds <= 0) throw usageFailure('--timeout must be above zero.');
  return {
    environment,
    ...placeOf(given),
    strayOfHost: chosenEnvironment === undefined ? strayOfHost(given, variables) : undefined,
    ...accountOf(chosen<string>('account'), given, keptAccount(environment, simulation.state, config)),
    outputIsChosen: given.json === true || given.jq !== undefined || chosenOutput !== undefined,
    output: outputOf(given, chosenOutput),
    listColumns: columnsOf(given, outputOf(given, chosenOutput)),
    jq: chosen<string>('jq'),
    yes: given.yes === true,
    dryRun: given.dryRun === true,
    idempotencyKey,
    fresh: given.new === true,
    apiKeyFile: chosen<string>('api-key-file'),
    timeoutMs: timeoutSeconds * 1000,
    arrivalMs: Math.max(1, ((config.arrival_window as number | undefined) ?? defaultArrivalSeconds) * 1000),
    waitMs: given.timeout === undefined ? undefined : timeoutSeconds * 1000,
    quiet: given.quiet === true,
    utc: given.utc === true,
    color: given.noColor !== true && isColored(variables, true),
    theme: (config.theme as ThemeSetting | undefined) ?? 'auto',
    debug: given.debug === true,
    leverage: config['trade.leverage'] as number | undefined,
    marginMode: config['trade.margin'] as 'cross' | 'isolated' | undefined,
    floorCheck: floorCheckOf(variables, config),
    unknownFloor: (config['trade.unknown_floor'] as UnknownFloor | undefined) ?? 'warn',
    watchKeys: config['watch.keys'] as string | undefined,
    stops: (config['trade.stops'] as StopGrowth | undefined) ?? 'ask',
    gapAllowanceBps: config['trade.gap_allowance'] as number | undefined,
    requireStop: config['trade.require_stop'] === 'on',
    confirmLive: (config['trade.confirm_live'] as 'ask' | 'name' | undefined) ?? 'ask',
    baseUrl: baseUrlOf(environment, variables, config),
    streams: streamsOf(environment, variables, config),
    simulation,
  };
}

function floorCheckOf(variables: Variables, config: ConfigValues): FloorCheck {
  const text = variable(variables, 'PERP_FLOOR_CHECK');
  const given =
    text === undefined
      ? config['trade.floor_check']
      : oneValue(configKeys['trade.floor_check'], text, 'PERP_FLOOR_CHECK');
  return (given as FloorCheck | undefined) ?? 'refuse';
}

/** --jq and --json mean JSON; --jq filters NDJSON line by line. */
function outputOf(given: GlobalInput, chosen: OutputFormat | undefined): OutputFormat {
  if (given.jq === undefined) return given.json === true ? 'json' : (chosen ?? 'table');
  if (given.output === 'table' || given.output === 'csv') {
    throw usageFailure(`--jq filters JSON, but -o is ${given.output}.`, 'Omit -o, or give -o ndjson.');
  }
  return chosen === 'ndjson' && given.json !== true ? 'ndjson' : 'json';
}

/** The names of --columns, which JSON does not take. */
function columnsOf({ columns }: GlobalInput, output: OutputFormat): readonly string[] | undefined {
  if (columns === undefined) return undefined;
  if (output === 'json' || output === 'ndjson') {
    throw usageFailure('--columns is for tables and CSV; JSON has every field.', "Use --jq, such as --jq '.[].id'.");
  }
  const names = String(columns)
    .split(',')
    .map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw usageFailure('--columns has an empty name.', 'Write --columns market,size,fee.');
}

function strayOfHost(given: GlobalInput, variables: Variables): Settings['strayOfHost'] {
  if (given.apiKeyFile !== undefined) return '--api-key-file';
  return (['PERP_API_KEY', 'PERP_BASE_URL'] as const).find((name) => variable(variables, name) !== undefined);
}

/**
 * The default account of an environment; a simulation's own default takes precedence over the one for all simulations.
 */
function keptAccount(
  environment: EnvironmentName,
  state: string | undefined,
  config: ConfigValues,
): string | undefined {
  const own = environment === 'sim' && state !== undefined ? config[`sim.account.${state}`] : undefined;
  return (own ?? config[`${environment}.account`]) as string | undefined;
}

function accountOf(
  chosen: string | undefined,
  given: GlobalInput,
  kept: string | undefined,
): Pick<Settings, 'account' | 'accountFrom'> {
  if (chosen !== undefined)
    return { account: chosen, accountFrom: given.account === undefined ? 'PERP_ACCOUNT' : '--account' };
  return { account: kept, accountFrom: kept === undefined ? undefined : 'the config file' };
}

/** The variable with the host's address, for each environment that has one. */
export const baseUrlVariables = { live: 'PERP_BASE_URL', sandbox: 'PERP_SANDBOX_URL' } as const;

/** Address of an environment's API; undefined for the simulation, or if not set. */
export function baseUrlOf(
  environment: EnvironmentName,
  variables: Variables,
  config: ConfigValues,
): string | undefined {
  if (environment === 'sim') return undefined;
  const name = baseUrlVariables[environment];
  const fromVariable = variable(variables, name);
  if (fromVariable !== undefined) return checkedAddress(fromVariable, name);
  return configAddress(config, `${environment}.base_url`);
}

function streamsOf(environment: EnvironmentName, variables: Variables, config: ConfigValues): Settings['streams'] {
  if (environment === 'sim') return { market: undefined, account: undefined };
  const { market, account } = streamAddresses[environment];
  const addressOf = ([name, key]: readonly [string, ConfigKeyName]) => {
    const fromVariable = variable(variables, name);
    if (fromVariable !== undefined) return checkedStreamAddress(fromVariable, name);
    return configAddress(config, key);
  };
  return { market: addressOf(market), account: addressOf(account) };
}

function globalValue(name: GlobalOptionName, given: GlobalInput, variables: Variables, config: ConfigValues): unknown {
  const option: GlobalOption = globalOptions[name];
  const value = given[camelCase(name) as keyof GlobalInput];
  if (value !== undefined) return value;
  // Not commander's Option.env: the variables are those of this run, not necessarily of the process, and the config
  // comes next.
  const text = option.variable === undefined ? undefined : variable(variables, option.variable);
  if (text !== undefined) return oneValue(option, text, option.variable!);
  return option.configKey === undefined ? undefined : config[option.configKey as keyof ConfigValues];
}

/** The simulation that a command without --state means, on a terminal or without one, and where it was chosen. */
export async function plainSimulation(variables: Variables, isOnTerminal: boolean): Promise<Settings['simulation']> {
  const inUse = await simulationInUse(variables, isOnTerminal);
  return settingsOf({ env: 'sim' }, variables, readConfig(variables), inUse).simulation;
}

/**
 * The simulation that the command line means: --state, PERP_STATE, config, else the one in use, else `default`. A
 * default does not apply to --books, which have simulations of their own.
 */
function statesOf(given: GlobalInput, variables: Variables, config: ConfigValues, inUse: InUse) {
  const named = (state: unknown, plainFrom: Settings['simulation']['plainFrom']) => {
    return state === undefined ? undefined : { plain: String(state), plainFrom };
  };
  const explicit =
    named(given.state, '--state') ?? named(variable(variables, globalOptions.state.variable), 'PERP_STATE');
  const chosen = explicit ??
    named(config['sim.state'], 'the config file') ?? { plain: inUse.state, plainFrom: inUse.by };
  return { ...chosen, state: given.books === undefined || explicit !== undefined ? chosen.plain : undefined };
}

function checkSimulation(simulation: Settings['simulation'], given: GlobalInput, environment: EnvironmentName): void {
  if (!isStateName(simulation.plain)) {
    throw usageFailure(
      `The simulation of ${simulation.plainFrom} is ${quoted(simulation.plain)}, not a valid name.`,
      'A name has 1 to 64 letters, digits, dots, dashes or underscores, and does not start with a dot.',
    );
  }
  if (simulation.speed !== undefined && simulation.speed <= 0)
    throw usageFailure('--speed must be above zero.', 'Write a multiple of real time, such as 0.5 or 10.');
  const strays = (['state', 'books', 'clock', 'speed'] as const).filter((name) => given[name] !== undefined);
  if (environment !== 'sim' && strays.length > 0) {
    throw usageFailure(
      `--${strays[0]} works only in the simulation, but the environment is ${environment}.`,
      `Add --env sim, or omit --${strays[0]}.`,
    );
  }
}

/** Errors are JSON objects if results are JSON. */
export function wantsJsonErrors({ output }: Pick<Settings, 'output'>): boolean {
  return output === 'json' || output === 'ndjson';
}
