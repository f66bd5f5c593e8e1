import type { Command, PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import type { MarketDefinition, Ms, Price } from '../../../src/exchange/engine/model.ts';
import type { Chance } from './chance.ts';

/** A command that a trader might send, by intention or by mistake. */
export function randomCommand(
  chance: Chance,
  world: {
    now: Ms;
    accountIds: readonly string[];
    markets: readonly MarketDefinition[];
    orderIds: readonly string[];
    /** Roughly where prices are. */
    near: Price;
  },
): Command {
  const roll = chance.next();
  if (world.orderIds.length > 0 && roll < 0.15) return { kind: 'cancel_order', orderId: chance.pick(world.orderIds) };
  if (world.orderIds.length > 0 && roll < 0.3) {
    const size = chance.pick([null, chance.between(1, 80)]);
    return { kind: 'amend_order', orderId: chance.pick(world.orderIds), price: around(chance, world.near), size };
  }
  return randomOrder(chance, world);
}

function randomOrder(
  chance: Chance,
  world: { now: Ms; accountIds: readonly string[]; markets: readonly MarketDefinition[]; near: Price },
): PlaceOrder {
  const mode = chance.pick(['market', 'limit', 'limit', 'limit'] as const);
  const timeInForce = mode === 'limit' ? chance.pick([null, null, 'ioc', 'fok', 'gtd'] as const) : null;
  return {
    kind: 'place_order',
    accountId: chance.pick(world.accountIds),
    marketId: chance.pick(world.markets).marketId,
    clientOrderId: null,
    mode,
    side: chance.pick(['buy', 'sell']),
    size: chance.pick([chance.between(1, 80), chance.between(1, 80), 0.5]),
    expectedPrice: null,
    leverage: 5,
    marginMode: 'cross',
    reduceOnly: chance.chance(0.25),
    slippageToleranceBps: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    triggerPrice: null,
    limitPrice: mode === 'limit' ? around(chance, world.near) : null,
    timeInForce,
    gtdExpiresAt: timeInForce === 'gtd' ? world.now + chance.between(1, 3000) : null,
    chaseOffset: null,
    chaseCapPrice: null,
    marketableLimitAcknowledged: chance.chance(0.5),
    replaceOverlappingExits: false,
    triggerMarketId: null,
    triggerDirection: null,
    targetPositionId: null,
  };
}

/** Mostly near the mid, sometimes far away. */
function around(chance: Chance, near: Price): Price {
  return chance.chance(0.2) ? near + chance.pick([-90, -60, 60, 90]) : near + chance.between(-12, 12);
}
