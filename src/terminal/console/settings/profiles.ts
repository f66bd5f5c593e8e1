import { type Failure, usageFailure } from '../../../base/failure/failure.ts';
import type { EnvironmentName } from '../../../base/files/folders.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import { type ConfigKeyName, type ConfigValues, type ProfileField, profilePart, type TableKey } from './config-keys.ts';

/** A named set of settings: where to trade, and as whom. */
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

/** Refuses parts that mean nothing in the environment of a profile. */
export function checkParts(environment: EnvironmentName, parts: readonly (ProfileField | TableKey)[]): void {
  const fields: readonly string[] = fieldsOf[environment];
  const stray = parts.find((part) => part !== 'env' && !part.startsWith('trade.') && !fields.includes(part));
  if (stray === undefined) return;
  throw usageFailure(
    `A profile of ${environment} has no ${stray}.`,
    environment === 'sim' ? 'Add --env live or --env sandbox for a host.' : `It has ${fields.join(', ')}.`,
  );
}
