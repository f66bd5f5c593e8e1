import { type Acting, actingIn, actingOf, actingText } from '../account/acting.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { noted, type Session } from '../session/session.ts';
import { twapsBefore } from './prospects.ts';
import { recentCopies } from './read-copies.ts';

/** What goes on in an account, or in one of its markets, beside a write. */
export async function actingBeside(session: Session, account_id: string): Promise<Acting[]> {
  const [twaps, working, copies] = await Promise.all([
    twapsBefore(session, account_id),
    noted(session, 'The working orders', workingOrders(session, account_id), []),
    recentCopies(session),
  ]);
  return actingOf(account_id, { twaps, working, copies });
}

/** After a write in a market, notes what goes on there by itself, and the command that ends it. */
export async function noteActing(session: Session, account_id: string, market_id: string): Promise<void> {
  if (session.settings.dryRun) return;
  for (const one of actingIn(market_id, await actingBeside(session, account_id))) session.note(actingText(one));
}
