import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../console/output/result.ts';
import { configFile, readConfig } from '../../../console/settings/config-file.ts';
import { type ConfigKeyName, configKeyOf, configKeys, type TableKey } from '../../../console/settings/config-keys.ts';
import type { Lookup } from '../../../console/settings/lookup.ts';
import { factsOf } from '../../../ground/failure/report.ts';

export const command = defineCommand({
  summary: 'Show every setting, and where its value comes from',
  description:
    'The value that a command would use: from an option of this line, else a variable, else the profile in use, else the config file, else the default. JSON has those that something sets.',
  examples: [
    ['perp config', 'all of them'],
    ['perp config list --profile prop', 'as a command of this profile would have them'],
  ],
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

export async function run(console: Console): Promise<Result> {
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
}

function rowOf(lookup: Lookup, key: TableKey): Row {
  try {
    const found = lookup.find(key);
    return { key, value: found?.value ?? null, source: found?.from.replace(/^the /, '') ?? 'default' };
  } catch (error) {
    // Commands that need it are refused.
    return { key, value: null, source: `not used: ${factsOf(error).message}` };
  }
}
