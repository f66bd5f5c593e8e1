import { resolve } from 'node:path';
import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import type { EnvironmentName, Variables } from '../../../base/files/folders.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Column, line, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { configFile, readConfig, writeConfig } from '../../console/settings/config-file.ts';
import {
  type ConfigKeyName,
  configKeyOf,
  configKeys,
  configValue,
  knownConfigKey,
  noProfile,
  profilePart,
  type TableKey,
} from '../../console/settings/config-keys.ts';
import { checkParts, type Lookup, profileNamed } from '../../console/settings/lookup.ts';

const list = defineCommand({
  summary: 'Show every setting and the source of its value',
  description:
    'Shows the value that a command would use: from an option on this line, a variable, the profile in use, the config file, or the default, in that order. JSON has only values that are set.',
  examples: [
    ['perp config', 'all of them'],
    ['perp config list --profile prop', 'the values that this profile gives a command'],
  ],
  async run(console) {
    const { settings, variables } = console;
    const config = readConfig(variables);
    const others = Object.keys(config).filter((key) => !Object.hasOwn(configKeys, key));
    const rows: Row[] = [
      ...(Object.keys(configKeys) as TableKey[]).map((key) => rowOf(settings.lookup, key)),
      ...others.map((key) => ({ key, value: config[key as ConfigKeyName]!, source: 'config file' })),
    ];
    const isTable = settings.output === 'table';
    return {
      ...listOf(isTable ? rows : rows.filter(({ source }) => source !== 'default'), {
        fields: ['key', 'value', 'source'],
        columns,
        empty: '',
      }),
      after: [{ kind: 'line', cells: [{ text: configFile(variables), tone: 'faint' }] }],
    };
  },
});

interface Row {
  readonly key: string;
  readonly value: string | number | null;
  /** `--env`, `PERP_ENV`, `profile prop`, `config file` or `default`. */
  readonly source: string;
}

const columns: readonly Column<Row>[] = [
  { header: 'KEY', cell: ({ key }) => key },
  { header: 'VALUE', cell: ({ value }) => (value === null ? { text: '-', tone: 'faint' } : String(value)) },
  { header: 'SOURCE', cell: ({ source }) => (source === 'default' ? { text: source, tone: 'faint' } : source) },
  { header: 'MEANING', cell: ({ key }) => configKeyOf(key as ConfigKeyName).summary, keep: 1 },
];

function rowOf(lookup: Lookup, key: TableKey): Row {
  try {
    const found = lookup.find(key);
    return { key, value: found?.value ?? null, source: found?.from.replace(/^the /, '') ?? 'default' };
  } catch (error) {
    // Commands that need it are refused.
    return { key, value: null, source: `not used: ${factsOf(error).message}` };
  }
}

const get = defineCommand({
  summary: 'Print one setting of the config file',
  args: [{ name: 'key', kind: 'configKey', summary: 'such as trade.leverage' }],
  examples: [['perp config get env', 'the default environment']],
  ignoresProfile: true,
  async run(console, input) {
    const key = knownConfigKey(input.key);
    const value = readConfig(console.variables)[key];
    if (value === undefined) throw notFoundFailure(`${key} is not set.`, `Set it with perp config set ${key} VALUE.`);
    return recordOf(value, () => [line(String(value))]);
  },
});

const set = defineCommand({
  summary: 'Set one setting of the config file',
  args: [
    { name: 'key', kind: 'configKey', summary: 'such as trade.leverage' },
    { name: 'value', summary: 'the new value' },
  ],
  examples: [
    ['perp config set trade.leverage 3', 'for new positions'],
    ['perp config set live.base_url https://api.example.com', 'address of the live API'],
  ],
  changesMore: true,
  ignoresProfile: true,
  async run(console, input) {
    const key = knownConfigKey(input.key);
    // A relative path would mean another file in each folder.
    const text = profilePart(key)?.part === 'api_key_file' ? resolve(input.value) : input.value;
    const value = configValue(key, text);
    if (key === 'profile' && value !== noProfile) environmentOf(console.variables, String(value));
    return change(console, key, value);
  },
});

const rm = defineCommand({
  summary: 'Remove one setting from the config file',
  args: [{ name: 'key', kind: 'configKey', summary: 'such as trade.leverage' }],
  examples: [['perp config rm trade.leverage', 'back to the default']],
  changesMore: true,
  ignoresProfile: true,
  async run(console, input) {
    return change(console, knownConfigKey(input.key), null);
  },
});

function change(console: Console, key: ConfigKeyName, value: string | number | null): Result {
  const part = profilePart(key);
  if (part !== undefined) checkPart(console.variables, part, value);
  const { dryRun } = console.settings;
  if (!dryRun) writeConfig(console.variables, { [key]: value });
  const said = dryRun ? wouldBe(key, value) : value === null ? `${key} is no longer set` : `${key} is ${value}`;
  return recordOf({ key, value }, () => [line(`${said} (${configFile(console.variables)}).`)]);
}

/** A profile exists before its settings, and its environment decides their meaning. */
function checkPart(
  variables: Variables,
  { profile, part }: NonNullable<ReturnType<typeof profilePart>>,
  value: string | number | null,
): void {
  const environment = environmentOf(variables, profile);
  if (part === 'env' && value !== environment) {
    throw usageFailure(
      `The environment of profile ${profile} can't change, because its other settings depend on it.`,
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

export const commands = { list, get, set, rm };
