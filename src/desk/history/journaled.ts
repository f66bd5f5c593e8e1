import { netOf } from '../../base/margin/notional.ts';
import { moneyToNumber, toMoney } from '../../base/terms/decimal.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { Journal, type TripNotes } from '../account/journal.ts';
import type { Session } from '../session/session.ts';
import type { History } from './read-history.ts';
import {
  entryPriceOf,
  exitPriceOf,
  type Money,
  openedTimes,
  plannedRiskOf,
  rMultipleOf,
  type Trip,
} from './records.ts';

/** The journal's data about trips. */
export type Journaled = Awaited<ReturnType<typeof journaled>>;

/** Finds the trips that have notes in the journal; without any, sends no requests. */
export async function journaled(session: Session, { account, trips }: History) {
  const notes = new Journal(session, account.id).all(({ message, facts }) => {
    session.note(`${message} ${facts.hint} It is left out.`);
  });
  // After a simulation is reset, ids start over: notes belong only to their own trip.
  const noted = Map.groupBy(notes.values(), ({ market_id, opened_at, side }) => keyOf(market_id, opened_at, side));
  const begun = Map.groupBy(trips, ({ marketId, openedAt, side }) => keyOf(marketId, openedAt, side));
  const isOne = (key: string) => noted.get(key)?.length === 1 && begun.get(key)?.length === 1;
  const wanted = [...begun].flatMap(([key, some]) => (noted.has(key) && !isOne(key) ? some : []));
  const ids = await identify(session, account.id, trips, wanted);
  const notesOf = (trip: Trip) => {
    const key = keyOf(trip.marketId, trip.openedAt, trip.side);
    const own = isOne(key) ? noted.get(key)![0]! : notes.get(ids.get(trip) ?? '');
    return own !== undefined && noted.get(key)?.includes(own) ? own : null;
  };
  const { run } = session.memory;
  return {
    notesOf,
    /** 1R of a trip: as set by its owner, else the loss at its first stops, else from the stop of its first order. */
    riskOf: (trip: Trip): Money | null => {
      const { risk = null, first } = notesOf(trip) ?? {};
      if (risk !== null) return toMoney(risk);
      if (first === undefined || first.run !== run) return plannedRiskOf(trip);
      // 1R is unknown if perp never saw the position covered.
      const isWhole = Math.round(first.size * trip.lotsPerUnit) === trip.openedLots;
      return first.unit === null || !isWhole ? null : openedTimes(trip, first.unit);
    },
  };
}

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

/** A round trip with its owner's notes, for JSON: USD, with fees and carry positive. */
export function tripRecord(trip: Trip, id: string | undefined, notes: TripNotes | null, risk: Money | null) {
  const { marketId, side, openedAt, closedAt, lotsPerUnit } = trip;
  return {
    position_id: id ?? null,
    market_id: marketId,
    side,
    status: closedAt === null ? 'open' : 'closed',
    opened_at: openedAt,
    closed_at: closedAt,
    size: trip.largestLots / lotsPerUnit,
    entry_price: entryPriceOf(trip),
    exit_price: exitPriceOf(trip),
    net: moneyToNumber(netOf(trip)),
    realized_pnl: moneyToNumber(trip.realizedPnl),
    fees: moneyToNumber(trip.fees),
    funding: moneyToNumber(trip.funding),
    bankruptcy: moneyToNumber(trip.bankruptcy),
    fills: trip.fills.length,
    stop_price: trip.stopPrice,
    one_r: risk === null ? null : moneyToNumber(risk),
    r: closedAt === null ? null : rMultipleOf(trip, risk),
    tags: notes?.tags ?? [],
    note: notes?.note ?? null,
  };
}

/** A round trip as JSON. */
export type TripRecord = ReturnType<typeof tripRecord>;
