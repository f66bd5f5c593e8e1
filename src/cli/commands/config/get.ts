import { notFoundFailure } from '../../../ground/failure/failure.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { readConfig } from '../../settings/config-file.ts';
import { knownConfigKey } from '../../settings/config-keys.ts';

export const command = defineCommand({
  summary: 'Print one setting of the config file',
  args: [{ name: 'key', kind: 'configKey', summary: 'such as trade.leverage' }],
  examples: [['perp config get env', 'the default environment']],
  ignoresProfile: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const key = knownConfigKey(input.key);
  const value = readConfig(console.variables)[key];
  if (value === undefined) throw notFoundFailure(`${key} is not set.`, `Set it with perp config set ${key} VALUE.`);
  return recordOf(value, () => [line(String(value))]);
}
