import { Failure } from '../../base/failure/failure.ts';
import { hintFor } from '../../base/failure/hints.ts';
import { exitGroupOf, takesAtOnce } from '../../base/terms/order-types.ts';
import { counted, quantity } from '../../base/text/format.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { exitPriceOf } from '../account/means.ts';
import { positionIn, workingOrders } from '../resolve/holdings.ts';
import type { Session } from '../session/session.ts';
import { exitNames } from './exit-plan.ts';
import { isAgainst, type Prospect } from './prospect.ts';

/**
 * Compares the legs of an entry with existing exits and entries. Throws a failure if the position already has exits of
 * their kind, which the order would have to replace. Warns if other entries with different legs are working on the same
 * side: the first to fill sets the exits of the position (simulation 4.3).
 */
export async function otherLegs(session: Session, order: CreateOrderRequest): Promise<string[]> {
  const { account_id, market_id, side, take_profit_price: takeProfit, stop_loss_price: stopLoss } = order;
  const hasLegs = takeProfit !== undefined || stopLoss !== undefined;
  if (!hasLegs || order.replace_overlapping_exits === true) return [];
  const working = await workingOrders(session, account_id);
  const held = await positionIn(session, market_id);
  if (held !== undefined && (held.side === 'long') === (side === 'buy'))
    checkExits({ tp: takeProfit !== undefined, sl: stopLoss !== undefined }, held, working);
  if (takesAtOnce(order.type)) return [];
  const differs = (wanted: number | undefined, theirs: number | null | undefined) =>
    wanted !== undefined && typeof theirs === 'number' && theirs !== wanted;
  const other = working.find(
    (one) =>
      one.market_id === market_id &&
      one.side === side &&
      (differs(takeProfit, one.attached_take_profit_price) || differs(stopLoss, one.attached_stop_loss_price)),
  );
  return other === undefined ? [] : [sentence(other)];
}

/** Legs cover the whole position, so exits of their kind must be removed first. */
function checkExits(
  kinds: Readonly<Record<'tp' | 'sl', boolean>>,
  position: Position,
  working: readonly Order[],
): void {
  const existing = working.filter((one) => one.target_position_id === position.id && kinds[exitGroupOf(one.type)]);
  if (existing.length === 0) return;
  const named = existing.map(
    (one) => `${one.id} (${exitNames[exitGroupOf(one.type)]} at ${quantity(exitPriceOf(one))})`,
  );
  throw new Failure({
    code: 'exit_conflict',
    ruleId: 'exit-allocation',
    message: `The ${position.symbol} position already has ${named.join(' and ')}. Nothing was sent.`,
    hint: 'Add --replace-exits to replace them, or place the order without exits and then move them: perp stop, perp target.',
  });
}

function sentence({ id, mode, size, symbol }: Order): string {
  return (
    `${id} (${mode} ${quantity(size)} ${symbol}) is working on the same side with different exits. The first order to fill sets the exits of ` +
    'the whole position; --replace-exits uses those of this order.'
  );
}

/**
 * Throws the failure of an order that no size would make acceptable: its leverage is more than the maximum, its account
 * has the maximum number of positions or resting orders, its market already has another leverage or margin mode, or its
 * position has exits that the order does not replace. A size is suggested only for an order that can be placed.
 */
export function checkPlaceable(prospect: Prospect, legs: Readonly<Record<'sl' | 'tp', boolean>>): void {
  const { order, market, positions, working = [] } = prospect;
  checkCounts(prospect);
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const own = working.filter((one) => one.market_id === order.market_id);
  const other = termsIn(order, held, own).find(
    (one) => one.leverage !== order.leverage || one.margin_mode !== order.margin_mode,
  );
  if (other !== undefined) {
    throw new Failure({
      code: 'leverage_mismatch',
      ruleId: 'leverage-mismatch',
      message: `The position or orders in ${market.symbol} are already at ${other.leverage}x ${other.margin_mode}. Nothing was sent.`,
      hint: hintFor('leverage_mismatch', 'leverage-mismatch'),
    });
  }
  if (held !== undefined && !isAgainst(order, held) && order.replace_overlapping_exits !== true)
    checkExits(legs, held, own);
}

function checkCounts({ order, market, policy, positions, working = [] }: Prospect): void {
  const ratio = policy?.limits.maintenance_margin_ratio_bps ?? 0;
  const most = Math.min(market.max_leverage, ratio > 0 ? Math.floor(10_000 / ratio) : Number.POSITIVE_INFINITY);
  if (order.leverage !== undefined && order.leverage > most)
    throw broken('max-leverage', `The leverage in ${market.symbol} is at most ${most}x.`);
  if (policy === undefined) return;
  const { max_open_positions: positionsAllowed, max_resting_orders: ordersAllowed } = policy.limits;
  const isNew = !positions.some(({ market_id }) => market_id === order.market_id);
  if (isNew && positions.length >= positionsAllowed)
    throw broken('max-open-positions', `The account already has ${counted(positions.length, 'open position')}.`);
  const resting = working.filter(({ status }) => status === 'resting').length;
  if (!takesAtOnce(order.type) && resting >= ordersAllowed)
    throw broken('max-resting-orders', `The account already has ${counted(resting, 'resting order')}.`);
}

function broken(ruleId: string, message: string): Failure {
  const code = 'rule_violation';
  return new Failure({ code, ruleId, message: `${message} Nothing was sent.`, hint: hintFor(code, ruleId) });
}

/** Everything in the market that must share the leverage and margin mode of the order (simulation 3.4). */
function termsIn(order: CreateOrderRequest, held: Position | undefined, own: readonly Order[]) {
  const adding = own.filter(
    (one) => !one.reduce_only && (held === undefined || !isAgainst(one, held) || one.size > held.size),
  );
  return held === undefined || isAgainst(order, held) ? adding : [held, ...adding];
}
