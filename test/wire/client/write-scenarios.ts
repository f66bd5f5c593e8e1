import type { Client } from '../../../src/wire/client/client.ts';
import { newIdempotencyKey } from '../../../src/wire/client/identifiers.ts';
import type { PracticeWorld } from './practice-world.ts';

/** One write, and a way to count how often it took effect. */
export interface Trial {
  act(client: Client): Promise<unknown>;
  /** The state with which reading back compares. */
  before?: unknown;
  /** If different from the world's. */
  credential?: string;
  /** 0 before it took effect, 1 after; 2 would mean twice. */
  effects(): Promise<number>;
}

/** The writes of an account, by operation: each creates what it needs in the world, and returns the write. */
export const writeScenarios = {
  createOrder: async (world: PracticeWorld): Promise<Trial> => {
    const price = world.ownPrice();
    return {
      act: (client) => client.call('createOrder', { body: world.limitOrder(price) }),
      effects: () => world.workingAt(price),
    };
  },

  closePosition: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.position();
    const request = { path: { position_id: before.id }, body: { size: 0.002 } };
    return {
      act: (client) => client.call('closePosition', request),
      effects: async () => Math.round((before.size - (await world.positionNow(before.id)).size) / 0.002),
    };
  },

  createTwapOrder: async (world: PracticeWorld): Promise<Trial> => {
    const duration_minutes = 5 + (world.serial() % 1_000);
    const body = {
      ...world.terms,
      side: 'buy',
      size: 5,
      expected_price: 1,
      duration_minutes,
      trigger_price: 1,
    } as const;
    return {
      act: (client) => client.call('createTwapOrder', { body }),
      effects: async () => {
        const query = { account_id: world.accountId };
        const { data } = await world.direct.call('listActiveTwapOrders', { query });
        const own = data.filter((twap) => twap.duration_minutes === duration_minutes);
        for (const twap of own) await world.direct.call('cancelTwapOrder', { path: { twap_order_id: twap.id } });
        return own.length;
      },
    };
  },

  createScaledOrder: async (world: PracticeWorld): Promise<Trial> => {
    const start_price = world.ownPrice();
    const ladder = { start_price, end_price: start_price + 100, rung_count: 2, distribution: 'flat' } as const;
    return {
      act: (client) =>
        client.call('createScaledOrder', { body: { ...world.terms, side: 'buy', size: 0.02, ...ladder } }),
      effects: () => world.workingAt(start_price),
    };
  },

  cancelTwapOrder: async (world: PracticeWorld): Promise<Trial> => {
    const waiting = { side: 'buy', size: 5, expected_price: 1, duration_minutes: 5, trigger_price: 1 } as const;
    const { data: twap } = await world.direct.call('createTwapOrder', { body: { ...world.terms, ...waiting } });
    const path = { twap_order_id: twap.id };
    return {
      act: (client) => client.call('cancelTwapOrder', { path }),
      effects: async () => Number((await world.direct.call('getTwapOrder', { path })).data.status === 'canceled'),
    };
  },

  cancelScaledOrder: async (world: PracticeWorld): Promise<Trial> => {
    const ladder = { start_price: 20_000, end_price: 21_000, rung_count: 2, distribution: 'flat' } as const;
    const body = { ...world.terms, side: 'buy', size: 0.02, ...ladder } as const;
    const path = { scaled_order_id: (await world.direct.call('createScaledOrder', { body })).data.id };
    return {
      act: (client) => client.call('cancelScaledOrder', { path }),
      effects: async () => Number((await world.direct.call('getScaledOrder', { path })).data.status === 'canceled'),
    };
  },

  modifyOrder: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.rest();
    const price = world.ownPrice();
    const request = { path: { order_id: before.id }, body: { price } };
    return {
      act: (client) => client.call('modifyOrder', request),
      before,
      effects: async () => Number((await world.order(before.id)).limit_price === price),
    };
  },

  cancelOrder: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.rest();
    return {
      act: (client) => client.call('cancelOrder', { path: { order_id: before.id } }),
      before,
      effects: async () => Number((await world.order(before.id)).status === 'canceled'),
    };
  },

  updateAttachedExits: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.rest();
    const request = { path: { order_id: before.id }, body: { take_profit_price: 900_000, stop_loss_price: 10_000 } };
    return {
      act: (client) => client.call('updateAttachedExits', request),
      before,
      effects: async () => Number((await world.order(before.id)).attached_stop_loss_price === 10_000),
    };
  },

  replacePositionExitOrders: async (world: PracticeWorld): Promise<Trial> => {
    const { position, exit } = await world.positionWithExit();
    const price = world.ownPrice();
    const body = {
      expected_position_size: position.size,
      expected_orders: [{ order_id: exit.id, price: exit.trigger_price!, size: exit.size }],
      operations: [
        { kind: 'cancel', order_id: exit.id } as const,
        { kind: 'place', group: 'sl', price, size: position.size } as const,
      ],
    };
    const request = { path: { position_id: position.id }, body };
    return {
      act: (client) => client.call('replacePositionExitOrders', request),
      effects: () => world.workingAt(price),
    };
  },

  setPositionIsolatedMargin: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.position();
    const extra_margin = 100 + (world.serial() % 5_000);
    return {
      act: (client) =>
        client.call('setPositionIsolatedMargin', { path: { position_id: before.id }, body: { extra_margin } }),
      effects: async () => Number((await world.positionNow(before.id)).isolated_margin_extra === extra_margin),
    };
  },

  cancelAllAccountOrders: async (world: PracticeWorld): Promise<Trial> => {
    const orders = [await world.rest(), await world.rest()];
    const request = { path: { account_id: world.accountId }, idempotencyKey: newIdempotencyKey() };
    return {
      act: (client) => client.runBulk('cancelAllAccountOrders', request),
      effects: async () => {
        const now = await Promise.all(orders.map(({ id }) => world.order(id)));
        return now.filter(({ status }) => status === 'canceled').length / orders.length;
      },
    };
  },

  closeAllAccountPositions: async (world: PracticeWorld): Promise<Trial> => {
    // Small, so that a long run does not use up the visible depth.
    await world.position(0.003);
    const closes = async () => {
      const query = { account_id: world.accountId, limit: 10 };
      const { data } = await world.direct.call('listOrders', { query });
      return data.filter((order) => order.reduce_only && order.type === 'market').map((order) => order.id);
    };
    const earlier = new Set(await closes());
    return {
      act: (client) => client.runBulk('closeAllAccountPositions', { path: { account_id: world.accountId } }),
      effects: async () => {
        const made = (await closes()).filter((id) => !earlier.has(id)).length;
        const isFlat = (await world.openPositions()).length === 0;
        return isFlat || made === 0 ? made : Number.NaN;
      },
    };
  },

  saveCopyTradingConfigurations: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.copyGroups();
    const request = { body: { groups: [world.copyGroup(false)], deleted_config_ids: [] } };
    return {
      act: (client) => client.call('saveCopyTradingConfigurations', request),
      before,
      effects: async () => {
        const now = await world.copyGroups();
        await world.deleteCopyGroups();
        return now.length - before.length;
      },
    };
  },

  disableCopyTradingConfiguration: async (world: PracticeWorld): Promise<Trial> => {
    const path = { config_id: await world.enabledCopyGroup() };
    return {
      act: (client) => client.call('disableCopyTradingConfiguration', { path }),
      effects: async () => {
        const [group] = await world.copyGroups();
        await world.deleteCopyGroups();
        return Number(group!.enabled === false);
      },
    };
  },

  acknowledgeCopyTradingStop: async (world: PracticeWorld): Promise<Trial> => {
    const request = { path: { account_id: world.followerId }, body: { stopped_at: await world.copyStop() } };
    return {
      act: (client) => client.call('acknowledgeCopyTradingStop', request),
      effects: async () => Number((await world.stopOfFollower()).acknowledged_at !== null),
    };
  },

  revokeCliSession: async ({ sessions }: PracticeWorld): Promise<Trial> => {
    const credential = sessions.issue();
    return {
      act: (client) => client.call('revokeCliSession', {}),
      credential,
      effects: async () => Number(!sessions.isLive(credential)),
    };
  },
};
