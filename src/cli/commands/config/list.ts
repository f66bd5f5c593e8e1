import type { Console } from '../../console/console.ts';
import { defineCommand } from '../../grammar/spec.ts';
import { blank, line, type Result, recordOf, tableOf } from '../../output/result.ts';
import { configFile, readConfig } from '../../settings/config-file.ts';
import { type ConfigKeyName, configKeyOf, configKeys } from '../../settings/config-keys.ts';

export const command = defineCommand({
  summary: 'Show every setting of the config file',
  examples: [['perp config', 'all of them']],
});

export async function run(console: Console): Promise<Result> {
  const config = readConfig(console.variables);
  const keys = [...new Set([...Object.keys(configKeys), ...Object.keys(config)])] as ConfigKeyName[];
  return recordOf(config, () => [
    tableOf(keys, [
      { header: 'KEY', cell: (key) => key },
      {
        header: 'VALUE',
        cell: (key) => (config[key] === undefined ? { text: '-', tone: 'faint' } : String(config[key])),
      },
      { header: 'MEANING', cell: (key) => configKeyOf(key).summary, keep: 1 },
    ]),
    blank,
    line({ text: configFile(console.variables), tone: 'faint' }),
  ]);
}
