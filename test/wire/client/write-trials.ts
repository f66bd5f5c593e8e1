import type { Client } from '../../../src/wire/client/client.ts';
import { newIdempotencyKey } from '../../../src/wire/client/form-request.ts';
import type { WriteId } from '../../../src/wire/client/writes.ts';
import type { PracticeWorld } from './practice-world.ts';

/** A way to count how often a write took effect. */
interface Counted {
  /** If different from the world's: of a session, which is logged in during the command. */
  credential?: string;
  /** 0 before it took effect, 1 after; 2 would mean twice. */
  effects(): Promise<number>;
}

/** A write by the client. */
export interface CallTrial extends Counted {
  act(client: Client): Promise<unknown>;
  /** The state with which reading back compares. */
  before?: unknown;
}

/** A write by a command. */
export interface CommandTrial extends Counted {
  argv: string[];
}

type Prepare = (world: PracticeWorld) => Promise<CallTrial & CommandTrial>;

/** The writes of an account, by operation: each creates what it needs in the world, and returns the write. */
export const writeTrials: Readonly<Record<WriteId, Prepare>> = {
  createOrder: async (world) => {
    const price = world.ownPrice();
    return {
      act: (client) => client.call('createOrder', { body: world.limitOrder(price) }),
      argv: [...placeLimit(price), ...withKey(world)],
      effects: () => world.workingAt(price),
    };
  },

  closePosition: async (world) => {
    const before = await world.position();
    const request = { path: { position_id: before.id }, body: { size: 0.002 } };
    return {
      act: (client) => client.call('closePosition', request),
      argv: ['positions', 'close', before.id, '--size', '0.002', ...withKey(world)],
      effects: async () => Math.round((before.size - (await world.positionNow(before.id)).size) / 0.002),
    };
  },

  createTwapOrder: async (world) => {
    const duration_minutes = 5 + (world.serial() % 1_000);
    const body = { ...world.terms, ...waitingTwap, duration_minutes };
    const duration = `${duration_minutes}m`;
    return {
      act: (client) => client.call('createTwapOrder', { body }),
      argv: ['twap', 'place', 'BTC', 'buy', '5', '--duration', duration, '--trigger-price', '1', ...terms],
      effects: async () => {
        const query = { account_id: world.accountId };
        const { data } = await world.direct.call('listActiveTwapOrders', { query });
        const own = data.filter((twap) => twap.duration_minutes === duration_minutes);
        for (const { id } of own) await world.direct.call('cancelTwapOrder', { path: { twap_order_id: id } });
        return own.length;
      },
    };
  },

  createScaledOrder: async (world) => {
    const start = world.ownPrice();
    const ladder = ['--from', String(start), '--to', String(start + 100), '--rungs', '2'];
    return {
      act: (client) => client.call('createScaledOrder', { body: ladderAt(world, start) }),
      argv: ['scaled', 'place', 'BTC', 'buy', '0.02', ...ladder, ...terms],
      effects: () => world.workingAt(start),
    };
  },

  cancelTwapOrder: async (world) => {
    const body = { ...world.terms, ...waitingTwap, duration_minutes: 60 };
    const { id } = (await world.direct.call('createTwapOrder', { body })).data;
    const path = { twap_order_id: id };
    return {
      act: (client) => client.call('cancelTwapOrder', { path }),
      argv: ['twap', 'cancel', id],
      effects: async () => Number((await world.direct.call('getTwapOrder', { path })).data.status === 'canceled'),
    };
  },

  cancelScaledOrder: async (world) => {
    const { id } = (await world.direct.call('createScaledOrder', { body: ladderAt(world, world.ownPrice()) })).data;
    const path = { scaled_order_id: id };
    return {
      act: (client) => client.call('cancelScaledOrder', { path }),
      argv: ['scaled', 'cancel', id],
      effects: async () => Number((await world.direct.call('getScaledOrder', { path })).data.status === 'canceled'),
    };
  },

  modifyOrder: async (world) => {
    const before = await world.rest();
    const price = world.ownPrice();
    const request = { path: { order_id: before.id }, body: { price } };
    return {
      act: (client) => client.call('modifyOrder', request),
      argv: ['order', 'amend', before.id, '--price', String(price)],
      before,
      effects: async () => Number((await world.order(before.id)).limit_price === price),
    };
  },

  cancelOrder: async (world) => {
    const before = await world.rest();
    return {
      act: (client) => client.call('cancelOrder', { path: { order_id: before.id } }),
      argv: ['order', 'cancel', before.id],
      before,
      effects: async () => Number((await world.order(before.id)).status === 'canceled'),
    };
  },

  updateAttachedExits: async (world) => {
    const before = await world.rest();
    const request = { path: { order_id: before.id }, body: { take_profit_price: 900_000, stop_loss_price: 10_000 } };
    return {
      act: (client) => client.call('updateAttachedExits', request),
      argv: ['order', 'exits', before.id, '--take-profit', '900000', '--stop-loss', '10000', '--far-stop'],
      before,
      effects: async () => Number((await world.order(before.id)).attached_stop_loss_price === 10_000),
    };
  },

  replacePositionExitOrders: async (world) => {
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
      argv: ['positions', 'exits', position.id, '--cancel', exit.id, '--stop-loss', String(price), '--far-stop'],
      effects: () => world.workingAt(price),
    };
  },

  setPositionIsolatedMargin: async (world) => {
    const before = await world.position();
    const extra_margin = 100 + (world.serial() % 5_000);
    return {
      act: (client) =>
        client.call('setPositionIsolatedMargin', { path: { position_id: before.id }, body: { extra_margin } }),
      argv: ['positions', 'margin', before.id, String(extra_margin)],
      effects: async () => Number((await world.positionNow(before.id)).isolated_margin_extra === extra_margin),
    };
  },

  cancelAllAccountOrders: async (world) => {
    const orders = [await world.rest(), await world.rest()];
    const request = { path: { account_id: world.accountId }, idempotencyKey: newIdempotencyKey() };
    return {
      act: (client) => client.runBulk('cancelAllAccountOrders', request),
      argv: ['cancel-all', '--yes'],
      effects: async () => {
        const now = await Promise.all(orders.map(({ id }) => world.order(id)));
        return now.filter(({ status }) => status === 'canceled').length / orders.length;
      },
    };
  },

  closeAllAccountPositions: async (world) => {
    // Small, so that a long run does not use up the visible depth.
    await world.position(0.003);
    const closes = async () => {
      const { data } = await world.direct.call('listOrders', { query: { account_id: world.accountId, limit: 20 } });
      return data.filter((order) => order.reduce_only && order.type === 'market').map((order) => order.id);
    };
    const earlier = new Set(await closes());
    return {
      act: (client) => client.runBulk('closeAllAccountPositions', { path: { account_id: world.accountId } }),
      argv: ['close-all', '--yes'],
      effects: async () => {
        const made = (await closes()).filter((id) => !earlier.has(id)).length;
        const isFlat = (await world.openPositions()).length === 0;
        return isFlat || made === 0 ? made : Number.NaN;
      },
    };
  },

  saveCopyTradingConfigurations: async (world) => {
    const before = await world.copyGroups();
    const request = { body: { groups: [world.copyGroup(false)], deleted_config_ids: [] } };
    return {
      act: (client) => client.call('saveCopyTradingConfigurations', request),
      argv: ['copy', 'save', '--lead', world.accountId, '--follower', world.followerId],
      before,
      effects: async () => {
        const now = await world.copyGroups();
        await world.deleteCopyGroups();
        return now.length - before.length;
      },
    };
  },

  disableCopyTradingConfiguration: async (world) => {
    const config_id = await world.enabledCopyGroup();
    return {
      act: (client) => client.call('disableCopyTradingConfiguration', { path: { config_id } }),
      argv: ['copy', 'disable', config_id],
      effects: async () => {
        const group = (await world.copyGroups()).find((one) => one.config_id === config_id);
        await world.deleteCopyGroups();
        return Number(group!.enabled === false);
      },
    };
  },

  acknowledgeCopyTradingStop: async (world) => {
    const request = { path: { account_id: world.followerId }, body: { stopped_at: await world.copyStop() } };
    return {
      act: (client) => client.call('acknowledgeCopyTradingStop', request),
      argv: ['accounts', 'acknowledge-copy-stop', world.followerId],
      effects: async () => Number((await world.stopOfFollower()).acknowledged_at !== null),
    };
  },

  revokeCliSession: async ({ sessions }) => {
    const credential = sessions.issue();
    return {
      act: (client) => client.call('revokeCliSession', {}),
      argv: ['logout'],
      credential,
      effects: async () => Number(!sessions.isLive(credential)),
    };
  },
};

const waitingTwap = { side: 'buy', size: 5, expected_price: 1, trigger_price: 1 } as const;
const terms = ['--leverage', '2', '--margin', 'isolated', '--force'];

function ladderAt(world: PracticeWorld, start_price: number) {
  const ladder = { start_price, end_price: start_price + 100, rung_count: 2, distribution: 'flat' } as const;
  return { ...world.terms, side: 'buy', size: 0.02, ...ladder } as const;
}

/** Under a key of its own, an order reads nothing beside its first reads, so the write is on the first connection. */
function withKey(world: PracticeWorld): string[] {
  return ['--idempotency-key', `trial-${world.serial()}`];
}

export function placeLimit(price: number): string[] {
  return ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', String(price), ...terms];
}
