import { usageFailure } from '../../../ground/failure/failure.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { configFile, writeConfig } from '../../settings/config-file.ts';
import { configValue, knownConfigKey } from '../../settings/config-keys.ts';

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
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const key = knownConfigKey(input.key);
  if (input.unset === (input.value !== undefined)) {
    throw usageFailure(
      input.unset ? '--unset takes no value.' : 'VALUE is missing.',
      `perp config set ${key} VALUE, or perp config set ${key} --unset`,
    );
  }
  const value = input.value === undefined ? null : configValue(key, input.value);
  const { dryRun } = console.settings;
  if (!dryRun) writeConfig(console.variables, key, value);
  const said = dryRun ? wouldBe(key, value) : value === null ? `${key} is no longer set` : `${key} is ${value}`;
  return recordOf({ key, value }, () => [line(`${said} (${configFile(console.variables)}).`)]);
}

function wouldBe(key: string, value: string | number | null): string {
  return `Dry run: ${key} would ${value === null ? 'no longer be set' : `be ${value}`}`;
}
