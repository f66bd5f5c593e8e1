import type { Outcome, UpdateAttachedExits } from '../commands.ts';
import { attachedExitSide, exitAllocation } from '../rules/exit-rules.ts';
import { conflict, notFound, refusal } from '../violation.ts';
import { explain, touchOrder } from '../world/changes.ts';
import { bringUpToDate } from '../world/current-book.ts';
import { deskOf, marketOf, type World } from '../world/world.ts';

/** Sets, moves or removes the legs of an entry that rests and has not filled yet (simulation 4). */
export function updateAttachedExits(world: World, command: UpdateAttachedExits): Outcome {
  const order = world.orders.get(command.orderId);
  if (order === undefined) return notFound('working order', command.orderId);
  if (order.reduceOnly || order.status !== 'resting') return conflict('Only a resting entry has attached exits.');
  if (order.filledSize > 0) return conflict('The entry has filled in part: change the exits of its position instead.');
  const market = marketOf(world, order.marketId);
  bringUpToDate(world, market);
  const amended = { ...order };
  if (command.takeProfitPrice !== undefined) amended.attachedTakeProfitPrice = command.takeProfitPrice;
  if (command.stopLossPrice !== undefined) amended.attachedStopLossPrice = command.stopLossPrice;
  const broken = attachedExitSide(market, amended) ?? exitAllocation(deskOf(world, order.accountId), market, amended);
  if (broken !== null) return refusal(broken);
  order.attachedTakeProfitPrice = amended.attachedTakeProfitPrice;
  order.attachedStopLossPrice = amended.attachedStopLossPrice;
  explain(world, order, 'attached', {
    take_profit_price: order.attachedTakeProfitPrice,
    stop_loss_price: order.attachedStopLossPrice,
  });
  touchOrder(world, order);
  return { ok: true, order };
}
