import type { Context } from '../context/context.ts';
import { variable } from '../files/folders.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import { liveHost, openHost } from '../login/live-host.ts';
import type { Ended } from '../login/log-out.ts';
import { line, type Result, recordOf } from '../output/result.ts';
import { dryRunResult } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Revoke the session and remove it from this machine',
  description:
    'Revokes first and removes then, so a session that still lives is never lost sight of. When it cannot be revoked it is ' +
    'kept, and the exit status says so.',
  options: { force: { summary: 'forget a session that cannot be revoked; it lives on until it expires' } },
  examples: [
    ['perp logout', 'end the session on live'],
    ['perp logout --force', 'when the host is gone for good'],
  ],
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const host = liveHost(context);
  if (context.settings.dryRun) {
    await using open = await openHost(context, host);
    return dryRunResult([open.client.intend('revokeCliSession', {})]);
  }
  const { logOut } = await import('../login/log-out.ts');
  const ended = await logOut(context, host, input.force);
  if (variable(context.variables, 'PERP_API_KEY') !== undefined) context.note('PERP_API_KEY is still set and is used.');
  const sessions = ended.map(({ name, place, outcome }) => ({ name, kept: place, outcome }));
  return recordOf({ host, sessions }, () =>
    ended.length === 0 ? [line(`Nobody is logged in to ${host}.`)] : ended.map(sentence),
  );
}

function sentence({ name, outcome }: Ended) {
  if (outcome === 'revoked') return line({ text: `Logged out ${name}: the session is revoked.`, tone: 'good' });
  if (outcome === 'was_invalid') return line(`Logged out ${name}: the host did not take the session any more.`);
  return line({ text: `Forgot ${name} without revoking it: it lives on until it expires.`, tone: 'warn' });
}
