import { word } from '../../../base/text/format.ts';
import { announced, type Ending, endingOf, endingsOf, storeAnnounced } from '../../../desk/reading/endings.ts';
import { hasLock, lockOf } from '../../../desk/reading/locks.ts';
import type { Console } from '../../console/console.ts';
import { endingText, lockText } from '../../console/views/ending-view.ts';

/**
 * Announces once which accounts have failed or passed, no matter which command advanced time past that, in a note after
 * its result. Announcements are recorded in the state folder, by state. A command that was refused because of one
 * (`isRefused`) repeats it.
 */
export async function announceEndings(console: Console, isRefused: boolean): Promise<void> {
  const { settings } = console;
  const { endings: mark } = console.memory;
  if (settings.quiet || settings.dryRun) return;
  if (mark === undefined) {
    // A host reports no endings beside its answers.
    if (isRefused && settings.environment !== 'sim')
      for (const account of console.memory.accounts) await announceAccount(console, account);
    return;
  }
  const state = (await console.access()).state ?? '';
  const earlier = announced(console.variables)[state];
  if (earlier?.mark === mark && !isRefused) return;
  const { data: accounts } = await console.call('listAccounts', {});
  const ended = [...(await endingsOf(console, accounts)).values()];
  const before = earlier?.ended ?? [];
  for (const ending of ended) {
    const isMeant = isRefused && (settings.account === undefined || settings.account === ending.account_id);
    if (isMeant || !before.includes(keyOf(ending))) sayEnding(console, ending);
  }
  storeAnnounced(console.variables, state, { mark, ended: ended.map(keyOf) });
}

/**
 * After a table about one account: that it has ended, and that the guard has locked it. Both are facts needed to read
 * any list of the account.
 */
export async function announceAccount(console: Console, account_id: string): Promise<void> {
  const mayBeLocked = await hasLock(console, account_id);
  const mayHaveEnded = console.settings.environment !== 'sim' || console.memory.endings !== undefined;
  if (!mayBeLocked && !mayHaveEnded) return;
  const { data: account } = await console.call('getAccount', { path: { account_id } });
  const ending = await endingOf(console, account);
  if (ending !== undefined) sayEnding(console, ending);
  const held = mayBeLocked ? await lockOf(console, account) : undefined;
  if (held !== undefined) console.note(`Locked by the guard ${lockText(held)}`);
}

/** Notes how an account ended, unless the result or an earlier note of this command says so. */
function sayEnding(console: Console, ending: Ending): void {
  if (console.memory.saidEndings.has(ending.account_id)) return;
  console.memory.saidEndings.add(ending.account_id);
  console.note(`${endingText(ending)} (${word(ending.name)}, ${ending.account_id})\nNext: ${ending.next}.`);
}

function keyOf({ account_id, ended_at }: Ending): string {
  return `${account_id}@${ended_at ?? ''}`;
}
