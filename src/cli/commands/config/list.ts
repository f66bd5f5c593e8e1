import { configFile, readConfig } from '../../config-file.ts';
import { type ConfigKeyName, configKeys } from '../../config-keys.ts';
import type { Context } from '../../context.ts';
import { blank, line, type Result, recordOf, tableOf } from '../../output/result.ts';
import { defineCommand } from '../../spec.ts';

export const command = defineCommand({
  summary: 'Show every setting of the config file and what it means',
  examples: [['perp config', 'all of them']],
  operations: [],
});

export async function run(context: Context): Promise<Result> {
  const config = readConfig(context.variables);
  const keys = Object.keys(configKeys) as ConfigKeyName[];
  return recordOf(config, () => [
    tableOf(keys, [
      { header: 'KEY', cell: (key) => key },
      {
        header: 'VALUE',
        cell: (key) => (config[key] === undefined ? { text: '-', tone: 'faint' } : String(config[key])),
      },
      { header: 'MEANS', cell: (key) => configKeys[key].summary, keep: 1 },
    ]),
    blank,
    line({ text: configFile(context.variables), tone: 'faint' }),
  ]);
}
