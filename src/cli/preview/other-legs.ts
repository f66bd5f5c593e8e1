import type { CreateOrderRequest, Order } from '../../contract/orders.ts';
import type { Context } from '../context/context.ts';
import { type Block, line } from '../output/result.ts';
import { quantity } from '../text/format.ts';

/**
 * A warning for an entry with legs when other entries with different legs wait on the same side: the first to fill sets
 * the exits of the position (simulation 4).
 */
export async function otherLegs(context: Context, order: CreateOrderRequest): Promise<Block[]> {
  const { account_id, market_id, side, take_profit_price: takeProfit, stop_loss_price: stopLoss } = order;
  const hasLegs = takeProfit !== undefined || stopLoss !== undefined;
  if (!hasLegs || order.replace_overlapping_exits === true || (order.type ?? 'market') === 'market') return [];
  const { data } = await context.call('listOrders', { query: { account_id, status: 'working' } });
  const differs = (wanted: number | undefined, theirs: number | null | undefined) =>
    wanted !== undefined && typeof theirs === 'number' && theirs !== wanted;
  const other = data.find(
    (one) =>
      one.market_id === market_id &&
      one.side === side &&
      (differs(takeProfit, one.attached_take_profit_price) || differs(stopLoss, one.attached_stop_loss_price)),
  );
  return other === undefined ? [] : [line({ text: sentence(other), tone: 'warn' })];
}

function sentence({ id, mode, size, symbol }: Order): string {
  return (
    `${id} (${mode} ${quantity(size)} ${symbol}) waits on the same side with different exits. The first order to fill sets the exits of ` +
    'the whole position; --replace-exits uses those of this order.'
  );
}
