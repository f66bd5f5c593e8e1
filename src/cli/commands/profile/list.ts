import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { readConfig } from '../../../console/settings/config-file.ts';
import { profilesIn } from '../../../console/settings/profiles.ts';
import { credentialCell, type ProfileRecord, profileRecord } from '../../../console/views/profile-view.ts';

export const command = defineCommand({
  summary: 'List the profiles; * marks the one in use',
  examples: [['perp profile', 'all of them']],
  ignoresProfile: true,
});

export async function run(console: Console): Promise<Result> {
  const config = readConfig(console.variables);
  const rows = [...profilesIn(config).values()].map((profile) => profileRecord(console, profile, config));
  const now = console.outside.now();
  return listOf<ProfileRecord>(rows, {
    fields: ['name', 'environment', 'host', 'account', 'api_key_file', 'state', 'login.name', 'in_use'],
    columns: [
      { header: 'NAME', cell: ({ name, in_use: isInUse }) => `${isInUse ? '* ' : '  '}${name}` },
      { header: 'ENV', cell: ({ environment }) => environment },
      { header: 'WHERE', cell: ({ host, state }) => host ?? state ?? '' },
      { header: 'ACCOUNT', cell: ({ account }) => account ?? '' },
      { header: 'CREDENTIAL', cell: (record) => credentialCell(record, now), keep: 1 },
    ],
    empty: 'No profiles. perp profile add NAME --env live --base-url URL adds one.',
  });
}
