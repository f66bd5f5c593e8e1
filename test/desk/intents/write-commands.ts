import type { PracticeWorld } from '../../wire/client/practice-world.ts';

/** A command that writes, and a way to count how often it took effect. */
export interface Trial {
  argv: string[];
  /** The session that is logged in during the command, if it is about sessions. */
  session?: string;
  /** 0 before it took effect, 1 after; 2 would mean twice. */
  effects(): Promise<number>;
}

/** The commands that write, by operation: each first creates what it needs in the world. */
export const writeCommands = {
  createOrder: async (world: PracticeWorld): Promise<Trial> => {
    const price = world.ownPrice();
    return {
      argv: [...placeLimit(price), ...withKey(world)],
      effects: () => world.workingAt(price),
    };
  },

  closePosition: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.position();
    return {
      argv: ['positions', 'close', before.id, '--size', '0.002', ...withKey(world)],
      effects: async () => Math.round((before.size - (await world.positionNow(before.id)).size) / 0.002),
    };
  },

  createTwapOrder: async (world: PracticeWorld): Promise<Trial> => {
    const minutes = 5 + (world.serial() % 1_000);
    return {
      argv: ['twap', 'place', 'BTC', 'buy', '5', '--duration', `${minutes}m`, '--trigger-price', '1', ...terms],
      effects: async () => {
        const query = { account_id: world.accountId };
        const { data } = await world.direct.call('listActiveTwapOrders', { query });
        const own = data.filter((twap) => twap.duration_minutes === minutes);
        for (const { id } of own) await world.direct.call('cancelTwapOrder', { path: { twap_order_id: id } });
        return own.length;
      },
    };
  },

  createScaledOrder: async (world: PracticeWorld): Promise<Trial> => {
    const start = world.ownPrice();
    const ladder = ['--from', String(start), '--to', String(start + 100), '--rungs', '2'];
    return {
      argv: ['scaled', 'place', 'BTC', 'buy', '0.02', ...ladder, ...terms],
      effects: () => world.workingAt(start),
    };
  },

  modifyOrder: async (world: PracticeWorld): Promise<Trial> => {
    const { id } = await world.rest();
    const price = world.ownPrice();
    return {
      argv: ['order', 'amend', id, '--price', String(price)],
      effects: async () => Number((await world.order(id)).limit_price === price),
    };
  },

  cancelOrder: async (world: PracticeWorld): Promise<Trial> => {
    const { id } = await world.rest();
    return {
      argv: ['order', 'cancel', id],
      effects: async () => Number((await world.order(id)).status === 'canceled'),
    };
  },

  updateAttachedExits: async (world: PracticeWorld): Promise<Trial> => {
    const { id } = await world.rest();
    return {
      argv: ['order', 'exits', id, '--take-profit', '900000', '--stop-loss', '10000', '--far-stop'],
      effects: async () => Number((await world.order(id)).attached_stop_loss_price === 10_000),
    };
  },

  replacePositionExitOrders: async (world: PracticeWorld): Promise<Trial> => {
    const { position, exit } = await world.positionWithExit();
    const price = world.ownPrice();
    return {
      argv: ['positions', 'exits', position.id, '--cancel', exit.id, '--stop-loss', String(price), '--far-stop'],
      effects: () => world.workingAt(price),
    };
  },

  setPositionIsolatedMargin: async (world: PracticeWorld): Promise<Trial> => {
    const { id } = await world.position();
    const extra = 100 + (world.serial() % 5_000);
    return {
      argv: ['positions', 'margin', id, String(extra)],
      effects: async () => Number((await world.positionNow(id)).isolated_margin_extra === extra),
    };
  },

  cancelTwapOrder: async (world: PracticeWorld): Promise<Trial> => {
    const body = {
      ...world.terms,
      side: 'buy',
      size: 5,
      expected_price: 1,
      duration_minutes: 60,
      trigger_price: 1,
    } as const;
    const { id } = (await world.direct.call('createTwapOrder', { body })).data;
    const status = async () => (await world.direct.call('getTwapOrder', { path: { twap_order_id: id } })).data.status;
    return { argv: ['twap', 'cancel', id], effects: async () => Number((await status()) === 'canceled') };
  },

  cancelScaledOrder: async (world: PracticeWorld): Promise<Trial> => {
    const start_price = world.ownPrice();
    const ladder = { start_price, end_price: start_price + 100, rung_count: 2, distribution: 'flat' } as const;
    const { data } = await world.direct.call('createScaledOrder', {
      body: { ...world.terms, side: 'buy', size: 0.02, ...ladder },
    });
    const path = { scaled_order_id: data.id };
    const status = async () => (await world.direct.call('getScaledOrder', { path })).data.status;
    return { argv: ['scaled', 'cancel', data.id], effects: async () => Number((await status()) === 'canceled') };
  },

  cancelAllAccountOrders: async (world: PracticeWorld): Promise<Trial> => {
    const orders = [await world.rest(), await world.rest()];
    return {
      argv: ['cancel-all', '--yes'],
      effects: async () => {
        const now = await Promise.all(orders.map(({ id }) => world.order(id)));
        return now.filter(({ status }) => status === 'canceled').length / orders.length;
      },
    };
  },

  closeAllAccountPositions: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.position();
    const closes = async () => {
      const { data } = await world.direct.call('listOrders', { query: { account_id: world.accountId, limit: 20 } });
      const own = data.filter((order) => order.reduce_only && order.type === 'market' && order.size === before.size);
      return own.map(({ id }) => id);
    };
    const earlier = new Set(await closes());
    return {
      argv: ['close-all', '--yes'],
      effects: async () => {
        const isFlat = (await world.openPositions()).length === 0;
        return isFlat ? (await closes()).filter((id) => !earlier.has(id)).length : 0;
      },
    };
  },

  saveCopyTradingConfigurations: async (world: PracticeWorld): Promise<Trial> => {
    const before = await world.copyGroups();
    return {
      argv: ['copy', 'save', '--lead', world.accountId, '--follower', world.followerId],
      effects: async () => {
        const now = await world.copyGroups();
        await world.deleteCopyGroups();
        return now.length - before.length;
      },
    };
  },

  disableCopyTradingConfiguration: async (world: PracticeWorld): Promise<Trial> => {
    const id = await world.enabledCopyGroup();
    return {
      argv: ['copy', 'disable', id],
      effects: async () => {
        const isDisabled = (await world.copyGroups()).some((group) => group.config_id === id && !group.enabled);
        if (!isDisabled) await world.direct.call('disableCopyTradingConfiguration', { path: { config_id: id } });
        await world.deleteCopyGroups();
        return Number(isDisabled);
      },
    };
  },

  acknowledgeCopyTradingStop: async (world: PracticeWorld): Promise<Trial> => {
    await world.copyStop();
    return {
      argv: ['accounts', 'acknowledge-copy-stop', world.followerId],
      effects: async () => Number((await world.stopOfFollower()).acknowledged_at !== null),
    };
  },

  revokeCliSession: async ({ sessions }: PracticeWorld): Promise<Trial> => {
    const session = sessions.issue();
    return { argv: ['logout'], session, effects: async () => Number(!sessions.isLive(session)) };
  },
};

const terms = ['--leverage', '2', '--margin', 'isolated', '--force'];

/** Under a key of its own, an order reads nothing beside its first reads, so the write is on the first connection. */
function withKey(world: PracticeWorld): string[] {
  return ['--idempotency-key', `trial-${world.serial()}`];
}

export function placeLimit(price: number): string[] {
  return ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', String(price), ...terms];
}
