import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { readConfig, writeConfig } from '../../../console/settings/config-file.ts';
import { profileNamed } from '../../../console/settings/profiles.ts';
import { loginsOf } from '../../../desk/credentials/kept-sessions.ts';
import { intentFolder, unsettledWrites } from '../../../desk/intents/intent-files.ts';
import { exitCodes, Failure, notFoundFailure } from '../../../ground/failure/failure.ts';
import { counted } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Remove a profile',
  description:
    'A profile that is in use, that is logged in, or whose writes have unknown outcomes is kept, so that commands do not go elsewhere, and no valid session is forgotten.',
  args: [{ name: 'name', kind: 'profile', summary: 'profile to remove' }],
  examples: [['perp profile rm prop', 'after perp logout --profile prop']],
  ignoresProfile: true,
  changesMore: true,
});

export async function run(console: Console, { name }: InputOf<typeof command>): Promise<Result> {
  const { settings, variables } = console;
  const config = readConfig(variables);
  const profile = profileNamed(config, name, (says, hint) => notFoundFailure(`${says}.`, hint));
  const kept = (message: string, hint: string) =>
    new Failure({ exit: exitCodes.conflict, code: 'profile_needed', message: `${message} It was not removed.`, hint });
  if (config.profile === name)
    throw kept(`The profile ${name} is in use.`, 'perp profile use none, or use another one, first.');
  const [login] = loginsOf(variables, name);
  if (login !== undefined) {
    const [place, { name: session }] = login;
    throw kept(
      `The profile ${name} is logged in at ${place} (${session}).`,
      `PERP_BASE_URL=${place} perp logout --profile ${name} ends that session; --force forgets it.`,
    );
  }
  const open = unsettledWrites(intentFolder(variables)).writes.filter(({ note }) => note.profile === name);
  if (open.length > 0)
    throw kept(
      `The outcome of ${counted(open.length, 'write')} of the profile ${name} is unknown.`,
      'perp pending resume settles them, with its credential.',
    );
  const removed = Object.fromEntries([...profile.keys.values()].map((key) => [key, null]));
  if (!settings.dryRun) writeConfig(variables, removed);
  return recordOf({ name, removed: !settings.dryRun }, () => [
    line(`${settings.dryRun ? 'Dry run: would remove' : 'Removed'} profile ${name}.`),
  ]);
}
