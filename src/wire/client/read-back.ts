import { exitGroupOf } from '../../base/terms/order-types.ts';
import type {
  AccountTradingPolicy,
  CopyTradingConfiguration,
  CopyTradingWriteResponse,
  SaveCopyTradingRequest,
} from '../contract/accounts.ts';
import type { CanceledOrder, ModifyOrderRequest, Order, UpdateAttachedExitsRequest } from '../contract/orders.ts';
import type { ExitOperation, ExitOrderBatchRequest, IsolatedMarginRequest, Position } from '../contract/positions.ts';
import { ApiError } from './client-errors.ts';
import type { Intent } from './intent.ts';
import {
  applied,
  comparing,
  type Effect,
  notApplied,
  type Outcome,
  type Question,
  type ReadBack,
  unknown,
} from './question.ts';

const order = async ({ client, intent, signal }: Question): Promise<Order> =>
  (await client.call('getOrder', { path: { order_id: intent.path.order_id! }, signal })).data;

const position = async ({ client, intent, signal }: Question): Promise<Position> =>
  (await client.call('getPosition', { path: { position_id: intent.path.position_id! }, signal })).data;

const policy = async ({ client, intent, signal }: Question): Promise<AccountTradingPolicy> =>
  (await client.call('getAccountTradingPolicy', { path: { account_id: intent.path.account_id! }, signal })).data;

const copyGroups = async ({ client, signal }: Question): Promise<CopyTradingConfiguration[]> =>
  (await client.call('listCopyTradingConfigurations', { signal })).data;

/** An amendment is read back from the order's price and size. */
export const amendedOrder = comparing(order, (now, before, intent): Outcome<Order> => {
  return endedBefore(before) ?? orderChange(now, bodyOf<ModifyOrderRequest>(intent), before);
});

/** A cancellation is read back from the order's status and `cancel_requested_at`. */
export const canceledOrder = comparing(order, (now, before): Outcome<CanceledOrder> => {
  if (!isCancelAsked(now)) return uncanceled(now, ['pending', 'resting'], ['filled', 'expired', 'rejected']);
  const queued = now.status === 'canceled' ? {} : { queued: true };
  return applied('the order is canceled', { id: now.id, canceled: true, ...queued }, isCancelAsked(before));
});

/** Changed legs are read back from the order's attached prices. */
export const attachedExits = comparing(order, (now, before, intent): Outcome<Order> => {
  const wanted = bodyOf<UpdateAttachedExitsRequest>(intent);
  const effects = [
    change(wanted.take_profit_price, now.attached_take_profit_price, before?.attached_take_profit_price, before),
    change(wanted.stop_loss_price, now.attached_stop_loss_price, before?.attached_stop_loss_price, before),
  ];
  return endedBefore(before) ?? conclude(effects, 'attached exits', now);
});

/** The request itself contains the state before it. */
export const exitBatch: ReadBack<Position> = {
  find: async (question) => {
    const now = await position(question);
    const effects = await batchEffects(question, now, bodyOf<ExitOrderBatchRequest>(question.intent));
    return conclude(effects, 'changes of the exits', now);
  },
};

/** Extra margin is read back from the position. */
export const isolatedMargin = comparing(position, (now, before, intent): Outcome<Position> => {
  const { extra_margin: wanted } = bodyOf<IsolatedMarginRequest>(intent);
  const effect = change(wanted, now.isolated_margin_extra, before?.isolated_margin_extra, before);
  return conclude([effect], 'extra margin', now);
});

/** The end of a TWAP or VWAP is read back from its status. */
export const canceledTwap = comparing(
  async ({ client, intent, signal }) =>
    (await client.call('getTwapOrder', { path: { twap_order_id: intent.path.twap_order_id! }, signal })).data,
  strategyCancellation,
);

/** The end of a ladder is read back from its status. */
export const canceledScaled = comparing(
  async ({ client, intent, signal }) =>
    (await client.call('getScaledOrder', { path: { scaled_order_id: intent.path.scaled_order_id! }, signal })).data,
  strategyCancellation,
);

type CopyWritten = CopyTradingWriteResponse['data'];

/** Saved and deleted groups are read back from the list of groups. */
export const savedCopyGroups = comparing(copyGroups, (now, before, intent): Outcome<CopyWritten> => {
  const wanted = bodyOf<SaveCopyTradingRequest>(intent);
  const saved = savedGroups(wanted.groups, now, before);
  const effects = groupEffects(wanted, saved, now, before);
  const makesNew = wanted.groups.some((group) => group.config_id === undefined);
  if (makesNew && before === undefined && !effects.includes('absent')) {
    return unknown('such groups exist, but they may not be the new ones');
  }
  const config_ids = saved.flatMap((group) => group?.config_id ?? []);
  return conclude(effects, 'changes of the groups', { ok: true, config_ids });
});

