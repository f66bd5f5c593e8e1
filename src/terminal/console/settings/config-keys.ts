import { usageFailure } from '../../../base/failure/failure.ts';
import { environments } from '../../../base/files/folders.ts';
import { type AddressedVenue, addressedVenues, venueFacts } from '../../../base/terms/venues.ts';
import { quoted, withoutEnd } from '../../../base/text/plain-text.ts';
import { oneValue } from '../../../desk/values/values.ts';
import { streamOrigin } from '../../../wire/client/addresses.ts';
import { nearest } from '../../../wire/contract/nearest.ts';
import { outputFormats } from '../grammar/global-options.ts';
import type { OptionSpec } from '../grammar/spec.ts';
import { themeSettings } from '../output/themes.ts';
import { parseOwnKeys } from './own-keys.ts';

interface ConfigKey extends OptionSpec {
  readonly kind?: 'text' | 'amount' | 'gap' | 'count' | 'leverage' | 'account' | 'profile' | 'file' | 'state';
  /** The variable that takes precedence over the config, besides those of global options. */
  readonly variable?: string;
  /**
   * It is an address: of the API or of the approval page, of a stream host, or of a venue's public data (`ws`, `rest`),
   * to which no credential is sent.
   */
  readonly address?: 'api' | 'stream' | 'ws' | 'rest';
}

/** The addresses of a venue's public data. */
type VenueKey = `venues.${AddressedVenue}.${'ws' | 'rest'}_url`;

const venueKeys = Object.fromEntries(
  addressedVenues.flatMap((name) =>
    (['ws', 'rest'] as const).map((side): [VenueKey, ConfigKey] => [
      `venues.${name}.${side}_url`,
      {
        summary: `address of ${venueFacts[name].title}'s ${side === 'ws' ? 'stream' : 'REST API'}`,
        address: side,
        variable: `PERP_VENUES_${name.toUpperCase()}_${side.toUpperCase()}_URL`,
      },
    ]),
  ),
) as Record<VenueKey, ConfigKey>;

/** The treatment of an order whose worst case reaches a floor of its account. */
const floorChecks = ['refuse', 'warn', 'off'] as const;

/** The treatment of new exposure in an account of a host that reports no floor. */
const unknownFloors = ['warn', 'refuse'] as const;

/** The treatment of the stop of a position that an order adds to. */
const stopGrowths = ['follow', 'ask', 'off'] as const;

/** The keys of the config file. */
export const configKeys = {
  env: { summary: 'default of --env', choices: environments },
  profile: { summary: 'profile in use (perp profile use)', kind: 'profile' },
  output: { summary: 'default of -o', choices: outputFormats },
  theme: {
    summary: "colors of charts and the live screen: auto (default) follows the terminal's background",
    choices: themeSettings,
  },
  arrival_window: {
    summary: 'seconds within which an unanswered write may still arrive (default 15)',
    kind: 'amount',
    maximum: 3600,
  },
  timeout: { summary: 'seconds to wait for an answer', kind: 'amount', maximum: 3600 },
  'trade.leverage': { summary: 'leverage of new positions', kind: 'leverage', maximum: 1000 },
  'trade.margin': { summary: 'margin mode of new positions', choices: ['cross', 'isolated'] },
  'trade.floor_check': {
    summary: 'orders whose worst case reaches a floor: refuse (default), warn or off',
    choices: floorChecks,
    variable: 'PERP_FLOOR_CHECK',
  },
  'trade.unknown_floor': {
    summary: 'new exposure in an account whose floors the host does not report: warn (default) or refuse',
    choices: unknownFloors,
  },
  'trade.stops': {
    summary: 'the stop of a position that an order adds to: follow grows it, ask (default) offers to, off leaves it',
    choices: stopGrowths,
  },
  'trade.gap_allowance': {
    summary: 'how far beyond its trigger a stop may fill, bps (default: the largest move within a second, lately)',
    kind: 'gap',
    maximum: 5000,
  },
  'trade.require_stop': { summary: 'on: orders that add exposure without a stop are refused', choices: ['on', 'off'] },
  'trade.confirm_live': {
    summary: "how a live write is confirmed on a terminal: ask (default), or name: type the account's name",
    choices: ['ask', 'name'],
  },
  'watch.keys': {
    summary: 'own keys and templates of the live screen: 3=order place {market} buy 0.05; n=positions close {position}',
    kind: 'text',
  },
  'live.base_url': { summary: 'address of the live API', address: 'api', variable: 'PERP_BASE_URL' },
  'live.login_url': {
    summary: 'address of the approval page for perp login',
    address: 'api',
    variable: 'PERP_LOGIN_URL',
  },
  'live.market_stream_url': {
    summary: 'address of the market-data stream, wss://...',
    address: 'stream',
    variable: 'PERP_MARKET_STREAM_URL',
  },
  'live.account_stream_url': {
    summary: 'address of the live account stream, wss://...',
    address: 'stream',
    variable: 'PERP_ACCOUNT_STREAM_URL',
  },
  'live.account': { summary: 'default account on live', kind: 'account' },
  'sandbox.base_url': { summary: 'address of the sandbox API', address: 'api', variable: 'PERP_SANDBOX_URL' },
  'sandbox.account_stream_url': {
    summary: 'address of the sandbox account stream, wss://...',
    address: 'stream',
    variable: 'PERP_SANDBOX_ACCOUNT_STREAM_URL',
  },
  'sandbox.account': { summary: 'default account on the sandbox', kind: 'account' },
  'sim.account': { summary: 'default account in simulations; sim.account.STATE for one of them', kind: 'account' },
  'sim.state': { summary: 'default simulation', kind: 'text' },
  ...venueKeys,
} as const satisfies Record<string, ConfigKey>;

