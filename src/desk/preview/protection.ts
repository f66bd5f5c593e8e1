import { Failure } from '../../base/failure/failure.ts';
import { isReduction, takesAtOnce } from '../../base/terms/order-types.ts';
import { marketName, percentText, quantity, word } from '../../base/text/format.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { coverOf, isEndedBefore } from '../account/means.ts';
import { accountRisk } from '../resolve/account.ts';
import { positionIn, workingOrders } from '../resolve/holdings.ts';
import { sizedQuote } from '../resolve/quote.ts';
import { nearestFloor } from '../risk/breach.ts';
import { inTime, type Session } from '../session/session.ts';
import type { Judged } from './judged.ts';
import { type Drafted, type FarStop, isAgainst, priceOf } from './prospect.ts';

/**
 * New exposure on a host that reports no floor of the account: one may exist anyway, so `trade.unknown_floor` decides.
 * In the simulation, a missing floor means that the plan has none.
 */
async function checkFloorKnown(session: Session, force: boolean, isReducing: () => Promise<boolean>): Promise<void> {
  const { unknownFloor } = session.settings;
  const account = await inTime(accountRisk(session).catch(() => undefined));
  session.signal.throwIfAborted();
  if (nearestFloor(account?.risk) !== undefined) return;
  if ((await inTime(isReducing().catch(() => false))) === true) return;
  const text = `The host reports no floor for this account, so the order's worst case is not checked`;
  if (unknownFloor === 'warn' || force) {
    await session.memory.recent('an unknown floor', async () => session.note(`${text}.`));
    return;
  }
  throw new Failure({
    code: 'unknown_floor',
    message: `${text}, which trade.unknown_floor refuses. Nothing was sent.`,
    hint: 'Add --force, or allow it with perp config set trade.unknown_floor warn.',
  });
}

/**
 * Checks the protection of the position that an order opens or adds to. Throws a failure for exposure without a stop
 * under `trade.require_stop`, and for the exits of a market order that only reduces: they would be left out. Those of
 * an order that waits are a note.
 */
export async function checkProtection(
  session: Session,
  { order, judging: { force, farStop = 'allow' } }: Drafted,
): Promise<void> {
  const hasLegs = order.stop_loss_price !== undefined || order.take_profit_price !== undefined;
  const { environment, floorCheck, unknownFloor } = session.settings;
  // On a host, new exposure has to know a floor, unless the user wants no checks at all.
  const isAsked = environment !== 'sim' && (floorCheck !== 'off' || unknownFloor === 'refuse');
  if (isReduction(order)) return;
  const isReducing = async () => onlyReduces(order, await positionIn(session, order.market_id));
  if (isAsked) await checkFloorKnown(session, force, isReducing);
  if (!hasLegs && !session.settings.requireStop) return;
  const { stop_loss_price: stop } = order;
  if (stop !== undefined && farStop !== 'allow') {
    const quote = await inTime(sizedQuote(session, order).catch(() => undefined));
    session.signal.throwIfAborted();
    const entry = quote === undefined ? undefined : priceOf(order, quote);
    if (entry !== undefined) checkFarStop(session, stop, entry, farStop);
  }
  const held = await positionIn(session, order.market_id);
  if (hasLegs && onlyReduces(order, held)) refuseIdleLegs(session, order, held);
  if (session.settings.requireStop) await requireStop(session, order, held);
}

const farShare = 0.2;

/** Throws a failure for a stop that is too far from a price, or notes it where the question that follows asks. */
export function checkFarStop(session: Session, stop: number, from: number, farStop: FarStop): void {
  const share = Math.abs(stop - from) / from;
  if (!(share > farShare) || farStop === 'allow') return;
  const text = `The stop-loss at ${quantity(stop)} is ${percentText(share * 100).replace('+', '')} away from ${quantity(from)}`;
  if (farStop === 'ask') {
    session.note(`${text}.`);
    return;
  }
  throw new Failure({
    code: 'far_stop',
    message: `${text}, more than 20%. Nothing was sent.`,
    hint: 'Write a distance, such as 1% or 100usd, or add --far-stop if you mean it.',
  });
}

/** Whether an order would make an open position smaller and open nothing. */
export function onlyReduces(
  order: Pick<CreateOrderRequest, 'side' | 'size'>,
  held: Position | undefined,
): held is Position {
  return held !== undefined && isAgainst(order, held) && order.size <= held.size;
}

function refuseIdleLegs(session: Session, order: CreateOrderRequest, held: Position): void {
  const { side, size, symbol } = held;
  const name = marketName(held.market_id, symbol);
  const text = `The order only reduces the ${side} ${quantity(size)} ${word(symbol)}, so its exits would be left out`;
  if (!takesAtOnce(order.type)) {
    session.note(`${text}, unless the position has changed by the time it fills.`);
    return;
  }
  throw new Failure({
    code: 'exit_conflict',
    message: `${text}. Nothing was sent.`,
    hint: `Place it without exits; perp stop ${name} and perp target ${name} change those of the position.`,
  });
}

async function requireStop(session: Session, order: CreateOrderRequest, held: Position | undefined): Promise<void> {
  if (order.stop_loss_price !== undefined || onlyReduces(order, held)) return;
  const follows = session.settings.stops === 'follow' && takesAtOnce(order.type);
  if (held !== undefined && !isAgainst(order, held) && follows) {
    const { uncovered, stops } = coverOf(held, await workingOrders(session, order.account_id));
    if (stops.length > 0 && uncovered === 0) return;
  }
  throw new Failure({
    code: 'stop_required',
    message: 'The order adds exposure without a stop, which trade.require_stop refuses. Nothing was sent.',
    hint: 'Add --stop-loss, such as --stop-loss 1%, or allow it with perp config set trade.require_stop off.',
  });
}

/**
 * Why `trade.require_stop` refuses the stop of an order: it is reached only after the account or the position has
 * ended.
 */
export function idleStop(
  { settings }: Pick<Session, 'settings'>,
  { order, end }: Pick<Judged, 'order' | 'end'>,
): string | undefined {
  const { stop_loss_price: from, side } = order;
  if (!settings.requireStop || from === undefined) return undefined;
  if (!isEndedBefore({ side: side === 'buy' ? 'long' : 'short' }, { from }, end?.price)) return undefined;
  const what = end!.by === 'floor' ? 'the account fails' : 'the position is liquidated';
  return `The stop-loss at ${quantity(from)} protects nothing, because ${what} first, at ${quantity(end!.price)}. trade.require_stop refuses that.`;
}
