import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { findCredential } from '../../../../src/desk/credentials/credentials.ts';
import { KeptSessions } from '../../../../src/desk/credentials/kept-sessions.ts';
import { guardFolders } from '../../../../src/desk/lock/trading-lock.ts';
import type { GlobalInput } from '../../../../src/terminal/console/grammar/global-options.ts';
import { settingsOf } from '../../../../src/terminal/console/settings/settings.ts';
import { Desk } from '../../cli/practice.ts';

const hosts = ['https://one.example.com', 'https://two.example.com', 'https://three.example.com'] as const;
const streams = ['wss://s1.example.com', 'wss://s2.example.com', 'wss://s3.example.com'] as const;
const environments = ['live', 'sandbox', 'sim'] as const;

/** A profile: `a` and `b` are of live, `t` of the sandbox, `p` of the simulation. */
const profiles = { a: 'live', b: 'live', t: 'sandbox', p: 'sim' } as const;
type Name = keyof typeof profiles;

const some = <T>(...values: readonly T[]) => fc.constantFrom(undefined, ...values);
const chosen = some<Name | 'none'>('a', 'b', 't', 'p', 'none');
const situations = fc.record({
  flags: fc.record({
    env: some(...environments),
    profile: chosen,
    account: some('acc_flag'),
    keyFile: some('key-flag'),
  }),
  variables: fc.record({
    env: some(...environments),
    profile: chosen,
    account: some('acc_variable'),
    key: some('key-variable'),
    base: some(...hosts),
    stream: some(streams[2]),
  }),
  config: fc.record({ env: some(...environments), profile: chosen, base: some(hosts[0]), account: some('acc_config') }),
  own: fc.record({
    base: some(...hosts),
    account: some('acc_own'),
    keyFile: some('key-own'),
    stream: some(streams[1]),
  }),
});
type Situation = typeof situations extends fc.Arbitrary<infer S> ? S : never;

interface Goes {
  environment: string;
  profile: string | undefined;
  baseUrl: string | undefined;
  stream: string | undefined;
  account: string | undefined;
  credential: string | undefined;
}

/** Where a request of live goes, and as whom, by the words of docs/settings.md; undefined: nowhere, it is refused. */
function table({ flags, variables, config, own }: Situation): Goes | undefined {
  const named = flags.profile ?? variables.profile ?? config.profile;
  const rank = flags.profile !== undefined ? 3 : variables.profile !== undefined ? 2 : 1;
  const wanted = flags.env ?? variables.env;
  const wantedRank = flags.env !== undefined ? 3 : 2;
  let profile = named === 'none' ? undefined : named;
  if (profile !== undefined && wanted !== undefined && wanted !== profiles[profile]) {
    if (wantedRank <= rank) return undefined;
    profile = undefined;
  }
  const environment = wanted ?? (profile === undefined ? (config.env ?? 'sim') : profiles[profile]);
  const account = flags.account ?? variables.account;
  if (environment !== 'live') {
    const nowhere = { baseUrl: undefined, stream: undefined, credential: undefined };
    return { environment, profile, account: account ?? (profile === undefined ? undefined : own.account), ...nowhere };
  }
  const isOwnHost = profile !== undefined && own.base !== undefined;
  const keptBase = isOwnHost ? own.base : config.base;
  const baseUrl = variables.base ?? keptBase;
  const keptStream = profile === undefined ? streams[0] : (own.stream ?? (isOwnHost ? undefined : streams[0]));
  const isElsewhere = variables.base !== undefined && keptBase !== undefined && variables.base !== keptBase;
  return {
    environment,
    profile,
    baseUrl,
    // A variable's stream is of the host that a variable names, or the config: never of the profile's own.
    stream:
      (isOwnHost && variables.base === undefined ? undefined : variables.stream) ??
      (isElsewhere ? undefined : keptStream),
    account: account ?? (profile === undefined ? config.account : own.account),
    credential:
      flags.keyFile ??
      variables.key ??
      (profile === undefined || isElsewhere ? undefined : own.keyFile) ??
      (baseUrl === undefined ? undefined : sessionAt(baseUrl, profile)),
  };
}

function sessionAt(host: string, profile: string | undefined): string {
  return `session-of-${profile ?? 'none'}-at-${host}`;
}

