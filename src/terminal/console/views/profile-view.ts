import { placeOf } from '../../../base/files/folders.ts';
import { dateTime, maybe } from '../../../base/text/format.ts';
import { loginsOf } from '../../../desk/credentials/kept-sessions.ts';
import type { Console } from '../console.ts';
import { type Block, type Cell, fields } from '../output/result.ts';
import type { ConfigValues } from '../settings/config-keys.ts';
import { Lookup, type Profile } from '../settings/lookup.ts';

/** A profile as shown: the settings that a command with it would use. */
export type ProfileRecord = ReturnType<typeof profileRecord>;

/** The record of a profile in this config. */
export function profileRecord(console: Console, profile: Profile, config: ConfigValues) {
  const { name, environment, keys } = profile;
  const { variables, settings } = console;
  const lookup = new Lookup({ profile: name, env: environment }, variables, config);
  const host = environment === 'sim' ? undefined : (lookup.value(`${environment}.base_url`) as string | undefined);
  const own = (key: Parameters<typeof keys.get>[0]) => {
    const at = keys.get(key);
    return at === undefined ? null : String(config[at]);
  };
  const place = maybe(host, placeOf);
  const logins = [...loginsOf(variables, name)].map(([at, login]) => {
    return { name: login.name, host: at, expires_at: login.expiresAt, kept: login.place };
  });
  const trade = [...keys].filter(([key]) => key.startsWith('trade.')).map(([key, at]) => [key, config[at]!] as const);
  return {
    name,
    environment,
    /** Null for a simulation, or if nothing sets it. */
    host: host ?? null,
    account: own(`${environment}.account`),
    api_key_file: own('api_key_file'),
    state: own('sim.state'),
    trade: Object.fromEntries(trade),
    /** The login at its host, and those at its former hosts. */
    login: logins.find(({ host: at }) => at === place) ?? null,
    other_logins: logins.filter(({ host: at }) => at !== place),
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