/** A stopped group is read back from the list of groups. */
export const disabledCopyGroup = comparing(copyGroups, (now, before, intent): Outcome<CopyWritten> => {
  const named = (candidate: CopyTradingConfiguration) => candidate.config_id === intent.path.config_id;
  const group = now.find(named);
  if (typeof group?.enabled !== 'boolean') return unknown('the group is not listed');
  if (group.enabled) return notApplied('the group is still enabled');
  return applied('the group is disabled', { ok: true }, before?.find(named)?.enabled === false);
});

/** An acknowledgment is read back from the trading policy's copy stop. */
export const acknowledgedCopyStop = comparing(policy, ({ copy_stop: stop }, before, intent): Outcome<CopyWritten> => {
  const { stopped_at: stoppedAt } = bodyOf<{ stopped_at: number }>(intent);
  if (stop?.stopped_at !== stoppedAt) return unknown('the trading policy now shows another copy stop');
  if (stop.acknowledged_at === null) return notApplied('the stop is not acknowledged');
  if (typeof stop.acknowledged_at !== 'number')
    return unknown('the trading policy does not say when it was acknowledged');
  const earlier = before?.copy_stop;
  const wasAlreadyApplied = earlier?.stopped_at === stoppedAt && typeof earlier.acknowledged_at === 'number';
  return applied('the copy stop is acknowledged', { ok: true }, wasAlreadyApplied);
});

/** A session is known to be revoked when a request with it is no longer authorized. */
export const revokedSession: ReadBack<{ revoked: boolean }> = {
  find: async ({ client, signal }) => {
    try {
      await client.call('listAccounts', { signal });
      return notApplied('the session is still accepted');
    } catch (error) {
      // Only the service itself puts an id on its answers, not a proxy in front of it.
      if (error instanceof ApiError && error.status === 401 && error.requestId !== undefined)
        return applied('the session is no longer accepted', { revoked: true });
      throw error;
    }
  },
};

/**
 * One verdict over all parts of an atomic write. All in place: applied, even if some were in place before. None in
 * place: not applied. Only some in place: someone else also changed them, so the outcome is unknown.
 */
function conclude<Data>(effects: readonly (Effect | undefined)[], what: string, data: Data): Outcome<Data> {
  const parts = effects.filter((effect) => effect !== undefined);
  const absent = parts.filter((effect) => effect === 'absent').length;
  if (absent === 0) return applied(`the requested ${what} are in place`, data, !parts.includes('seen'));
  if (parts.includes('seen'))
    return unknown(`${absent} of ${parts.length} ${what} are not in place, but the others are`);
  return notApplied(`the requested ${what} are not in place`);
}

/**
 * Whether a requested value is in place now; undefined if none was requested. Both null and absent mean that there is
 * no value.
 */
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

/** An order that had ended before the write was sent can't have been changed by it. */
function endedBefore(before: Order | undefined): Outcome<Order> | undefined {
  return before === undefined || !isOver(before)
    ? undefined
    : notApplied(`the order was already ${before.status}`, true);
}

function orderChange(order: Order, wanted: ModifyOrderRequest, before: Order | undefined): Outcome<Order> {
  const price = workingPrice(order);
  if (typeof price !== 'number') return unknown('the order has no price');
  const isAsBefore = before !== undefined && price === workingPrice(before) && totalSize(order) === totalSize(before);
  if (price === wanted.price && isSizeAsWanted(order, wanted.size))
    return applied('the order has that price and size', order, isAsBefore);
  return isAsBefore || before === undefined
    ? notApplied(`the order's price is ${price}`, isOver(order))
    : unknown('the order has been changed to other values');
}

/** The price that an amendment changes: the trigger of an armed order, else the limit. */
function workingPrice(order: Order): number | undefined {
  const isTriggered = order.triggered_at !== undefined || order.stop_triggered_at !== undefined;
  return order.trigger_price !== undefined && !isTriggered ? order.trigger_price : order.limit_price;
}

/** The requested size is the remainder at that time; later fills can only make it smaller. */
function isSizeAsWanted(order: Order, wanted: number | undefined): boolean {
  if (wanted === undefined || order.size === wanted) return true;
  return order.status === 'filled' || (order.size < wanted && (order.filled_size ?? 0) > 0);
}

function totalSize(order: Order): number {
  return order.size + (order.filled_size ?? 0);
}

type SavedGroup = SaveCopyTradingRequest['groups'][number];

function groupEffects(
  wanted: SaveCopyTradingRequest,
  saved: readonly (CopyTradingConfiguration | undefined)[],
  now: readonly CopyTradingConfiguration[],
  before: readonly CopyTradingConfiguration[] | undefined,
): Effect[] {
  const deletions = wanted.deleted_config_ids.map((id): Effect => {
    if (now.some((group) => group.config_id === id)) return 'absent';
    return before?.some((group) => group.config_id === id) === false ? 'as_before' : 'seen';
  });
  const saves = wanted.groups.map((group, at): Effect => {
    if (saved[at] === undefined) return 'absent';
    const wasThere = group.config_id !== undefined && before?.some((candidate) => isSameGroup(candidate, group));
    return wasThere ? 'as_before' : 'seen';
  });
  return [...deletions, ...saves];
}