function configOf({ config, own }: Situation, folder: string): Record<string, string> {
  const values: Record<string, string | undefined> = {
    env: config.env,
    profile: config.profile,
    'live.base_url': config.base,
    'live.account_stream_url': streams[0],
    'live.account': config.account,
  };
  for (const [name, env] of Object.entries(profiles)) {
    values[`profiles.${name}.env`] = env;
    values[`profiles.${name}.account`] = own.account;
    if (env === 'sim') continue;
    values[`profiles.${name}.base_url`] = own.base;
    values[`profiles.${name}.account_stream_url`] = own.stream;
    values[`profiles.${name}.api_key_file`] = own.keyFile === undefined ? undefined : join(folder, own.keyFile);
  }
  const set = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

test('where a request goes, and with which credential, is as the table says', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-profiles-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['key-flag', 'key-own']) writeFileSync(join(folder, name), name, { mode: 0o600 });
  for (const host of hosts) {
    for (const profile of [undefined, 'a', 'b']) {
      const session = { apiKey: sessionAt(host, profile), name: 'desk', expiresAt: Date.now() + 1e9 };
      await new KeptSessions({ host, profile }, { PERP_STATE_DIR: folder }).keep(session, 'file');
    }
  }
  const property = fc.asyncProperty(situations, async (situation) => {
    const { flags, variables } = situation;
    const file = flags.keyFile === undefined ? undefined : join(folder, flags.keyFile);
    const given = { env: flags.env, profile: flags.profile, account: flags.account, apiKeyFile: file };
    const own = {
      PERP_STATE_DIR: folder,
      PERP_ENV: variables.env,
      PERP_PROFILE: variables.profile,
      PERP_ACCOUNT: variables.account,
      PERP_API_KEY: variables.key,
      PERP_BASE_URL: variables.base,
      PERP_ACCOUNT_STREAM_URL: variables.stream,
    };
    const goes = await went(given as GlobalInput, own, configOf(situation, folder));
    assert.deepEqual(goes, table(situation));
  });
  await fc.assert(property, { numRuns: 200 });
});

async function went(
  given: GlobalInput,
  variables: Record<string, string | undefined>,
  config: object,
): Promise<Goes | undefined> {
  let settings: ReturnType<typeof settingsOf>;
  try {
    settings = settingsOf(given, variables, config);
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.match(error.message, /Nothing was sent/);
    return undefined;
  }
  const { environment, profile, baseUrl, account } = settings;
  const isLive = environment === 'live';
  const found = isLive && baseUrl !== undefined ? await findCredential(settings, variables) : undefined;
  const unaddressed = isLive ? (settings.apiKeyFile ?? variables.PERP_API_KEY ?? settings.profileKeyFile) : undefined;
  return {
    environment,
    profile,
    baseUrl: isLive ? baseUrl : undefined,
    stream: isLive ? settings.streams.account : undefined,
    account,
    credential: found?.text ?? unaddressed?.split('/').at(-1),
  };
}

test('an unknown profile, or one of another environment, is refused before anything is sent', async () => {
  using desk = new Desk();
  await desk.json('profile', 'add', 'prop', '--env', 'live', '--base-url', 'http://127.0.0.1:1');
  const table: [string[], Record<string, string>, RegExp][] = [
    [
      ['accounts', '--profile', 'prp'],
      {},
      /no profile "prp", which --profile names\. Nothing was sent\.\nDid you mean prop\?/,
    ],
    [['accounts'], { PERP_PROFILE: 'nobody' }, /no profile "nobody", which PERP_PROFILE names/],
    [
      ['accounts', '--profile', 'prop', '--env', 'sim'],
      {},
      /of live, but --env is sim[\s\S]*Add --env live, or --profile none/,
    ],
    [['accounts', '--profile', 'prop'], { PERP_ENV: 'sandbox' }, /of live, but PERP_ENV is sandbox/],
    [['login', '--profile', 'Prop'], {}, /no profile "Prop"/],
  ];
  for (const [argv, variables, says] of table) {
    const { exit, err } = await desk.perp(argv, { variables });
    assert.equal(exit, 2, err);
    assert.match(err, says);
  }
  await desk.json('profile', 'use', 'prop');
  assert.equal((await desk.json('whoami', '--env', 'sim')).profile, undefined, '--env leaves the one in use out');
});

test('an address that a profile lacks is one of its own, as the hint says', async () => {
  using desk = new Desk();
  await desk.json('profile', 'add', 'prop', '--env', 'live', '--base-url', 'https://api.example.com');
  const variables = {
    PERP_ACCOUNT_STREAM_URL: 'wss://other.example.com',
    PERP_LOGIN_URL: 'https://other.example.com',
    PERP_API_KEY: 'key',
  };
  for (const [argv, part] of [
    [['stream', 'account', '--profile', 'prop'], 'account_stream_url wss'],
    [['login', '--profile', 'prop'], 'login_url https'],
  ] as const) {
    const { exit, err } = await desk.perp([...argv], { variables });
    assert.equal(exit, 2, err);
    assert.match(err, new RegExp(`perp config set profiles\\.prop\\.${part}://`));
  }
});

