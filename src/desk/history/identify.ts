import type { Position } from '../../contract/positions.ts';
import type { Session } from '../session/session.ts';
import type { Trip } from './records.ts';

/**
 * The position ids of trips, where the service has them. `trips` are all trips of the account. Reads closed positions
 * newest first, down to the oldest wanted trip.
 */
export async function identify(
  session: Session,
  accountId: string,
  trips: readonly Trip[],
  wanted: readonly Trip[],
): Promise<ReadonlyMap<Trip, string>> {
  if (wanted.length === 0) return new Map();
  const open = await session.call('listOpenPositions', { query: { account_id: accountId } });
  const positions: Position[] = [...open.data];
  const oldest = Math.min(...wanted.map(({ closedAt }) => closedAt ?? Number.POSITIVE_INFINITY));
  const query = { account_id: accountId, status: 'closed', limit: 100 } as const;
  if (oldest < Number.POSITIVE_INFINITY) {
    for await (const position of session.pages('listOpenPositions', { query })) {
      if (position.closed_at !== undefined && position.closed_at < oldest) break;
      positions.push(position);
    }
  }
  const ids = new Map<Trip, string>();
  const groups = Map.groupBy(trips, ({ marketId, openedAt, side }) => keyOf(marketId, openedAt, side));
  // Several trips at the same time are in the same order as their positions; both are matched from the newest on.
  for (const { id, market_id, opened_at, side } of positions) {
    const trip = groups.get(keyOf(market_id, opened_at, side))?.pop();
    if (trip !== undefined) ids.set(trip, id);
  }
  return ids;
}

function keyOf(marketId: string, openedAt: number, side: string): string {
  return `${marketId} ${openedAt} ${side}`;
}
