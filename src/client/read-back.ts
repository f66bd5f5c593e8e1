import type { CopyTradingConfiguration, SaveCopyTradingRequest } from '../contract/copy.ts';
import type { ModifyOrderRequest, Order, UpdateAttachedExitsRequest } from '../contract/orders.ts';
import type { ExitOrderBatchRequest, IsolatedMarginRequest, Position } from '../contract/positions.ts';
import type { Client } from './client.ts';
import { ApiError } from './errors.ts';
import type { Intent } from './intent.ts';
import { batchEffects } from './read-back-exits.ts';

/** What reading back shows of a write. */
export type Finding =
  | { verdict: 'applied'; reason: string; resource: unknown }
  | { verdict: 'not_applied' | 'unknown'; reason: string };

/** The write, and what is known of the time before it. */
export interface Question {
  client: Client;
  intent: Intent;
  before: unknown;
  signal: AbortSignal | undefined;
}

/** One part of what a write asked for: to be seen now, not to be seen, or as it was before anyway. */
export type Effect = 'seen' | 'absent' | 'as_before';

type ReadBack = (question: Question) => Promise<Finding>;

/** How each write without an idempotency key is read back. The token exchange is not here: its credential is shown once. */
export const readBack: Readonly<Record<string, ReadBack>> = {
  modifyOrder: async (question) => {
    const order = await readOrder(question);
    return orderChange(order, bodyOf<ModifyOrderRequest>(question.intent), question.before as Order | undefined);
  },
  cancelOrder: async (question) => {
    const order = await readOrder(question);
    const isCanceled = order.status === 'canceled' || order.cancel_requested_at !== undefined;
    return isCanceled ? applied('the order is canceled', order) : notApplied(`the order is ${order.status}`);
  },
  updateAttachedExits: async (question) => {
    const order = await readOrder(question);
    const wanted = bodyOf<UpdateAttachedExitsRequest>(question.intent);
    const before = question.before as Order | undefined;
    const effects = [
      change(wanted.take_profit_price, order.attached_take_profit_price, before?.attached_take_profit_price, before),
      change(wanted.stop_loss_price, order.attached_stop_loss_price, before?.attached_stop_loss_price, before),
    ];
    return conclude(effects, 'attached exits', order);
  },
  replacePositionExitOrders: async (question) => {
    const position = await readPosition(question);
    const effects = await batchEffects(question, position, bodyOf<ExitOrderBatchRequest>(question.intent));
    return conclude(effects, 'changes of the exits', position);
  },
  setPositionIsolatedMargin: async (question) => {
    const position = await readPosition(question);
    const { extra_margin: wanted } = bodyOf<IsolatedMarginRequest>(question.intent);
    const before = question.before as Position | undefined;
    const effect = change(wanted, position.isolated_margin_extra, before?.isolated_margin_extra, before);
    return conclude([effect], 'extra margin', position);
  },
  cancelTwapOrder: async ({ client, intent, signal }) => {
    const path = { twap_order_id: intent.path.twap_order_id! };
    const { data } = await client.call('getTwapOrder', { path, signal });
    return strategyCancellation(data);
  },
  cancelScaledOrder: async ({ client, intent, signal }) => {
    const path = { scaled_order_id: intent.path.scaled_order_id! };
    const { data } = await client.call('getScaledOrder', { path, signal });
    return strategyCancellation(data);
  },
  saveCopyTradingConfigurations: async ({ client, intent, before, signal }) => {
    const { data: groups } = await client.call('listCopyTradingConfigurations', { signal });
    const wanted = bodyOf<SaveCopyTradingRequest>(intent);
    const effects = groupEffects(wanted, groups, before as typeof groups | undefined);
    const makesNew = wanted.groups.some((group) => group.config_id === undefined);
    if (makesNew && before === undefined && !effects.includes('absent')) {
      return unknown('such groups are there, but whether they are the new ones is not known');
    }
    return conclude(effects, 'changes of the groups', { ok: true, groups });
  },
  disableCopyTradingConfiguration: async ({ client, intent, signal }) => {
    const { data } = await client.call('listCopyTradingConfigurations', { signal });
    const group = data.find((candidate) => candidate.config_id === intent.path.config_id);
    if (group === undefined) return unknown('the group is not listed');
    return group.enabled ? notApplied('the group is still enabled') : applied('the group is disabled', group);
  },
  acknowledgeCopyTradingStop: async ({ client, intent, signal }) => {
    const path = { account_id: intent.path.account_id! };
    const { data: policy } = await client.call('getAccountTradingPolicy', { path, signal });
    const { stopped_at: stoppedAt } = bodyOf<{ stopped_at: number }>(intent);
    if (policy.copy_stop?.stopped_at !== stoppedAt) return unknown('the trading policy shows another copy stop by now');
    const isAcknowledged = policy.copy_stop.acknowledged_at !== null;
    return isAcknowledged
      ? applied('the copy stop is acknowledged', policy)
      : notApplied('the stop is not acknowledged');
  },
  revokeCliSession: async ({ client, signal }) => {
    try {
      await client.call('listAccounts', { signal });
      return notApplied('the session is still accepted');
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        return applied('the session is no longer accepted', { revoked: true });
      throw error;
    }
  },
};

