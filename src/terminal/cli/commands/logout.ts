import { variable } from '../../../base/files/folders.ts';
import { defineCommand } from '../../console/console.ts';
import { line, recordOf } from '../../console/output/result.ts';
import { liveLogin, openHost } from '../login/live-host.ts';
import type { Ended } from '../login/log-out.ts';
import { dryRunResult } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Revoke the session and remove it from this machine',
  description:
    "Revokes the session (with a profile, only the profile's) before removing it, so no valid session is forgotten. If the session cannot be revoked, it is " +
    'kept and the exit status reports the failure.',
  options: { force: { summary: "remove a session that can't be revoked; it stays valid until it expires" } },
  examples: [
    ['perp logout', 'end the session on live'],
    ['perp logout --force', 'when the host no longer exists'],
  ],
  changesMore: true,
  async run(console, input) {
    const login = liveLogin(console);
    const { host, profile } = login;
    if (console.settings.dryRun) {
      await using open = await openHost(console, host);
      return dryRunResult([open.client.intend('revokeCliSession', {})]);
    }
    const { logOut } = await import('../login/log-out.ts');
    const ended = await logOut(console, login, input.force);
    if (variable(console.variables, 'PERP_API_KEY') !== undefined)
      console.note('PERP_API_KEY is still set and will be used.');
    const ofProfile = profile === undefined ? '' : ` as profile ${profile}`;
    const sessions = ended.map(({ name, place, outcome }) => ({ name, kept: place, outcome }));
    return recordOf({ profile, host, sessions }, () =>
      ended.length === 0
        ? [line(`Not logged in to ${host}${ofProfile}.`)]
        : ended.map((one) => sentence(one, ofProfile)),
    );
  },
});

function sentence({ name, outcome }: Ended, ofProfile: string) {
  if (outcome === 'revoked')
    return line({ text: `Logged out ${name}${ofProfile}; the session is revoked.`, tone: 'good' });
  if (outcome === 'was_invalid') return line(`Logged out ${name}${ofProfile}; the session was no longer valid.`);
  return line({
    text: `Removed ${name}${ofProfile} without revoking it; the session stays valid until it expires.`,
    tone: 'warn',
  });
}
