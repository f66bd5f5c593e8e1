import { exitCodes, Failure, usageFailure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { quantity, usd } from '../../base/text/format.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { accountRisk } from '../resolve/account.ts';
import { positionIn } from '../resolve/holdings.ts';
import { nearestFloor } from '../risk/breach.ts';
import { answered, type Session } from '../session/session.ts';
import type { RiskSize } from '../values/sizes.ts';
import type { Bound } from './bounds.ts';
import type { Judged } from './judged.ts';
import { fittingText, type Largest, largestWithin, lossOf, type Unsized } from './largest-size.ts';
import type { Judging } from './prospect.ts';

/**
 * The largest size, in whole lots, that margin, limits and floors allow: the available balance after the reservations
 * of working orders, the limits of the policy, and the worst case at the order's stop or, without one, at its
 * liquidation. Prints the result and what limits it as a note. Limits that no answer shows are left to the service.
 */
export async function largestAllowed(session: Session, order: Unsized): Promise<Judged> {
  const { market } = order;
  checkAdds('max', order, await positionIn(session, market.market_id));
  const { found, smallest, limit } = await largestWithin(session, order);
  if (found === undefined) throw noSize('max', smallest, limit.says);
  session.note(`max is ${quantity(found.order.size)} ${market.symbol}: one more lot would exceed ${limit.says}.`);
  return found;
}

/** The loss that is allowed, USD. */
interface RiskLimit {
  readonly amount: number;
  /** If false, the loss must stay below the amount, because touching a floor breaches it (simulation 6.1). */
  readonly isInclusive: boolean;
}

/**
 * The largest size, in whole lots, with which an order loses no more than the risk at its stop: with slippage, both
 * fees, the gap allowance, the walk of the exit, own orders that fill on the way, and a position that it adds to. Other
 * limits of a size limit this one, too. Prints the result as a note.
 */
export async function riskedSize(session: Session, risk: RiskSize, order: Unsized): Promise<Judged> {
  const { market } = order;
  const [account, held] = await Promise.all([accountRisk(session), positionIn(session, market.market_id)]);
  checkAdds(risk.text, order, held);
  const limit = limitOf(risk, account);
  const isTooMuch = (loss: number) => (limit.isInclusive ? loss > limit.amount : loss >= limit.amount);
  const ofRisk: Bound = {
    says: `the risk of ${usd(limit.amount)} USD`,
    isBroken: (tried) => isTooMuch(lossOf(tried)),
  };
  const largest = await largestWithin(session, order, [ofRisk]);
  const { found } = largest;
  if (found === undefined) throw noRisk(risk, order, limit, { ...largest, ofRisk, isAdding: held !== undefined });
  const { size, stop_loss_price: stop } = found.order;
  const capped = largest.limit === ofRisk ? '' : `; one more lot would exceed ${largest.limit.says}`;
  session.note(
    `${risk.text} is ${quantity(size)} ${market.symbol}: at the stop ${quantity(stop!)} it loses ${usd(lossOf(found))} of ${usd(limit.amount)} USD, including slippage, fees and a gap of ${quantity(Number(found.gap.bps.toPrecision(2)))} bps${capped}.`,
  );
  return found;
}

function limitOf({ amount, of, text }: RiskSize, { risk, status }: Account): RiskLimit {
  if (of === 'usd') return { amount, isInclusive: true };
  const share = (whole: number) => Number(((whole * amount) / 100).toFixed(8));
  if (of === 'equity') {
    if (risk?.equity !== null && risk?.equity !== undefined) return { amount: share(risk.equity), isInclusive: true };
    throw new Failure({
      code: 'no_equity',
      message: `${text} is a share of the account's equity, which is currently unknown.`,
      hint: 'Try again in a moment, or give the risk in USD: risk:200usd.',
      retryable: true,
    });
  }
  const floor = nearestFloor(risk);
  if (floor === undefined) {
    throw usageFailure(
      `${text} is a share of the room to a floor, but the account has no floor with a known room.`,
      'Give the risk in USD or as a share of the equity: risk:200usd, risk:0.5%.',
    );
  }
  if (floor.room > 0 && status === 'active') return { amount: share(floor.room), isInclusive: amount < 100 };
  throw new Failure({
    code: 'no_room',
    message:
      status === 'active'
        ? `No room is left above the ${floor.name} floor at ${usd(floor.at)}, so no size fits.`
        : `The account is ${status}: it has no room, so no size fits.`,
    hint: 'perp accounts show prints the floors.',
  });
}

function noRisk(
  risk: RiskSize,
  { market }: Unsized,
  limit: RiskLimit,
  { lot, smallest, limit: broken, ofRisk, isAdding }: Largest & { ofRisk: Bound; isAdding: boolean },
): Failure {
  if (lot === undefined) {
    return new Failure({
      code: 'insufficient_depth',
      message: `${risk.text} at this stop needs more ${market.symbol} than the visible book can fill. Nothing was sent.`,
      hint: 'Risk less, move the stop further away, or use a --limit-price.',
    });
  }
  const isEndless = lossOf(lot) === Number.POSITIVE_INFINITY;
  if (isEndless) return noSize(risk.text, smallest, `${ofRisk.says}: part of the position stays open beyond its stop`);
  if (broken !== ofRisk || !ofRisk.isBroken(lot)) return noSize(risk.text, smallest, broken.says);
  const size = quantity(10 ** -market.size_decimals);
  const what = isAdding ? 'one more lot and the open position lose' : `one lot of ${size} ${market.symbol} loses`;
  return usageFailure(
    `${risk.text} (${usd(limit.amount)} USD) is less than what ${what} at this stop: ${usd(lossOf(lot))} USD.`,
    'Risk more, or move the stop closer to the entry.',
  );
}

/** Not even the smallest order fits. */
function noSize(what: string, smallest: string, reason: string): Failure {
  return new Failure({
    code: 'no_size',
    message: `${what} is zero: ${smallest} would exceed ${reason}. Nothing was sent.`,
    hint: 'perp accounts show prints the balance and the floors, perp accounts policy the limits.',
  });
}

/** A size that follows from a possible loss has no meaning for an order that reduces. */
function checkAdds(text: string, { market, order: { side } }: Unsized, held: Position | undefined): void {
  if (held === undefined || (held.side === 'long') === (side === 'buy')) return;
  throw usageFailure(
    `${text} sizes an order that opens or adds to a position, but ${market.symbol} is ${held.side} ${quantity(held.size)}.`,
    'Close it first with perp positions close, or give the size itself.',
  );
}

/**
 * Looks for the largest size of an order that would be accepted now, in place of one that is refused, and says it.
 * `largest`: base asset; 0 if no size would be, undefined if unknown. `hint`: what to do if every size is refused, but
 * not by a limit.
 */
export async function otherSizes(session: Session, { order, market }: Judged, judging: Judging) {
  const { stop_loss_price: stop, take_profit_price: target } = order;
  const { stopAt = stop === undefined ? undefined : async () => stop } = judging;
  const unsized = { order, market, judging: { ...judging, stopAt }, isTyped: false, hasTarget: target !== undefined };
  try {
    const { found, smallest, limit } = await answered(largestWithin(session, unsized));
    if (found === undefined) return { text: `No size fits: ${smallest} would exceed ${limit.says}.`, largest: 0 };
    const { size } = found.order;
    return { text: fittingText(size, market), largest: size };
  } catch (error) {
    const { message, hint, exit } = factsOf(error);
    if (!(error instanceof Failure) || exit !== exitCodes.rejected)
      return { text: `The largest size that fits is not known: ${message}`, largest: undefined };
    return { text: `No size fits: ${message.replace(/ Nothing was sent\.$/, '')}`, largest: 0, hint };
  }
}
