import { resolve } from 'node:path';
import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { configFile, readConfig, writeConfig } from '../../../console/settings/config-file.ts';
import { configValue, knownConfigKey, noProfile, profilePart } from '../../../console/settings/config-keys.ts';
import { checkParts, profileNamed } from '../../../console/settings/profiles.ts';
import { notFoundFailure, usageFailure } from '../../../ground/failure/failure.ts';
import type { EnvironmentName, Variables } from '../../../ground/files/folders.ts';

export const command = defineCommand({
  summary: 'Set or remove one setting of the config file',
  args: [
    { name: 'key', kind: 'configKey', summary: 'such as trade.leverage' },
    { name: 'value', optional: true, summary: 'the new value' },
  ],
  options: { unset: { summary: 'remove the setting' } },
  examples: [
    ['perp config set trade.leverage 3', 'for new positions'],
    ['perp config set live.base_url https://api.example.com', 'address of the live API'],
    ['perp config set trade.leverage --unset', 'back to the default'],
  ],
  changesMore: true,
  ignoresProfile: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const key = knownConfigKey(input.key);
  if (input.unset === (input.value !== undefined)) {
    throw usageFailure(
      input.unset ? '--unset takes no value.' : 'VALUE is missing.',
      `perp config set ${key} VALUE, or perp config set ${key} --unset`,
    );
  }
  const part = profilePart(key);
  // A relative path would mean another file in each folder.
  const text = part?.part === 'api_key_file' && input.value !== undefined ? resolve(input.value) : input.value;
  const value = text === undefined ? null : configValue(key, text);
  if (part !== undefined) checkPart(console.variables, part, value);
  if (key === 'profile' && value !== null && value !== noProfile) environmentOf(console.variables, String(value));
  const { dryRun } = console.settings;
  if (!dryRun) writeConfig(console.variables, { [key]: value });
  const said = dryRun ? wouldBe(key, value) : value === null ? `${key} is no longer set` : `${key} is ${value}`;
  return recordOf({ key, value }, () => [line(`${said} (${configFile(console.variables)}).`)]);
}

/** A profile exists before its settings, and its environment decides what they mean. */
function checkPart(
  variables: Variables,
  { profile, part }: NonNullable<ReturnType<typeof profilePart>>,
  value: string | number | null,
): void {
  const environment = environmentOf(variables, profile);
  if (part === 'env' && value !== environment) {
    throw usageFailure(
      `The profile ${profile} is of ${environment}, which its other settings depend on.`,
      `Remove it with perp profile rm ${profile}, and add it again.`,
    );
  }
  checkParts(environment, [part]);
}

function environmentOf(variables: Variables, profile: string): EnvironmentName {
  const fail = (says: string, hint: string) => notFoundFailure(`${says}.`, hint);
  return profileNamed(readConfig(variables), profile, fail).environment;
}

function wouldBe(key: string, value: string | number | null): string {
  return `Dry run: ${key} would ${value === null ? 'no longer be set' : `be ${value}`}`;
}
