import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { called } from '../../resolve/unknown.ts';
import { writeConfig } from '../../settings/config-file.ts';

export const command = defineCommand({
  summary: 'Set the default account of the environment',
  args: [{ name: 'account', kind: 'account', summary: 'account id' }],
  examples: [['perp accounts use acc_2', 'use acc_2 from now on']],
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const look = () => context.call('getAccount', { path: { account_id: input.account } });
  const { data } = await called(context, 'account', input.account, look);
  const { environment, dryRun } = context.settings;
  const name = `${data.id} (${data.name})`;
  if (dryRun) return recordOf(data, () => [line(`Dry run: ${name} would be used on ${environment}.`)]);
  writeConfig(context.variables, `${environment}.account`, data.id);
  return recordOf(data, () => [line(`Using ${name} on ${environment}.`)]);
}
