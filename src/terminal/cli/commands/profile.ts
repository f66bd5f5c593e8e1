import { resolve } from 'node:path';
import { Failure, notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { counted } from '../../../base/text/format.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { loginsOf } from '../../../desk/credentials/kept-sessions.ts';
import { intentFolder, unsettledWrites } from '../../../desk/intents/intent-files.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import { line, listOf, type Result, recordOf, wouldUse } from '../../console/output/result.ts';
import { type ConfigChanges, configFile, readConfig, writeConfig } from '../../console/settings/config-file.ts';
import {
  type ConfigKeyName,
  type ConfigValues,
  configValue,
  isProfileName,
  noProfile,
  type ProfileField,
} from '../../console/settings/config-keys.ts';
import { checkParts, profileNamed, profilesIn } from '../../console/settings/lookup.ts';
import { credentialCell, type ProfileRecord, profileBlocks, profileRecord } from '../../console/views/profile-view.ts';

const noneInUse = 'No profile is in use.';

const list = defineCommand({
  summary: 'List the profiles; * marks the one in use',
  examples: [['perp profile', 'all of them']],
  ignoresProfile: true,
  async run(console) {
    const config = readConfig(console.variables);
    const rows = [...profilesIn(config).values()].map((profile) => profileRecord(console, profile, config));
    const now = console.outside.now();
    return listOf<ProfileRecord>(rows, {
      fields: ['name', 'environment', 'host', 'account', 'api_key_file', 'state', 'login.name', 'in_use'],
      columns: [
        { header: 'NAME', cell: ({ name, in_use: isInUse }) => `${isInUse ? '* ' : '  '}${name}` },
        { header: 'ENV', cell: ({ environment }) => environment },
        { header: 'WHERE', cell: ({ host, state }) => host ?? state ?? '' },
        { header: 'ACCOUNT', cell: ({ account }) => account ?? '' },
        { header: 'CREDENTIAL', cell: (record) => credentialCell(record, now), keep: 1 },
      ],
      empty: 'No profiles. perp profile add NAME --env live --base-url URL adds one.',
    });
  },
});

const show = defineCommand({
  summary: 'Show one profile and its settings',
  args: [{ name: 'name', kind: 'profile', optional: true, summary: 'default: the one in use' }],
  examples: [['perp profile show', 'the one in use']],
  ignoresProfile: true,
  async run(console, input) {
    const config = readConfig(console.variables);
    const name = input.name ?? console.settings.lookup.value('profile');
    if (name === undefined || name === noProfile)
      throw notFoundFailure(noneInUse, 'perp profile list shows the profiles.');
    const profile = profileNamed(config, String(name), (says, hint) => notFoundFailure(`${says}.`, hint));
    const record = profileRecord(console, profile, config);
    return recordOf(record, () => [
      line({ text: profile.name, tone: 'strong' }, record.in_use ? '  in use' : ''),
      ...profileBlocks(record, console.outside.now()),
    ]);
  },
});

const add = defineCommand({
  summary: 'Add a profile: an environment and a login',
  description:
    'Takes the environment from --env, and --account, --api-key-file and, in the simulation, --state from this line. Without --base-url it uses the address of the environment. Each profile has its own login: perp login --profile NAME. Give it its own trade settings with perp config set profiles.NAME.trade.leverage 3 and the like.',
  args: [{ name: 'name', kind: 'profile', summary: 'lower-case letters, digits, - and _' }],
  options: {
    'base-url': { value: 'URL', kind: 'text', summary: 'address of its API (default: that of the environment)' },
    'login-url': { value: 'URL', kind: 'text', summary: 'address of its approval page' },
    'market-stream-url': { value: 'URL', kind: 'text', summary: 'address of its market-data stream, wss://...' },
    'account-stream-url': { value: 'URL', kind: 'text', summary: 'address of its account stream, wss://...' },
  },
  examples: [
    ['perp profile add prop --env live --base-url https://api.example.com --account acc_1', 'with its own login'],
    ['perp profile add bot --env live --api-key-file bot.key', 'another credential at the same host'],
    ['perp profile add paper --env sim --state friday', 'a simulation'],
  ],
  ignoresProfile: true,
  changesMore: true,
  async run(console, input): Promise<Result> {
    const { variables, settings } = console;
    const { name } = input;
    if (!isProfileName(name)) {
      throw usageFailure(
        `${quoted(name)} can't name a profile.`,
        'A name has 1 to 32 lower-case letters, digits, dashes or underscores, and is not none.',
      );
    }
    const config = readConfig(variables);
    if (profilesIn(config).has(name)) {
      throw new Failure({
        code: 'profile_exists',
        message: `The profile ${name} already exists.`,
        hint: `perp profile show ${name} shows it, and perp config set profiles.${name}.base_url URL changes it.`,
      });
    }
    const changes = changesFor(console, input);
    if (!settings.dryRun) writeConfig(variables, changes);
    const next = { ...config, ...changes } as ConfigValues;
    const record = profileRecord(console, profilesIn(next).get(name)!, next);
    if (settings.environment === 'live' && record.api_key_file === null)
      console.note(`perp login --profile ${name} logs in as this profile.`);
    return recordOf(record, () => [
      line(`${settings.dryRun ? 'Dry run: would add' : 'Added'} profile ${name} (${configFile(variables)}).`),
      ...profileBlocks(record),
    ]);
  },
});

function changesFor({ settings }: Console, input: InputOf<typeof add>): ConfigChanges {
  const { environment, account, accountFrom, apiKeyFile, simulation } = settings;
  const given: { [Field in ProfileField]?: string | undefined } = {
    base_url: input.baseUrl,
    login_url: input.loginUrl,
    market_stream_url: input.marketStreamUrl,
    account_stream_url: input.accountStreamUrl,
    account: accountFrom === '--account' ? account : undefined,
    api_key_file: apiKeyFile === undefined ? undefined : resolve(apiKeyFile),
    state: simulation.plainFrom === '--state' ? simulation.plain : undefined,
  };
  const parts = Object.entries(given).filter(([, value]) => value !== undefined) as [ProfileField, string][];
  checkParts(
    environment,
    parts.map(([field]) => field),
  );
  const keyOf = (field: ProfileField): ConfigKeyName => `profiles.${input.name}.${field}`;
  const values = parts.map(([field, text]) => [
    keyOf(field),
    configValue(keyOf(field), text, `--${field.replaceAll('_', '-')}`),
  ]);
  return { [keyOf('env')]: environment, ...Object.fromEntries(values) };
}

const use = defineCommand({
  summary: 'Set the profile that commands use without --profile',
  description:
    'A command uses the profile of --profile, else of PERP_PROFILE, else the one in use. With another environment in --env or PERP_ENV, the one in use is ignored. perp profile use none ends its use. Without NAME, shows the profile in use.',
  args: [{ name: 'name', kind: 'profile', optional: true, summary: 'profile to use, or none' }],
  examples: [
    ['perp profile use', 'which one commands use, and why'],
    ['perp profile use none', 'use no profile again'],
  ],
  ignoresProfile: true,
  changesMore: true,
  async run(console, { name }) {
    const { settings, variables } = console;
    const chosen = settings.lookup.find('profile');
    if (name === undefined) {
      const profile = chosen === undefined || chosen.value === noProfile ? null : String(chosen.value);
      return recordOf({ profile, from: chosen?.from ?? 'default' }, () => [
        profile === null ? line(noneInUse) : line({ text: profile, tone: 'strong' }, `  by ${chosen!.from}`),
      ]);
    }
    const isNone = name === noProfile;
    const profile = isNone
      ? null
      : profileNamed(readConfig(variables), name, (says, hint) => notFoundFailure(`${says}.`, hint)).name;
    if (settings.dryRun) return recordOf({ profile }, () => [wouldUse(isNone ? 'no profile' : name)]);
    writeConfig(variables, { profile });
    if (chosen !== undefined && chosen.from !== 'the config file' && chosen.value !== name)
      console.note(`${chosen.from} names ${chosen.value}, which takes precedence.`);
    return recordOf({ profile }, () => [
      isNone ? line(noneInUse) : line({ text: name, tone: 'strong' }, ' is in use.'),
    ]);
  },
});

const rm = defineCommand({
  summary: 'Remove a profile',
  description:
    "Keeps a profile that is in use, is logged in, or has writes with unknown outcomes, so that commands don't go elsewhere and no valid session is forgotten.",
  args: [{ name: 'name', kind: 'profile', summary: 'profile to remove' }],
  examples: [['perp profile rm prop', 'after perp logout --profile prop']],
  ignoresProfile: true,
  changesMore: true,
  async run(console, { name }) {
    const { settings, variables } = console;
    const config = readConfig(variables);
    const profile = profileNamed(config, name, (says, hint) => notFoundFailure(`${says}.`, hint));
    const kept = (message: string, hint: string) =>
      new Failure({ code: 'profile_needed', message: `${message} It was not removed.`, hint });
    if (config.profile === name)
      throw kept(`The profile ${name} is in use.`, 'Run perp profile use none first, or use another one.');
    const [login] = loginsOf(variables, name);
    if (login !== undefined) {
      const [place, { name: session }] = login;
      throw kept(
        `The profile ${name} is logged in at ${place} (${session}).`,
        `PERP_BASE_URL=${place} perp logout --profile ${name} ends that session; --force forgets it even if its host does not answer.`,
      );
    }
    const open = unsettledWrites(intentFolder(variables)).writes.filter(({ note }) => note.profile === name);
    if (open.length > 0)
      throw kept(
        `The outcome of ${counted(open.length, 'write')} of the profile ${name} is unknown.`,
        'perp pending resume settles them with its credential.',
      );
    const removed = Object.fromEntries([...profile.keys.values()].map((key) => [key, null]));
    if (!settings.dryRun) writeConfig(variables, removed);
    return recordOf({ name, removed: !settings.dryRun }, () => [
      line(`${settings.dryRun ? 'Dry run: would remove' : 'Removed'} profile ${name}.`),
    ]);
  },
});

export const commands = { list, show, add, use, rm };
