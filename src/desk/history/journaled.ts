import { toMoney } from '../../terms/decimal.ts';
import type { Session } from '../session/session.ts';
import { plannedRiskOf } from './figures.ts';
import { identify } from './identify.ts';
import { Journal, type JournalEntry } from './journal.ts';
import type { History } from './read-history.ts';
import type { Money, Trip } from './records.ts';

/** The journal's data about trips. */
export interface Journaled {
  readonly entryOf: (trip: Trip) => JournalEntry | null;
  /** A trip's risk: as set by its owner, or else from the stop of its first order. */
  readonly riskOf: (trip: Trip) => Money | null;
}

/** Finds the trips that have journal entries; without entries, sends no requests. */
export async function journaled(session: Session, { account, trips }: History): Promise<Journaled> {
  const entries = new Journal(session, account.id).entries(({ message, facts }) => {
    session.note(`${message} ${facts.hint} It is left out.`);
  });
  const moments = new Set([...entries.values()].map(({ market_id, opened_at }) => `${market_id} ${opened_at}`));
  const wanted = trips.filter(({ marketId, openedAt }) => moments.has(`${marketId} ${openedAt}`));
  const ids = await identify(session, account.id, trips, wanted);
  // After a simulation is reset, ids start over: an entry belongs only to its own trip.
  const entryOf = (trip: Trip) => {
    const entry = entries.get(ids.get(trip) ?? '');
    return entry?.opened_at === trip.openedAt && entry.market_id === trip.marketId ? entry : null;
  };
  return {
    entryOf,
    riskOf: (trip) => {
      const risk = entryOf(trip)?.risk ?? null;
      return risk === null ? plannedRiskOf(trip) : toMoney(risk);
    },
  };
}
