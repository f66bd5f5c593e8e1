import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { readConfig, writeConfig } from '../../../console/settings/config-file.ts';
import { noProfile } from '../../../console/settings/config-keys.ts';
import { profileNamed } from '../../../console/settings/profiles.ts';
import { notFoundFailure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: 'Put a profile in use: commands without --profile then mean it',
  description:
    'A command means the profile of --profile, else of PERP_PROFILE, else the one in use. --env and PERP_ENV with another environment leave the one in use out. perp profile use none ends its use. Without NAME, shows the profile that commands mean now.',
  args: [{ name: 'name', kind: 'profile', optional: true, summary: 'profile to use, or none' }],
  examples: [
    ['perp profile use', 'which one commands mean, and why'],
    ['perp profile use none', 'commands go without a profile again'],
  ],
  ignoresProfile: true,
  changesMore: true,
});

export async function run(console: Console, { name }: InputOf<typeof command>): Promise<Result> {
  const { settings, variables } = console;
  const chosen = settings.lookup.find('profile');
  if (name === undefined) {
    const profile = chosen === undefined || chosen.value === noProfile ? null : String(chosen.value);
    return recordOf({ profile, from: chosen?.from ?? 'default' }, () => [
      profile === null
        ? line('No profile is in use.')
        : line({ text: profile, tone: 'strong' }, `  by ${chosen!.from}`),
    ]);
  }
  const isNone = name === noProfile;
  const profile = isNone
    ? null
    : profileNamed(readConfig(variables), name, (says, hint) => notFoundFailure(`${says}.`, hint)).name;
  if (settings.dryRun)
    return recordOf({ profile }, () => [line(`Dry run: ${isNone ? 'no profile' : name} would be put in use.`)]);
  writeConfig(variables, { profile });
  if (chosen !== undefined && chosen.from !== 'the config file' && chosen.value !== name)
    console.note(`${chosen.from} names ${chosen.value}, which comes first.`);
  return recordOf({ profile }, () => [
    isNone ? line('No profile is in use.') : line({ text: name, tone: 'strong' }, ' is in use.'),
  ]);
}