test('perp doctor says that a profile has no key, or one that it cannot read', async () => {
  using desk = new Desk();
  await desk.json('profile', 'add', 'test', '--env', 'sandbox');
  await desk.json('profile', 'add', 'bot', '--env', 'live', '--api-key-file', 'no-such.key');
  const rows: { check: string; status: string; detail: string }[] = (await desk.perp(['doctor', '--json'])).json;
  const { checks = rows } = rows as unknown as { checks?: typeof rows };
  for (const name of ['test', 'bot'])
    assert.equal(checks.find(({ check }) => check === `profile ${name}`)?.status, 'warn');
});

test('profiles are added, listed, shown, changed and used', async () => {
  using desk = new Desk();
  await desk.json('profile', 'add', 'paper', '--env', 'sim', '--state', 'friday', '--account', 'acc_000000001');
  await desk.json(
    'profile',
    'add',
    'prop',
    '--env',
    'live',
    '--base-url',
    'https://api.example.com/',
    '--account',
    'acc_9',
  );
  const rows = await desk.json('profile');
  assert.deepEqual(
    rows.map(({ name, environment, host, state, account }: Record<string, unknown>) => [
      name,
      environment,
      host,
      state,
      account,
    ]),
    [
      ['paper', 'sim', null, 'friday', 'acc_000000001'],
      ['prop', 'live', 'https://api.example.com', null, 'acc_9'],
    ],
  );
  await desk.json('config', 'set', 'profiles.paper.trade.leverage', '4');
  assert.deepEqual((await desk.json('profile', 'show', 'paper')).trade, { 'trade.leverage': 4 });
  await desk.json('profile', 'use', 'paper');
  const listed: { key: string; value: unknown; source: string }[] = await desk.json('config');
  const sourceOf = (key: string) => listed.find((row) => row.key === key)?.source;
  assert.deepEqual(['env', 'sim.state', 'trade.leverage', 'profile'].map(sourceOf), [
    'profile paper',
    'profile paper',
    'profile paper',
    'config file',
  ]);
  const { out } = await desk.perp(['accounts']);
  assert.match(out + (await desk.perp(['accounts'])).err, /SIM friday, synthetic, profile paper/);
  const problems: [string[], number, RegExp][] = [
    [['profile', 'add', 'prop', '--env', 'live'], 6, /The profile prop already exists/],
    [['profile', 'add', 'none', '--env', 'live'], 2, /can't name a profile/],
    [['profile', 'add', 'Big', '--env', 'live'], 2, /can't name a profile/],
    [['profile', 'add', 'x', '--env', 'sim', '--base-url', 'https://x.example.com'], 2, /of sim has no base_url/],
    [['profile', 'add', 'x', '--env', 'live', '--base-url', 'http://x.example.com'], 2, /not an https address/],
    [['profile', 'use', 'nobody'], 3, /no profile "nobody"/],
    [['config', 'set', 'profiles.nobody.account', 'a'], 3, /no profile "nobody"/],
    [['config', 'rm', 'profiles.prop.env'], 2, /other settings depend on it/],
    [['config', 'set', 'profile', 'nobody'], 3, /no profile "nobody"/],
    [['config', 'set', 'profiles.prop.colour', 'red'], 2, /Unknown config key/],
  ];
  for (const [argv, exit, says] of problems) {
    const run = await desk.perp(argv);
    assert.deepEqual([run.exit, says.test(run.err)], [exit, true], `${argv.join(' ')}: ${run.err}`);
  }
  await desk.json('config', 'set', 'profiles.prop.api_key_file', 'prop.key');
  assert.equal((await desk.json('profile', 'show', 'prop')).api_key_file, join(process.cwd(), 'prop.key'));
  assert.match(
    (await desk.perp(['profile', 'use', 'none', '--dry-run'])).out,
    /^Dry run: no profile would be put in use/,
  );
  assert.equal((await desk.json('profile', 'use')).profile, 'paper', 'a dry run puts none in use');
  await desk.json('profile', 'use', 'none');
  await desk.json('profile', 'rm', 'paper');
  assert.deepEqual(
    (await desk.json('profile')).map(({ name }: { name: string }) => name),
    ['prop'],
  );
});

test('an account that the guard has locked is locked for every profile', () => {
  const destination = { environment: 'live', baseUrl: 'https://api.example.com' } as const;
  assert.deepEqual(guardFolders({}, { ...destination, profile: 'prop' }), guardFolders({}, destination));
});
