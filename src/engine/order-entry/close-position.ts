import type { ClosePosition, Outcome } from '../commands.ts';
import { toNumber } from '../decimal.ts';
import { reducingSide } from '../positions/positions.ts';
import { notFound } from '../violation.ts';
import { marketOf, type World } from '../world/world.ts';
import { placeOrder } from './place-order.ts';

/** Closes a position, or part of it, with a reduce-only order of its own side, leverage and margin mode. */
export function closePosition(world: World, command: ClosePosition): Outcome {
  const position = world.positions.get(command.positionId);
  if (position === undefined) return notFound('open position', command.positionId);
  const { definition } = marketOf(world, position.marketId);
  return placeOrder(world, {
    kind: 'place_order',
    accountId: position.accountId,
    marketId: position.marketId,
    clientOrderId: command.clientOrderId,
    mode: command.type,
    side: reducingSide(position),
    size: command.size ?? toNumber(position.size, definition.sizeDecimals),
    expectedPrice: command.expectedPrice,
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
    slippageToleranceBps: command.slippageToleranceBps,
    takeProfitPrice: null,
    stopLossPrice: null,
    triggerPrice: command.triggerPrice,
    limitPrice: command.limitPrice,
    timeInForce: null,
    gtdExpiresAt: null,
    chaseOffset: null,
    chaseCapPrice: null,
    marketableLimitAcknowledged: command.marketableLimitAcknowledged,
    replaceOverlappingExits: false,
    triggerMarketId: command.triggerMarketId,
    triggerDirection: command.triggerDirection,
    targetPositionId: null,
  });
}
