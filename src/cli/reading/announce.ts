import type { Context } from '../context/context.ts';
import { accountName, type Ending, endingText } from '../views/ending-view.ts';
import { announced, storeAnnounced } from './announced-endings.ts';
import { endingsOf } from './endings.ts';

/**
 * Announces once which accounts have failed or passed, whichever command advanced time past that, in a note after its
 * result. Announcements are recorded in the state folder, by state. A command that was refused because of one
 * (`isRefused`) repeats it.
 */
export async function announceEndings(context: Context, isRefused: boolean): Promise<void> {
  const { endings: mark, settings } = context;
  if (mark === undefined || settings.quiet || settings.dryRun) return;
  const state = (await context.connection()).state ?? '';
  const earlier = announced(context.variables)[state];
  if (earlier?.mark === mark && !isRefused) return;
  const ended = [...(await endingsOf(context)).values()];
  const before = earlier?.ended ?? [];
  for (const ending of ended) {
    const isMeant = isRefused && (settings.account === undefined || settings.account === ending.account_id);
    if (isMeant || !before.includes(keyOf(ending))) context.note(`${endingText(ending)} (${accountName(ending)})`);
  }
  storeAnnounced(context.variables, state, { mark, ended: ended.map(keyOf) });
}

function keyOf({ account_id, ended_at }: Ending): string {
  return `${account_id}@${ended_at ?? ''}`;
}
