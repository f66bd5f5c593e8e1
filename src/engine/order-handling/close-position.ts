import { toNumber } from '../../terms/decimal.ts';
import { defaultOrder } from '../../terms/order-fields.ts';
import type { ClosePosition, Outcome } from '../commands.ts';
import { reducingSide } from '../positions/positions.ts';
import { notFound } from '../violation.ts';
import { marketOf, type World } from '../world/world.ts';
import { placeOrder } from './place-order.ts';

/**
 * Closes a position, or part of it, with a reduce-only order on its opposite side, with its leverage and margin mode.
 */
export function closePosition(world: World, command: ClosePosition): Outcome {
  const { kind: _, positionId, type: mode, size, ...asked } = command;
  const position = world.positions.get(positionId);
  if (position === undefined) return notFound('open position', positionId);
  const { definition } = marketOf(world, position.marketId);
  return placeOrder(world, {
    ...defaultOrder,
    ...asked,
    kind: 'place_order',
    accountId: position.accountId,
    marketId: position.marketId,
    mode,
    side: reducingSide(position),
    size: size ?? toNumber(position.size, definition.sizeDecimals),
    leverage: position.leverage,
    marginMode: position.marginMode,
    reduceOnly: true,
  });
}
