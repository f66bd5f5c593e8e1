import { type EnvironmentName, placeOf } from '../../../base/files/folders.ts';
import { dateTime } from '../../../base/text/format.ts';
import { type LoginRecord, loginsOf } from '../../../desk/credentials/kept-sessions.ts';
import type { Console } from '../console.ts';
import { type Block, type Cell, fields } from '../output/result.ts';
import type { ConfigValues } from '../settings/config-keys.ts';
import { Lookup } from '../settings/lookup.ts';
import type { Profile } from '../settings/profiles.ts';

interface LoginShown {
  readonly name: string;
  readonly host: string;
  readonly expires_at: number;
  readonly kept: LoginRecord['place'];
}

/** A profile as shown: the settings that a command with it would use. */
export interface ProfileRecord {
  readonly name: string;
  readonly environment: EnvironmentName;
  /** Null for a simulation, or if nothing sets it. */
  readonly host: string | null;
  readonly account: string | null;
  readonly api_key_file: string | null;
  readonly state: string | null;
  /** Its own trade settings. */
  readonly trade: Readonly<Record<string, string | number>>;
  /** The login at its host. */
  readonly login: LoginShown | null;
  /** Logins of the profile at its former hosts. */
  readonly other_logins: readonly LoginShown[];
  readonly in_use: boolean;
}

/** The record of a profile in this config. */
export function profileRecord(console: Console, profile: Profile, config: ConfigValues): ProfileRecord {
  const { name, environment, keys } = profile;
  const { variables, settings } = console;
  const lookup = new Lookup({ profile: name, env: environment }, variables, config);
  const host = environment === 'sim' ? undefined : (lookup.value(`${environment}.base_url`) as string | undefined);
  const own = (key: Parameters<typeof keys.get>[0]) => {
    const at = keys.get(key);
    return at === undefined ? null : String(config[at]);
  };
  const place = host === undefined ? undefined : placeOf(host);
  const logins = [...loginsOf(variables, name)].map(([at, login]): [string, LoginShown] => [
    at,
    { name: login.name, host: at, expires_at: login.expiresAt, kept: login.place },
  ]);
  const trade = [...keys].filter(([key]) => key.startsWith('trade.')).map(([key, at]) => [key, config[at]!] as const);
  return {
    name,
    environment,
    host: host ?? null,
    account: own(`${environment}.account`),
    api_key_file: own('api_key_file'),
    state: own('sim.state'),
    trade: Object.fromEntries(trade),
    login: logins.find(([at]) => at === place)?.[1] ?? null,
    other_logins: logins.filter(([at]) => at !== place).map(([, login]) => login),
    in_use: settings.lookup.value('profile') === name,
  };
}

/** The credential of a profile in words. */
export function credentialCell({ environment, api_key_file: file, login }: ProfileRecord, now: number): Cell {
  if (environment === 'sim') return 'none needed';
  if (file !== null) return file;
  if (login === null) return { text: environment === 'live' ? 'not logged in' : 'none', tone: 'faint' };
  const isOver = login.expires_at <= now;
  const text = `login ${login.name}, ${isOver ? 'expired' : 'expires'} ${dateTime(login.expires_at)}`;
  return isOver ? { text, tone: 'warn' } : text;
}

/** A profile in fields. */
export function profileBlocks(record: ProfileRecord, now = Date.now()): Block[] {
  const { environment, host, account, state, trade } = record;
  const others = record.other_logins.map((login): [string, Cell] => [
    'also',
    {
      text: `login ${login.name} at ${login.host}; PERP_BASE_URL=${login.host} perp logout --profile ${record.name} ends it`,
      tone: 'warn',
    },
  ]);
  return [
    fields(
      ['environment', environment],
      ['host', environment === 'sim' ? undefined : (host ?? { text: 'not set', tone: 'warn' })],
      ['simulation', state ?? undefined],
      ['account', account ?? undefined],
      ['credential', credentialCell(record, now)],
      ...others,
      ...Object.entries(trade).map(([key, value]) => [key, String(value)] as const),
    ),
  ];
}
