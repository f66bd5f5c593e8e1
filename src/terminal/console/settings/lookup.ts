import { type Failure, usageFailure } from '../../../base/failure/failure.ts';
import { type EnvironmentName, isSamePlace, type Variables, variable } from '../../../base/files/folders.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import {
  type GlobalInput,
  type GlobalOption,
  type GlobalOptionName,
  globalOptions,
} from '../grammar/global-options.ts';
import { camelCase } from '../grammar/spec.ts';
import { configAddress } from './config-file.ts';
import {
  type ConfigKeyName,
  type ConfigValues,
  configKeyOf,
  configValue,
  isAddressKey,
  noProfile,
  type ProfileField,
  profilePart,
  type TableKey,
} from './config-keys.ts';

/** The source of a setting's value: `--env`, `PERP_ENV`, `profile prop`, `the config file`. */
export type Origin = `--${string}` | `PERP_${string}` | `profile ${string}` | 'the config file';

/** A setting's value, and its source. */
interface Found {
  readonly value: string | number;
  readonly from: Origin;
}

/** How explicit a choice is. */
const strength = (from: string): number => (from.startsWith('--') ? 3 : from.startsWith('PERP_') ? 2 : 1);

/** Every setting of one command: option, then variable, then profile, then config file. */
export class Lookup {
  /** The profile that applies. */
  readonly profile: Profile | undefined;
  readonly environment: EnvironmentName;
  readonly #given: GlobalInput;
  readonly #variables: Variables;
  readonly #config: ConfigValues;
  /** Keys of the config file that the profile leaves out. */
  readonly #hidden = new Set<ConfigKeyName>();

  constructor(given: GlobalInput, variables: Variables, config: ConfigValues, ignoresProfile = false) {
    this.#given = given;
    this.#variables = variables;
    this.#config = config;
    const profile = ignoresProfile ? undefined : this.#chosenProfile();
    if (profile !== undefined && profile.environment !== 'sim') {
      // An account belongs to a login.
      this.#hidden.add(`${profile.environment}.account`);
      // Addresses belong to a host.
      if (profile.keys.has(`${profile.environment}.base_url`))
        for (const key of addressesBeside(profile.environment)) this.#hidden.add(key);
    }
    this.profile = profile;
    this.environment = this.value<EnvironmentName>('env') ?? 'sim';
  }

  /** The value of a global option or config key; undefined if nothing sets it. */
  value<T extends string | number>(key: TableKey): T | undefined {
    return this.find(key)?.value as T | undefined;
  }

  find(key: TableKey): Found | undefined {
    return this.#explicit(key) ?? this.#kept(key);
  }

