import { type ExitCode, exitCodes } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { marketName, quantity, word } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../wire/contract/positions.ts';
import { type Cover, coverOf, exitPriceOf, exitsOf } from '../account/means.ts';
import type { Snapshot } from '../preview/exit-plan.ts';
import { positionName } from '../preview/exit-preview.ts';
import { filledSizeOf } from '../risk/trade.ts';
import type { Session } from '../session/session.ts';
import { type Aftermath, readAftermath } from './aftermath.ts';
import { sendExits } from './exit-changes.ts';

/** The account after the growth, and an exit status if it failed. */
export interface Growth {
  readonly after: Aftermath | undefined;
  readonly exit?: ExitCode;
}

/** Asks whether a stop may grow. */
export type Ask = (question: string) => Promise<boolean>;

/**
 * After an order has added to a position with stops: lets the first stop grow over the uncovered size, as `trade.stops`
 * says. Where nobody can be asked, a note gives the uncovered size. Nothing is resized without a note.
 */
export async function growStop(
  session: Session,
  order: Order,
  after: Aftermath | undefined,
  ask: Ask | undefined,
): Promise<Growth> {
  const held = after?.positions?.find(({ market_id }) => market_id === order.market_id);
  if (after?.working === undefined || held === undefined || filledSizeOf(order) === 0) return { after };
  const cover = coverOf(held, after.working, after.outlook);
  const [first] = cover.stops;
  if ((held.side === 'long') !== (order.side === 'buy') || first === undefined || !(cover.uncovered > 0))
    return { after };
  const { stops } = session.settings;
  if (stops !== 'follow' && !(stops === 'ask' && (await ask?.(questionOf(held, cover, first))) === true)) {
    const by = `perp stop ${marketName(held.market_id, held.symbol)} ${quantity(exitPriceOf(first))}`;
    session.note(
      `${quantity(cover.uncovered)} of ${positionName(held)} has no stop; ${by} makes the stop-loss cover all of it.`,
    );
    return { after };
  }
  try {
    await sendGrown(session, order, after.working);
  } catch (error) {
    const { exit, message } = factsOf(error);
    session.note(
      `The order is done, but the stop-loss did not grow, and ${quantity(cover.uncovered)} of ${positionName(held)} has no stop: ${message}`,
    );
    return { after, exit: exit === exitCodes.outcomeUnknown ? exit : exitCodes.incomplete };
  }
  return { after: await readAftermath(session, order) };
}

function questionOf(held: Position, cover: Cover, first: Order): string {
  const by = `from ${quantity(cover.covered)} to ${quantity(held.size)} ${word(held.symbol)}`;
  return `The order has filled. Grow the stop-loss at ${quantity(exitPriceOf(first))} ${by}?`;
}

/** The position at the time of the request: its id and exits may differ from the computed ones. */
async function sendGrown(session: Session, { account_id, market_id }: Order, working: readonly Order[]): Promise<void> {
  const { data } = await session.call('listOpenPositions', { query: { account_id } });
  const held = data.find((position) => position.market_id === market_id);
  if (held === undefined) return;
  const snapshot = { position: held, exits: exitsOf(held, working) };
  // Stops that aren't exits of the position aren't in its batch, but they cover a part of it.
  const others = working.filter((order) => order.target_position_id !== held.id);
  await sendExits(session, snapshot, async (now) => growthOf(now, others));
}

/** Grows the exit that stops first, or places a stop beside stops that are no exits. */
function growthOf({ position, exits }: Snapshot, others: readonly Order[]): ExitOperation[] {
  const { stops, uncovered } = coverOf(position, [...exits, ...others]);
  const [first] = stops;
  if (first === undefined || !(uncovered > 0)) return [];
  const grown = stops.find(({ id }) => exits.some((exit) => exit.id === id));
  const price = exitPriceOf(grown ?? first);
  if (grown === undefined) return [{ kind: 'place', group: 'sl', execution_type: 'market', price, size: uncovered }];
  return [{ kind: 'modify', order_id: grown.id, price, size: Number((grown.size + uncovered).toPrecision(14)) }];
}
