import { resolve } from 'node:path';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { type ConfigChanges, configFile, readConfig, writeConfig } from '../../../console/settings/config-file.ts';
import {
  type ConfigKeyName,
  type ConfigValues,
  configValue,
  isProfileName,
  type ProfileField,
} from '../../../console/settings/config-keys.ts';
import { checkParts, profilesIn } from '../../../console/settings/profiles.ts';
import { profileBlocks, profileRecord } from '../../../console/views/profile-view.ts';
import { exitCodes, Failure, usageFailure } from '../../../ground/failure/failure.ts';
import { quoted } from '../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: 'Add a profile: where to trade, and as whom',
  description:
    'A profile is of the environment of --env, and takes --account, --api-key-file and, in the simulation, --state of this line. A profile without an address of its own uses that of the environment. Its login is its own: perp login --profile NAME. perp config set profiles.NAME.trade.leverage 3 and the like give it its own trade settings.',
  args: [{ name: 'name', kind: 'profile', summary: 'lower-case letters, digits, - and _' }],
  options: {
    'base-url': { value: 'URL', kind: 'text', summary: 'address of its API (default: that of the environment)' },
    'login-url': { value: 'URL', kind: 'text', summary: 'address of its approval page' },
    'market-stream-url': { value: 'URL', kind: 'text', summary: 'address of its market-data stream, wss://...' },
    'account-stream-url': { value: 'URL', kind: 'text', summary: 'address of its account stream, wss://...' },
  },
  examples: [
    ['perp profile add prop --env live --base-url https://api.example.com --account acc_1', 'a login of its own'],
    ['perp profile add bot --env live --api-key-file bot.key', 'another credential at the same host'],
    ['perp profile add paper --env sim --state friday', 'a simulation'],
  ],
  ignoresProfile: true,
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
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
      exit: exitCodes.conflict,
      code: 'profile_exists',
      message: `There is a profile ${name} already.`,
      hint: `perp profile show ${name} shows it, and perp config set profiles.${name}.base_url URL changes it.`,
    });
  }
  const changes = changesFor(console, input);
  if (!settings.dryRun) writeConfig(variables, changes);
  const next = { ...config, ...changes } as ConfigValues;
  const profile = profilesIn(next).get(name)!;
  const record = profileRecord(console, profile, next);
  if (settings.environment === 'live' && record.api_key_file === null)
    console.note(`perp login --profile ${name} logs in as this profile.`);
  return recordOf(record, () => [
    line(`${settings.dryRun ? 'Dry run: would add' : 'Added'} profile ${name} (${configFile(variables)}).`),
    ...profileBlocks(record),
  ]);
}

function changesFor({ settings }: Console, input: InputOf<typeof command>): ConfigChanges {
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
