import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { blankNotes, type FirstRisk, firstRiskOf, isGrown, Journal, type TripNotes } from '../account/journal.ts';
import { type Cover, coverOf, exitPriceOf } from '../account/means.ts';
import { closeQuote, takerFeeBps } from '../resolve/quote.ts';
import type { Outlook } from '../risk/outlook.ts';
import type { Marks } from '../risk/path-account.ts';
import type { Session } from '../session/session.ts';

/** The fills of an account to search for the one that opened a position. */
const maxFills = 500;

/** An account's positions and their cover. */
interface Covered {
  readonly positions: readonly Position[];
  readonly working: readonly Order[] | undefined;
  readonly marks: Marks;
}

/** An outlook with 1R of each position. The first stops that cover a position are noted in the journal. */
export async function withOneR(session: Session, outlook: Outlook, covered: Covered): Promise<Outlook> {
  const { positions, working, marks } = covered;
  if (positions.length === 0) return outlook;
  const known = await Promise.all(
    positions.map(async (position) => {
      const cover = working && coverOf(position, working, outlook);
      const feeBps = marks.get(position.market_id)?.feeBps;
      return [position.id, await oneROf(session, position, cover, feeBps)] as const;
    }),
  );
  return { ...outlook, oneR: new Map(known.flatMap(([id, one]) => (one ? [[id, one * sizeOf(id, positions)]] : []))) };
}

function sizeOf(id: string, positions: readonly Position[]): number {
  return positions.find((position) => position.id === id)!.size;
}

/**
 * 1R of a position, USD per unit: as its owner set it, otherwise the loss at its stops when they first covered all of
 * it. Null: that is not known. Undefined: no stop has covered it yet.
 */
export async function oneROf(
  session: Session,
  position: Position,
  cover: Cover | undefined,
  feeBps: number | undefined,
): Promise<number | null | undefined> {
  const journal = new Journal(session, position.account_id);
  const notes = sameTrip(notesIn(journal, position.id), position);
  const { run } = session.memory;
  const before = notes?.first?.run === run ? notes?.first : undefined;
  if (before === undefined && cover?.uncovered !== 0) return notes?.risk ? notes.risk / position.size : undefined;
  const wasMoved = before === undefined && cover?.uncovered === 0 && (await wereMoved(session, position, cover));
  const seen = async (fee: number | undefined) =>
    cover && firstRiskOf(before, position, cover, { feeBps: fee, wasMoved, run });
  let first = await seen(feeBps);
  if (first !== undefined && !isSame(first, before)) {
    if (feeBps === undefined) first = await seen(await feeOf(session, position));
    if (!session.settings.dryRun) note(journal, position, first!);
  }
  const last = first ?? before;
  if (notes?.risk) return notes.risk / (last?.size ?? position.size);
  return last !== undefined && isGrown(last, position) ? undefined : last?.unit;
}

/** The commission of a stop's fill, bps; undefined if it can't be read. */
function feeOf(session: Session, position: Position): Promise<number | undefined> {
  return closeQuote(session, position).then(takerFeeBps, () => undefined);
}

/** Notes of an earlier position with the same id, from before a reset, belong to another one. */
export function sameTrip(notes: TripNotes | null, { opened_at, market_id, side }: Position): TripNotes | undefined {
  const isIts = notes?.opened_at === opened_at && notes.market_id === market_id && notes.side === side;
  return isIts ? notes : undefined;
}

function notesIn(journal: Journal, id: string): TripNotes | null {
  try {
    return journal.notesOn(id);
  } catch {
    // The journal's own commands report a faulty entry.
    return null;
  }
}

function note(journal: Journal, position: Position, first: FirstRisk): void {
  try {
    journal.change(position.id, (written) => ({ ...(sameTrip(written, position) ?? blankNotes(position)), first }));
  } catch {
    // Values that can't be stored are noted the next time.
  }
}

function isSame(one: FirstRisk, other: FirstRisk | undefined): boolean {
  return (['unit', 'size', 'held', 'entry', 'run'] as const).every((field) => one[field] === other?.[field]);
}

/**
 * Whether stops are not those with which a position was opened. Only its opening order shows that; without one, and
 * without its own stop, the first stops seen are treated as the first ones.
 */
async function wereMoved(session: Session, position: Position, { stops }: Cover): Promise<boolean> {
  const areOf = ({ attached_stop_loss_price: first }: Order) => stops.every((stop) => exitPriceOf(stop) === first);
  const placed = await session.memory.known<Order>(stopOf(position));
  if (placed !== undefined && areOf(placed)) return false;
  const opening = await openingOf(session, position).catch(() => undefined);
  return opening === undefined || (opening.attached_stop_loss_price !== undefined && !areOf(opening));
}

function stopOf({ account_id, market_id, side }: Position): string {
  return `stop placed for ${side} ${market_id} in ${account_id}`;
}

/** An order of this command has filled: its placed stop is already known. */
export function sawStop(session: Session, order: Order, positions: readonly Position[] = []): void {
  const opens = order.side === 'buy' ? 'long' : 'short';
  const held = positions.find(({ market_id, side }) => market_id === order.market_id && side === opens);
  if (held !== undefined && order.attached_stop_loss_price !== undefined)
    session.memory.once(stopOf(held), async () => order).catch(() => {});
}

/** The fill that opened a position; undefined if it is not among the latest ones. */
async function openingOf(session: Session, position: Position): Promise<Order | undefined> {
  const { account_id, market_id, opened_at, side } = position;
  let seen = 0;
  let found: Order | undefined;
  for await (const fill of session.pages('listFills', { query: { account_id, limit: 100 } })) {
    if ((fill.settled_at ?? fill.requested_at) < opened_at) return found;
    if (++seen > maxFills) return undefined;
    if (fill.market_id === market_id && (fill.side === 'buy') === (side === 'long')) found = fill;
  }
  return found;
}