/** The group that shows each group of the request; two equal groups need two. */
function savedGroups(
  wanted: readonly SavedGroup[],
  now: readonly CopyTradingConfiguration[],
  before: readonly CopyTradingConfiguration[] | undefined,
): (CopyTradingConfiguration | undefined)[] {
  const left = [...now];
  return wanted.map((group) => {
    const at = left.findIndex(
      (candidate) => isSameGroup(candidate, group) && !isOlderThanNew(candidate, group, before),
    );
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
}

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

/** A group that existed before is not the new one, even if equal. */
function isOlderThanNew(
  candidate: CopyTradingConfiguration,
  group: SavedGroup,
  before: readonly CopyTradingConfiguration[] | undefined,
): boolean {
  return group.config_id === undefined && before?.some((earlier) => earlier.config_id === candidate.config_id) === true;
}

function strategyCancellation<Strategy extends { status: string }>(
  order: Strategy,
  before: Strategy | undefined,
): Outcome<Strategy> {
  const isCanceled = (status: string | undefined) => status === 'canceled' || status === 'canceling';
  if (!isCanceled(order.status)) return uncanceled(order, ['running', 'working'], ['completed', 'rejected']);
  return applied(`the order is ${order.status}`, order, isCanceled(before?.status));
}

function isCancelAsked(order: Order | undefined): boolean {
  return order?.status === 'canceled' || typeof order?.cancel_requested_at === 'number';
}

/** The finding for an order that is not canceled, by its status; an unknown status proves nothing. */
function uncanceled(order: { status: string }, working: readonly string[], ended: readonly string[]): Outcome<never> {
  const { status } = order;
  if (working.includes(status) || ended.includes(status))
    return notApplied(`the order is ${status}`, ended.includes(status));
  return unknown(`the order has the status ${JSON.stringify(status)}`);
}

function isOver({ status }: Order): boolean {
  return status === 'filled' || status === 'canceled' || status === 'expired' || status === 'rejected';
}

function bodyOf<T>(intent: Intent): T {
  return JSON.parse(intent.body ?? '{}') as T;
}

/**
 * The effect of each operation of an exit batch, as the position's exits show it now. The request's `expected_orders`
 * is the state before it, so nothing else needs to be known.
 */
async function batchEffects(question: Question, position: Position, batch: ExitOrderBatchRequest): Promise<Effect[]> {
  const { client, signal } = question;
  const query = { account_id: position.account_id, status: 'working' } as const;
  const { data: working } = await client.call('listOrders', { query, signal });
  const expected = new Map(batch.expected_orders.map((order) => [order.order_id, order]));
  const isNew = (order: Order) => !expected.has(order.id) && isExitOf(order, position);
  const placed = working.filter(isNew);
  const effects: Effect[] = [];
  for (const operation of batch.operations) {
    effects.push(
      operation.kind === 'place'
        ? placement(operation, placed)
        : await changed(
            operation,
            (await client.call('getOrder', { path: { order_id: operation.order_id }, signal })).data,
            expected,
          ),
    );
  }
  return effects;
}

type Placement = Extract<ExitOperation, { kind: 'place' }>;
type Change = Exclude<ExitOperation, { kind: 'place' }>;

/** Removes the order that shows the placement from the rest: two equal placements need two orders. */
function placement(operation: Placement, placed: Order[]): Effect {
  const at = placed.findIndex(
    (order) =>
      exitGroupOf(order.type) === operation.group &&
      exitPrice(order) === operation.price &&
      order.size === operation.size,
  );
  if (at < 0) return 'absent';
  placed.splice(at, 1);
  return 'seen';
}

function changed(
  operation: Change,
  now: Order,
  expected: ReadonlyMap<string, { price: number; size: number }>,
): Effect {
  if (operation.kind === 'cancel') return now.status === 'canceled' ? 'seen' : 'absent';
  const before = expected.get(operation.order_id);
  const isThere = exitPrice(now) === operation.price && (operation.size === undefined || now.size === operation.size);
  if (!isThere) return 'absent';
  const wasThere =
    before?.price === operation.price && (operation.size === undefined || before.size === operation.size);
  return wasThere ? 'as_before' : 'seen';
}

/** The price as a batch gives it: the trigger, or without one the limit (simulation 4.3). */
function exitPrice(order: Order): number | undefined {
  return order.trigger_price ?? order.limit_price;
}

function isExitOf(order: Order, position: Position): boolean {
  if (order.target_position_id !== undefined) return order.target_position_id === position.id;
  return order.reduce_only && order.market_id === position.market_id;
}
