import type { CreateOrderRequest, Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { Failure } from '../../ground/failure/failure.ts';
import { hintFor } from '../../ground/failure/hints.ts';
import { checkExits } from './other-legs.ts';
import { isAgainst, type Prospect } from './prospect.ts';

/**
 * Throws the failure of an order that no size would make acceptable: its market already has another leverage or margin
 * mode, or its position exits that the order does not replace. A size is named only for an order that can be placed.
 */
export function checkHeldTerms({ order, market, positions, working = [] }: Prospect, hasStop: boolean): void {
  const held = positions.find(({ market_id }) => market_id === order.market_id);
  const own = working.filter((one) => one.market_id === order.market_id);
  const other = termsIn(order, held, own).find(
    (one) => one.leverage !== order.leverage || one.margin_mode !== order.margin_mode,
  );
  if (other !== undefined) {
    throw new Failure({
      exit: exitCodes.rejected,
      code: 'leverage_mismatch',
      ruleId: 'leverage-mismatch',
      message: `The position or orders in ${market.symbol} are already at ${other.leverage}x ${other.margin_mode}. Nothing was sent.`,
      hint: hintFor('leverage_mismatch', 'leverage-mismatch'),
    });
  }
  if (held !== undefined && !isAgainst(order, held) && order.replace_overlapping_exits !== true)
    checkExits({ sl: hasStop, tp: order.take_profit_price !== undefined }, held, own);
}

/** Everything in the market that has to have the leverage and margin mode of the order (simulation 3.4). */
function termsIn(order: CreateOrderRequest, held: Position | undefined, own: readonly Order[]) {
  const adding = own.filter(
    (one) => !one.reduce_only && (held === undefined || !isAgainst(one, held) || one.size > held.size),
  );
  return held === undefined || isAgainst(order, held) ? adding : [held, ...adding];
}