/** The keys that a profile sets; `trade.*` keys may follow its name, too: `profiles.prop.trade.leverage`. */
export const profileFields = {
  env: { summary: 'environment of the profile', choices: environments },
  base_url: { summary: 'address of its API', address: 'api' },
  login_url: { summary: 'address of its approval page', address: 'api' },
  market_stream_url: { summary: 'address of its market-data stream, wss://...', address: 'stream' },
  account_stream_url: { summary: 'address of its account stream, wss://...', address: 'stream' },
  account: { summary: 'its default account', kind: 'account' },
  api_key_file: { summary: 'file of its API key', kind: 'file' },
  state: { summary: 'its simulation', kind: 'state' },
} as const satisfies Record<string, ConfigKey>;

/** A key that a profile itself sets. */
export type ProfileField = keyof typeof profileFields;

const localHosts = ['127.0.0.1', 'localhost', 'localhost.', '[::1]'];

/** The default account of one simulation: `sim.account.friday`; `sim.account` applies to all others. */
type StateAccountKey = `sim.account.${string}`;

/** A setting of one profile: `profiles.prop.base_url`. */
type ProfileKey = `profiles.${string}.${string}`;

/** A key that stands in the table. */
export type TableKey = keyof typeof configKeys;
/** The name of a config key, those of a state's account and of profiles included. */
export type ConfigKeyName = TableKey | StateAccountKey | ProfileKey;
/** The keys that a config file sets. */
export type ConfigValues = { [Key in ConfigKeyName]?: string | number };

const stateAccount = /^sim\.account\.[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;
const profileKey = /^profiles\.([a-z0-9][a-z0-9_-]{0,31})\.([a-z_.]{1,40})$/;

/** Whether a text can name a profile. */
export function isProfileName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/.test(text) && text !== noProfile;
}

/** The word for commands without a profile. */
export const noProfile = 'none';

/** The profile, and the part of it, that a key names; undefined for any other key. */
export function profilePart(key: string): { profile: string; part: ProfileField | TableKey } | undefined {
  const [, profile, part] = profileKey.exec(key) ?? [];
  if (profile === undefined || part === undefined || !isProfileName(profile)) return undefined;
  const isTrade = part.startsWith('trade.') && Object.hasOwn(configKeys, part);
  return isTrade || Object.hasOwn(profileFields, part) ? { profile, part: part as ProfileField | TableKey } : undefined;
}

/** The properties of a key. */
export function configKeyOf(key: ConfigKeyName): ConfigKey {
  if (Object.hasOwn(configKeys, key)) return configKeys[key as TableKey];
  const part = profilePart(key)?.part;
  if (part === undefined) return configKeys['sim.account'];
  return Object.hasOwn(profileFields, part) ? profileFields[part as ProfileField] : configKeys[part as TableKey];
}

/** Whether requests, credentials or a login go to the address that a key holds. */
export function isAddressKey(key: ConfigKeyName): boolean {
  const { address } = configKeyOf(key);
  return address === 'api' || address === 'stream';
}

/** The key if it is known, or a usage failure that suggests one. */
export function knownConfigKey(key: string): ConfigKeyName {
  if (Object.hasOwn(configKeys, key) || stateAccount.test(key) || profilePart(key) !== undefined)
    return key as ConfigKeyName;
  const near = nearest(key, Object.keys(configKeys));
  throw usageFailure(
    `Unknown config key ${quoted(key)}.`,
    near === undefined ? 'perp config list shows the keys.' : `Did you mean ${near}?`,
  );
}

/** Checks one value of a key, as an option's value is checked; `label`: its location, if not under the key. */
export function configValue(key: ConfigKeyName, text: string, label: string = key): string | number {
  const spec = configKeyOf(key);
  if (spec.address === 'stream') return checkedStreamAddress(text, label);
  if (spec.address !== undefined) return checkedAddress(text, label, spec.address);
  if (key === 'watch.keys') parseOwnKeys(text);
  return oneValue(spec, text, label) as string | number;
}

/**
 * Checks an address: encrypted, or on this machine. One to which a credential may be sent has no query; that of public
 * data may, because it goes with every request and is public, too.
 */
function checkedAddress(text: string, label: string, kind: 'api' | 'ws' | 'rest'): string {
  const url = URL.parse(text);
  const scheme = kind === 'ws' ? 'ws' : 'http';
  const isLocal = url !== null && localHosts.includes(url.hostname);
  if (url === null || (url.protocol !== `${scheme}s:` && !(url.protocol === `${scheme}:` && isLocal))) {
    const [article, host] = kind === 'api' ? ['an', 'api'] : ['a', 'venue'];
    throw usageFailure(
      `${label} is ${quoted(text)}, not ${article} ${scheme}s address.`,
      `Write an address such as ${scheme}s://${host}.example.com.`,
    );
  }
  if (url.username !== '' || url.hash !== '' || (kind === 'api' && url.search !== ''))
    throw usageFailure(`${label} must be an address without user${kind === 'api' ? ', query' : ''} or fragment.`);
  return kind === 'api' ? withoutEnd(text, '/') : text;
}

/** Checks the address of a stream host: wss, or ws on this machine. perp adds the path. */
function checkedStreamAddress(text: string, label: string): string {
  try {
    return streamOrigin(text);
  } catch (error) {
    throw usageFailure(
      `${label} is ${quoted(text)}: ${(error as Error).message}.`,
      'Write an address such as wss://stream.example.com; perp adds the path.',
    );
  }
}
