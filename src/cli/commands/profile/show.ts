import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { readConfig } from '../../../console/settings/config-file.ts';
import { noProfile } from '../../../console/settings/config-keys.ts';
import { profileNamed } from '../../../console/settings/profiles.ts';
import { profileBlocks, profileRecord } from '../../../console/views/profile-view.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: 'Show one profile, and what a command with it would use',
  args: [{ name: 'name', kind: 'profile', optional: true, summary: 'default: the one in use' }],
  examples: [['perp profile show', 'the one in use']],
  ignoresProfile: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const config = readConfig(console.variables);
  const name = input.name ?? console.settings.lookup.value('profile');
  if (name === undefined || name === noProfile)
    throw notFoundFailure('No profile is in use.', 'perp profile list shows the profiles.');
  const profile = profileNamed(config, String(name), (says, hint) => notFoundFailure(`${says}.`, hint));
  const record = profileRecord(console, profile, config);
  return recordOf(record, () => [
    line({ text: profile.name, tone: 'strong' }, record.in_use ? '  in use' : ''),
    ...profileBlocks(record, console.outside.now()),
  ]);
}
