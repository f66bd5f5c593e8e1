import type { Order } from '../../contract/orders.ts';
import type { ExitOperation, Position } from '../../contract/positions.ts';
import type { Snapshot } from '../../desk/preview/exit-plan.ts';
import { type Cover, coverOf, exitPriceOf, exitsOf } from '../../desk/risk/cover.ts';
import { filledSizeOf } from '../../desk/risk/trade.ts';
import { type Aftermath, readAftermath } from '../../desk/writes/aftermath.ts';
import { type ExitCode, exitCodes } from '../../ground/failure/exit-codes.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { quantity, word } from '../../ground/text/format.ts';
import { marketName } from '../../ground/text/market-name.ts';
import type { Console } from '../console/console.ts';
import { sendExits } from './exit-changes.ts';
import { placedQuestion } from './write.ts';

/** The account after the growth, and an exit status if it failed. */
export interface Growth {
  readonly after: Aftermath | undefined;
  readonly exit?: ExitCode;
}

/**
 * After an order has added to a position that has stops: lets the first stop grow over what none of them covers, as
 * `trade.stops` says. On a terminal, `ask` asks; in a script, a note says what is uncovered. Nothing is resized without
 * a note.
 */
export async function growStop(console: Console, order: Order, after: Aftermath | undefined): Promise<Growth> {
  const held = after?.positions?.find(({ market_id }) => market_id === order.market_id);
  if (after?.working === undefined || held === undefined || filledSizeOf(order) === 0) return { after };
  const cover = coverOf(held, after.working);
  const [first] = cover.stops;
  if ((held.side === 'long') !== (order.side === 'buy') || first === undefined || !(cover.uncovered > 0))
    return { after };
  const asks = console.settings.stops === 'ask' && console.isInteractive;
  if (console.settings.stops !== 'follow' && !(asks && (await isWanted(console, held, cover, first)))) {
    const by = `perp stop ${marketName(held.market_id, held.symbol)} ${quantity(exitPriceOf(first))}`;
    console.note(
      `${quantity(cover.uncovered)} of ${nameOf(held)} has no stop; ${by} makes the stop-loss cover all of it.`,
    );
    return { after };
  }
  try {
    await sendGrown(console, order, after.working);
  } catch (error) {
    const { exit, message } = factsOf(error);
    console.note(
      `The order is done, but the stop-loss did not grow, and ${quantity(cover.uncovered)} of ${nameOf(held)} has no stop: ${message}`,
    );
    return { after, exit: exit === exitCodes.outcomeUnknown ? exit : exitCodes.incomplete };
  }
  return { after: await readAftermath(console, order) };
}

async function isWanted(console: Console, held: Position, cover: Cover, first: Order): Promise<boolean> {
  const by = `from ${quantity(cover.covered)} to ${quantity(held.size)} ${word(held.symbol)}`;
  try {
    const question = `The order has filled. Grow the stop-loss at ${quantity(exitPriceOf(first))} ${by}?`;
    await console.confirm(await placedQuestion(console, question, undefined));
    return true;
  } catch (error) {
    if (console.signal.aborted) throw error;
    return false;
  }
}

/** The position as it is when the request is built: its id and exits may not be those that were computed. */
async function sendGrown(console: Console, { account_id, market_id }: Order, working: readonly Order[]): Promise<void> {
  const { data } = await console.call('listOpenPositions', { query: { account_id } });
  const held = data.find((position) => position.market_id === market_id);
  if (held === undefined) return;
  const snapshot = { position: held, exits: exitsOf(held, working) };
  // Stops that are no exits of the position are not in its batch, but they cover a part of it.
  const others = working.filter((order) => order.target_position_id !== held.id);
  await sendExits(console, snapshot, async (now) => growthOf(now, others));
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

function nameOf({ side, size, symbol }: Position): string {
  return `${word(side)} ${quantity(size)} ${word(symbol)}`;
}
