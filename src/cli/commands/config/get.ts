import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { readConfig } from '../../../console/settings/config-file.ts';
import { knownConfigKey } from '../../../console/settings/config-keys.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';

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
