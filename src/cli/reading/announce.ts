import { announced, storeAnnounced } from '../../desk/reading/announced-endings.ts';
import type { Ending } from '../../desk/reading/endings.ts';
import { endingOf, endingsOf } from '../../desk/reading/endings.ts';
import { hasLock, lockOf } from '../../desk/reading/locks.ts';
import type { Context } from '../context/context.ts';
import type { Result } from '../output/result.ts';
import { endingNote, lockText } from '../views/ending-view.ts';

/**
 * Announces once which accounts have failed or passed, whichever command advanced time past that, in a note after its
 * result. Announcements are recorded in the state folder, by state. A command that was refused because of one
 * (`isRefused`) repeats it.
 */
export async function announceEndings(context: Context, isRefused: boolean): Promise<void> {
  const { settings } = context;
  const { endings: mark } = context.memory;
  if (mark === undefined || settings.quiet || settings.dryRun) return;
  const state = (await context.connection()).state ?? '';
  const earlier = announced(context.variables)[state];
  if (earlier?.mark === mark && !isRefused) return;
  const { data: accounts } = await context.call('listAccounts', {});
  const ended = [...(await endingsOf(context, accounts)).values()];
  const before = earlier?.ended ?? [];
  for (const ending of ended) {
    const isMeant = isRefused && (settings.account === undefined || settings.account === ending.account_id);
    if (isMeant || !before.includes(keyOf(ending))) sayEnding(context, ending);
  }
  storeAnnounced(context.variables, state, { mark, ended: ended.map(keyOf) });
}

/**
 * After a table about one account: that it has ended, and that the guard has locked it. Both are facts that every list
 * of the account has to be read with.
 */
export async function announceAccount(context: Context, result: Result): Promise<void> {
  const { settings, where } = context;
  const { endings } = context.memory;
  const account_id = where?.account;
  const isRead = result.kind !== 'text' && result.isOfWrite !== true;
  if (!isRead || account_id === undefined || settings.output !== 'table' || settings.quiet || settings.dryRun) return;
  const isSimulation = settings.environment === 'sim';
  const mayBeLocked = await hasLock(context, account_id);
  const mayHaveEnded = !isSimulation || endings !== undefined;
  if (!mayBeLocked && !mayHaveEnded) return;
  const { data: account } = await context.call('getAccount', { path: { account_id } });
  const ending = await endingOf(context, account);
  if (ending !== undefined) sayEnding(context, ending);
  const held = mayBeLocked ? await lockOf(context, account) : undefined;
  if (held !== undefined) context.note(`Locked by the guard ${lockText(held)}`);
}

/** Notes how an account ended, unless the result or an earlier note of this command says so. */
function sayEnding(context: Context, ending: Ending): void {
  if (context.memory.saidEndings.has(ending.account_id)) return;
  context.memory.saidEndings.add(ending.account_id);
  context.note(endingNote(ending));
}

function keyOf({ account_id, ended_at }: Ending): string {
  return `${account_id}@${ended_at ?? ''}`;
}