/**
 * One verdict over all parts of a write that is atomic. All there: applied, also when some were there before. None there:
 * not applied. Some there and some not: someone else was at it too, nobody can tell.
 */
export function conclude(effects: readonly (Effect | undefined)[], what: string, resource: unknown): Finding {
  const parts = effects.filter((effect) => effect !== undefined);
  const absent = parts.filter((effect) => effect === 'absent').length;
  if (absent === 0) return applied(`the ${what} asked for are there`, resource);
  if (parts.includes('seen')) return unknown(`${absent} of ${parts.length} ${what} are not there, the others are`);
  return notApplied(`the ${what} asked for are not there`);
}

/** Whether a wanted value is there now; undefined when nothing was wanted. null and absent both mean that there is none. */
function change(
  wanted: number | null | undefined,
  now: number | undefined,
  before: number | undefined,
  known: unknown,
): Effect | undefined {
  if (wanted === undefined) return undefined;
  if ((now ?? null) !== wanted) return 'absent';
  return known !== undefined && (before ?? null) === wanted ? 'as_before' : 'seen';
}

function orderChange(order: Order, wanted: ModifyOrderRequest, before: Order | undefined): Finding {
  const price = workingPrice(order);
  if (price === wanted.price && isSizeAsWanted(order, wanted.size))
    return applied('the order has that price and size', order);
  const isAsBefore = before === undefined || (price === workingPrice(before) && totalSize(order) === totalSize(before));
  return isAsBefore
    ? notApplied(`the order's price is ${price}`)
    : unknown('the order has been changed to something else');
}

/** The price that a change would move: of an armed order the trigger, else the limit. */
function workingPrice(order: Order): number | undefined {
  const isTriggered = order.triggered_at !== undefined || order.stop_triggered_at !== undefined;
  return order.trigger_price !== undefined && !isTriggered ? order.trigger_price : order.limit_price;
}

/** What was asked for is the remainder then; fills since have only made it smaller. */
function isSizeAsWanted(order: Order, wanted: number | undefined): boolean {
  if (wanted === undefined || order.size === wanted) return true;
  return order.status === 'filled' || (order.size < wanted && (order.filled_size ?? 0) > 0);
}

function totalSize(order: Order): number {
  return order.size + (order.filled_size ?? 0);
}

function groupEffects(
  wanted: SaveCopyTradingRequest,
  now: readonly CopyTradingConfiguration[],
  before: readonly CopyTradingConfiguration[] | undefined,
): Effect[] {
  const deletions = wanted.deleted_config_ids.map((id): Effect => {
    if (now.some((group) => group.config_id === id)) return 'absent';
    return before?.some((group) => group.config_id === id) === false ? 'as_before' : 'seen';
  });
  const saves = wanted.groups.map((group): Effect => {
    const isThere = now.some((candidate) => isSameGroup(candidate, group) && !isOlderThanNew(candidate, group, before));
    if (!isThere) return 'absent';
    const wasThere = group.config_id !== undefined && before?.some((candidate) => isSameGroup(candidate, group));
    return wasThere ? 'as_before' : 'seen';
  });
  return [...deletions, ...saves];
}

type SavedGroup = SaveCopyTradingRequest['groups'][number];

function isSameGroup(candidate: CopyTradingConfiguration, group: SavedGroup): boolean {
  const key = (targets: readonly { account_id: string; multiplier_bps: number }[]) =>
    targets
      .map((target) => `${target.account_id} ${target.multiplier_bps}`)
      .sort()
      .join();
  return (
    (group.config_id === undefined || candidate.config_id === group.config_id) &&
    candidate.enabled === group.enabled &&
    candidate.source_account_id === group.source_account_id &&
    key(candidate.targets) === key(group.targets)
  );
}

/** A group that was there before is not the new one, however alike. */
function isOlderThanNew(
  candidate: CopyTradingConfiguration,
  group: SavedGroup,
  before: readonly CopyTradingConfiguration[] | undefined,
): boolean {
  return group.config_id === undefined && before?.some((earlier) => earlier.config_id === candidate.config_id) === true;
}

function strategyCancellation(order: { status: string }): Finding {
  const isCanceled = order.status === 'canceled' || order.status === 'canceling';
  return isCanceled ? applied(`the order is ${order.status}`, order) : notApplied(`the order is ${order.status}`);
}

async function readOrder({ client, intent, signal }: Question): Promise<Order> {
  return (await client.call('getOrder', { path: { order_id: intent.path.order_id! }, signal })).data;
}

async function readPosition({ client, intent, signal }: Question): Promise<Position> {
  return (await client.call('getPosition', { path: { position_id: intent.path.position_id! }, signal })).data;
}

function bodyOf<T>(intent: Intent): T {
  return JSON.parse(intent.body ?? '{}') as T;
}

const applied = (reason: string, resource: unknown): Finding => ({ verdict: 'applied', reason, resource });
const notApplied = (reason: string): Finding => ({ verdict: 'not_applied', reason });
const unknown = (reason: string): Finding => ({ verdict: 'unknown', reason });