  /** The file of the profile's API key, which is for its host only. */
  get keyFile(): string | undefined {
    const { environment } = this;
    const key = this.profile?.keys.get('api_key_file');
    const isElsewhere = environment !== 'sim' && this.#isElsewhere(environment);
    return key === undefined || isElsewhere ? undefined : (this.#config[key] as string);
  }

  /** The default account of the environment; a simulation's own takes precedence over the one for all simulations. */
  account(state: string | undefined): Found | undefined {
    const found = this.find(`${this.environment}.account` as const);
    const own = state === undefined || this.environment !== 'sim' ? undefined : this.#config[`sim.account.${state}`];
    if (own === undefined || (found !== undefined && found.from !== 'the config file')) return found;
    return { value: own, from: 'the config file' };
  }

  #explicit(key: TableKey): Found | undefined {
    // An account belongs to its environment.
    const name = key === `${this.environment}.account` ? 'account' : options.get(key);
    const option: GlobalOption | undefined = name === undefined ? undefined : globalOptions[name];
    const given = name === undefined ? undefined : this.#given[camelCase(name) as keyof GlobalInput];
    if (given !== undefined) return { value: given as string | number, from: `--${name}` };
    const label = (option?.variable ?? configKeyOf(key).variable) as `PERP_${string}` | undefined;
    const isLeftOut = this.profile !== undefined && this.#isBesideOwnHost(this.profile, key);
    const text = label === undefined || isLeftOut ? undefined : variable(this.#variables, label);
    // Not commander's Option.env: the variables are those of this run, not necessarily of the process.
    return text === undefined ? undefined : { value: configValue(key, text, label), from: label! };
  }

  #kept(key: TableKey): Found | undefined {
    const own = this.profile?.keys.get(key);
    const at = own ?? (this.#hidden.has(key) ? undefined : key);
    if (at === undefined || this.#config[at] === undefined || this.#isOfOtherHost(key)) return undefined;
    const value = isAddressKey(at) ? configAddress(this.#config, at)! : this.#config[at];
    return { value, from: own === undefined ? 'the config file' : `profile ${this.profile!.name}` };
  }

  /** Whether a stored address belongs to another host than the one that a variable names. */
  #isOfOtherHost(key: TableKey): boolean {
    const host = key.startsWith('sandbox.') || this.environment === 'sandbox' ? 'sandbox' : 'live';
    return addressesBeside(host).includes(key) && this.#isElsewhere(host);
  }

  /** Whether it is an additional address of a host, and the host is the profile's own, which no variable names. */
  #isBesideOwnHost({ environment: host, keys }: Profile, key: TableKey): boolean {
    if (host === 'sim' || !addressesBeside(host).includes(key)) return false;
    const base = `${host}.base_url` as const;
    return keys.has(base) && variable(this.#variables, configKeyOf(base).variable!) === undefined;
  }

  /** Whether a variable names another host than the profile or the config. */
  #isElsewhere(host: 'live' | 'sandbox'): boolean {
    const base = `${host}.base_url` as const;
    const named = variable(this.#variables, configKeyOf(base).variable!);
    const kept = this.#config[this.profile?.keys.get(base) ?? base];
    return named !== undefined && kept !== undefined && !isSamePlace(named, String(kept));
  }

  /** The profile in use, unless a stronger choice of the environment overrides it. */
  #chosenProfile(): Profile | undefined {
    const chosen = this.find('profile');
    if (chosen === undefined || chosen.value === noProfile) return undefined;
    const { value, from } = chosen;
    const profile = profileNamed(this.#config, String(value), (says, hint) =>
      usageFailure(
        `${says}, which ${from} names. Nothing was sent.`,
        from === 'the config file' ? `${hint} perp profile use none ends its use.` : hint,
      ),
    );
    const other = this.#explicit('env');
    if (other === undefined || other.value === profile.environment) return profile;
    if (strength(other.from) > strength(from)) return undefined;
    throw usageFailure(
      `The profile ${profile.name} is of ${profile.environment}, but ${other.from} is ${other.value}. Nothing was sent.`,
      `Add --env ${profile.environment}, or --profile none.`,
    );
  }
}

/** The addresses on the same host as the API's. */
function addressesBeside(host: 'live' | 'sandbox'): readonly TableKey[] {
  const shared = ['live.market_stream_url', `${host}.account_stream_url`] as const;
  return host === 'live' ? [...shared, 'live.login_url'] : shared;
}

const options = new Map<string, GlobalOptionName>(
  (Object.entries(globalOptions) as [GlobalOptionName, GlobalOption][]).flatMap(([name, { configKey }]) =>
    configKey === undefined ? [] : [[configKey, name] as const],
  ),
);

/** A named set of settings: environment and login. */
export interface Profile {
  readonly name: string;
  readonly environment: EnvironmentName;
  /** The profile's settings by config key, and where they are in the config. */
  readonly keys: ReadonlyMap<TableKey | 'api_key_file', ConfigKeyName>;
}

/** The profiles of a config, by name. */
export function profilesIn(config: ConfigValues): Map<string, Profile> {
  const profiles = new Map<string, Profile & { keys: Map<TableKey | 'api_key_file', ConfigKeyName> }>();
  for (const key of Object.keys(config) as ConfigKeyName[]) {
    const part = profilePart(key);
    if (part === undefined) continue;
    const environment = config[`profiles.${part.profile}.env`] as EnvironmentName;
    const profile = profiles.get(part.profile) ?? { name: part.profile, environment, keys: new Map() };
    profiles.set(part.profile, profile);
    profile.keys.set(keyOfPart(part.part, environment), key);
  }
  return new Map([...profiles].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The key whose value a part of a profile replaces. */
function keyOfPart(part: ProfileField | TableKey, environment: EnvironmentName): TableKey | 'api_key_file' {
  const host = environment === 'sandbox' ? 'sandbox' : 'live';
  switch (part) {
    case 'base_url':
    case 'account_stream_url':
      return `${host}.${part}`;
    case 'login_url':
    case 'market_stream_url':
      return `live.${part}`;
    case 'account':
      return `${environment}.account`;
    case 'state':
      return 'sim.state';
    default:
      return part;
  }
}

/** The profile of this name, or a failure that suggests another. */
export function profileNamed(
  config: ConfigValues,
  name: string,
  fail: (says: string, hint: string) => Failure,
): Profile {
  const profiles = profilesIn(config);
  const profile = profiles.get(name);
  if (profile !== undefined) return profile;
  const near = nearest(name, profiles.keys());
  const hint = near === undefined ? 'perp profile list shows the profiles.' : `Did you mean ${near}?`;
  throw fail(`There is no profile ${quoted(name)}`, hint);
}

/** The keys that a profile of each environment can set. */
const fieldsOf: Readonly<Record<EnvironmentName, readonly ProfileField[]>> = {
  live: ['base_url', 'login_url', 'market_stream_url', 'account_stream_url', 'account', 'api_key_file'],
  sandbox: ['base_url', 'market_stream_url', 'account_stream_url', 'account', 'api_key_file'],
  sim: ['account', 'state'],
};

/** Refuses parts that don't apply to the environment of a profile. */
export function checkParts(environment: EnvironmentName, parts: readonly (ProfileField | TableKey)[]): void {
  const fields: readonly string[] = fieldsOf[environment];
  const stray = parts.find((part) => part !== 'env' && !part.startsWith('trade.') && !fields.includes(part));
  if (stray === undefined) return;
  throw usageFailure(
    `A profile of ${environment} has no ${stray}.`,
    environment === 'sim' ? 'Add --env live or --env sandbox for a host.' : `It has ${fields.join(', ')}.`,
  );
}
