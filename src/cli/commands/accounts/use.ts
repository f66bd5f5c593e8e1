import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { writeConfig } from '../../../console/settings/config-file.ts';
import { destinationText } from '../../../desk/intents/note.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { called } from '../../../desk/resolve/unknown.ts';

export const command = defineCommand({
  summary: 'Set the default account of the environment or simulation',
  description: 'Each simulation remembers its own, as do live, the sandbox and each profile.',
  args: [{ name: 'account', kind: 'account', summary: 'account id, number or name' }],
  examples: [
    ['perp accounts use acc_2', 'use acc_2 from now on'],
    ['perp accounts use "Challenge 2" --state friday', 'by name, in the simulation friday only'],
  ],
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const account_id = await accountId(console, input.account);
  const look = () => console.call('getAccount', { path: { account_id } });
  const { data } = await called(console, 'account', account_id, look);
  const { settings, variables } = console;
  const { environment, profile, dryRun } = settings;
  const { state, destination } = await console.access();
  const where = destinationText(destination);
  const name = `${data.id} (${data.name})`;
  if (dryRun) return recordOf(data, () => [line(`Dry run: ${name} would be used on ${where}.`)]);
  const ofPlace = environment === 'sim' && state !== undefined ? (`sim.account.${state}` as const) : undefined;
  const key =
    profile === undefined ? (ofPlace ?? (`${environment}.account` as const)) : (`profiles.${profile}.account` as const);
  writeConfig(variables, { [key]: data.id });
  return recordOf(data, () => [line(`Using ${name} on ${where}.`)]);
}
