import { exitCodes, Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { arrivalOf, isReduction, takesAtOnce } from '../../base/terms/order-types.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { type Ending, endingOf } from '../reading/endings.ts';
import { openPositions } from '../resolve/holdings.ts';
import type { Floor } from '../risk/breach.ts';
import type { Session, StopGrowth } from '../session/session.ts';
import type { Closed, PlannedExit } from './exit-plan.ts';
import { enforce, type Judging } from './floor-check.ts';
import { type WorstCase, worstCaseOf } from './order-worst-case.ts';
import { type Estimate, estimateOrder, feeBpsOf, floorOf, isAgainst, look, type Prospect } from './prospect.ts';
import { checkProtection, coverAfter, requireReached, stopAfter } from './protection.ts';

/** What an order would do, as figures. */
export interface OrderPreview {
  readonly prospect: Prospect;
  readonly estimate: Estimate;
  /** The worst case, if it reaches a floor. */
  readonly breaching: WorstCase | undefined;
  /** How the account has ended; undefined while it is active. */
  readonly ending: Ending | undefined;
  /** The fill takes from the book as it is now. */
  readonly isTaker: boolean;
  readonly margin: Margin | undefined;
  /** The stop of the resulting position in words; undefined without one. */
  readonly stop: ReturnType<typeof stopAfter>;
  readonly floor: Floor | undefined;
  /** What of the position has no stop, if all of the room above the floor may be lost. */
  readonly unstopped: { readonly size: number; readonly isAll: boolean } | undefined;
  /** The legs, and the position that they close; undefined without any. */
  readonly legs: { readonly closed: Closed; readonly exits: readonly PlannedExit[] } | undefined;
}

/** What an order takes of the available balance, USD. */
interface Margin {
  readonly needed: number;
  readonly available: number;
  /** With the fee. */
  readonly isEnough: boolean;
}

/**
 * Previews an order. Throws a failure if its worst case reaches a floor, unless that is allowed. Missing data is only a
 * reason why there is no preview: the user decides. `stops`: what happens to the stop of a position that it adds to.
 */
export async function previewOrder(
  session: Session,
  order: CreateOrderRequest,
  market: Market,
  judging: Judging,
  stops: StopGrowth,
): Promise<OrderPreview | { unknown: string }> {
  if (judging.addsNothing !== true) await checkProtection(session, order, judging);
  try {
    const positions = await openPositions(session);
    const held = positions.find(({ market_id }) => market_id === market.market_id);
    const prospect = await look(session, clipped(order, held), market, positions, judging.amends);
    const estimate = estimateOrder(prospect);
    requireReached(session, prospect, estimate);
    const found = session.settings.floorCheck === 'off' ? undefined : worstCaseOf(prospect, estimate);
    const breaching = found === undefined ? undefined : await enforce(session, found, order, judging);
    return { ...outlook(prospect, estimate, stops), breaching, ending: await endingOf(session, prospect.account) };
  } catch (error) {
    const { exit, message } = factsOf(error);
    if (error instanceof Failure || exit === exitCodes.bug || session.signal.aborted) throw error;
    return { unknown: `The effect of the order can't be shown, and the floors are not checked: ${message}` };
  }
}

/** A reducing order, capped at the size of the position. */
function clipped(order: CreateOrderRequest, held: Position | undefined): CreateOrderRequest {
  if (!isReduction(order) || held === undefined || !isAgainst(order, held)) return order;
  return { ...order, size: Math.min(order.size, held.size) };
}

function outlook(prospect: Prospect, estimate: Estimate, stops: StopGrowth) {
  const { order, quote, account } = prospect;
  const isAtBook = arrivalOf(order.type) === 'rests' && estimate.price === quote.estimated_fill_price;
  return {
    prospect,
    estimate,
    isTaker: takesAtOnce(order.type) || isAtBook,
    margin: marginOf(prospect, estimate),
    stop: stopAfter(prospect, estimate, stops),
    floor: floorOf(account),
    unstopped: unstoppedIn(prospect, estimate),
    legs: legsOf(prospect, estimate),
  };
}

/** Undefined if the order also closes something, or takes no margin. */
function marginOf({ account, order, positions }: Prospect, { notional, fee = 0 }: Estimate): Margin | undefined {
  const available = account.risk?.available_balance;
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const isAdding = !isReduction(order) && (held === undefined || !isAgainst(order, held));
  if (available === undefined || notional === undefined || !isAdding) return undefined;
  const needed = notional / order.leverage;
  return { needed, available, isEnough: needed + fee <= available };
}

/** Without a liquidation in reach, a position with a part that has no stop can lose all of the room. */
function unstoppedIn(prospect: Prospect, estimate: Estimate): OrderPreview['unstopped'] {
  const { end, worst } = estimate;
  const cover = coverAfter(prospect, estimate);
  const isKnown = worst !== undefined || end?.by !== 'floor' || floorOf(prospect.account) === undefined;
  if (isKnown || cover === undefined || isReduction(prospect.order) || cover.covered === cover.size) return undefined;
  return { size: Number((cover.size - cover.covered).toPrecision(14)), isAll: cover.covered === 0 };
}

/** The legs of an order cover the whole resulting position (simulation 4.3). An order that only reduces leaves them out. */
function legsOf(prospect: Prospect, { after, fee = 0 }: Estimate): OrderPreview['legs'] {
  const { side, take_profit_price: target, stop_loss_price: stop } = prospect.order;
  if (after === undefined || after === null || (target === undefined && stop === undefined)) return undefined;
  if (after.size > 0 !== (side === 'buy')) return undefined;
  const size = Math.abs(after.size);
  const exits: PlannedExit[] = [];
  if (target !== undefined) exits.push({ group: 'tp', price: target, size });
  if (stop !== undefined) exits.push({ group: 'sl', price: stop, size });
  const closed = {
    side: after.size > 0 ? 'long' : 'short',
    entry: after.entry,
    feeBps: feeBpsOf(prospect) ?? 0,
    entryFee: fee / size,
  } as const;
  return { closed, exits };
}
