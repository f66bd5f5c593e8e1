import { isJsonObject } from '../../base/terms/json-object.ts';
import type { KnownOperationId } from '../contract/operations.ts';
import type { Order } from '../contract/orders.ts';
import type { ScaledOrder, TwapOrder } from '../contract/strategies.ts';
import { clientOrderIdFor, isDrawnName } from './form-request.ts';
import type { Intent } from './intent.ts';
import { items } from './pages.ts';
import { applied, notApplied, type Outcome, type Question, type ReadBack, unknown } from './question.ts';

/** An order or a close is found by its client order id, which the service stores with it (API 4.5). */
export const placedOrder: ReadBack<Order> = {
  find: async (question) => {
    const { client, intent, signal } = question;
    const { clientOrderId } = intent;
    if (clientOrderId === undefined) return unknown('it has no client order id to find it by');
    const { data } = await client.call('listOrders', { query: { client_order_id: clientOrderId }, signal });
    const [order, ...others] = data;
    if (order === undefined) return notApplied('no order has its client order id');
    if (others.length > 0) return unknown(`${data.length} orders have its client order id`);
    if (await isOlder(order, question)) return unknown(`order ${order.id}, which has its client order id, is older`);
    return applied(stateOf(order), order);
  },
};

/**
 * Whether an order existed before the write was sent: if the caller has used its id before, the service refuses the
 * write. An id that was made from the key is never used twice, and a key of the caller's own means the order that was
 * made under it, however old.
 */
async function isOlder({ account_id, requested_at }: Order, question: Question): Promise<boolean> {
  const { idempotencyKey: key = '', clientOrderId } = question.intent;
  if (clientOrderId === clientOrderIdFor(key) || !isDrawnName(clientOrderIdFor(key))) return false;
  const { aheadMs, marginMs } = await clockOf(question, account_id);
  return requested_at - aheadMs < question.sentAt - marginMs;
}

function stateOf({ id, status, reject_message, reject_reason }: Order): string {
  if (status !== 'rejected') return `order ${id} is ${status}`;
  return `order ${id} was rejected: ${reject_message ?? reject_reason ?? 'no reason given'}`;
}

type Fields = Readonly<Record<string, unknown>>;
type Strategy = TwapOrder | ScaledOrder;

/** A kind of strategy: its lists, and its terms besides its owner and size. */
interface Kind {
  readonly list: 'listActiveTwapOrders' | 'listScaledOrders';
  readonly statuses: readonly (string | undefined)[];
  readonly terms: (asked: Fields) => Fields;
}

/** By the operation that makes it. */
const kinds: Readonly<Record<string, Kind>> = {
  createTwapOrder: {
    list: 'listActiveTwapOrders',
    statuses: ['active', 'completed', 'canceled'],
    terms: (asked) => ({
      strategy: asked.strategy ?? 'twap',
      duration_minutes: asked.duration_minutes,
      slice_interval_seconds: asked.slice_interval_seconds,
      randomize: asked.randomize ?? false,
      trigger_price: asked.trigger_price,
      max_price: asked.max_price,
      min_price: asked.min_price,
    }),
  },
  createScaledOrder: {
    list: 'listScaledOrders',
    statuses: [undefined],
    terms: ({ rung_count, distribution, start_price, end_price }) => {
      return { rung_count, distribution, start_price, end_price };
    },
  },
};

/** A TWAP, a VWAP or a ladder carries no id of ours: it is found in the lists by its terms and its time. */
export const startedTwap: ReadBack<TwapOrder> = { before: listedBefore, find: findListed<TwapOrder> };
/** The same for a ladder. */
export const placedLadder: ReadBack<ScaledOrder> = { before: listedBefore, find: findListed<ScaledOrder> };

/** The precision of the service's clock: with and without an account's time. */
const toldMs = 2_000;
const untoldMs = 60_000;
/** All attempts at one write and the waits between them. */
const attemptsMs = 240_000;
/** The longest strategy runs for a day; nothing older can be listed after a younger one that has ended. */
const longestMs = 25 * 3_600_000;
const mostListed = 1_000;

/**
 * The listing just before a write, so that an older twin isn't mistaken for its result; `at` is the service's time
 * then.
 */
interface Listed {
  readonly ids: readonly string[];
  readonly at?: number | undefined;
}

/** The number of recent ones kept; any other is older. */
const mostKept = 50;

async function listedBefore(question: Question): Promise<Listed> {
  const { list, statuses } = kinds[question.intent.operationId]!;
  const { account_id } = JSON.parse(question.intent.body ?? '{}') as Fields;
  const ids: string[] = [];
  for (const status of statuses) {
    let count = 0;
    for await (const { id } of strategies<Strategy>(question, list, { account_id, status, limit: mostKept })) {
      ids.push(id);
      if (++count === mostKept) break;
    }
  }
  const at = await timeOf(question, String(account_id));
  return { ids, ...(at !== undefined && { at }) };
}

function isListed(value: unknown): value is Listed {
  return isJsonObject(value) && Array.isArray(value.ids);
}

async function findListed<S extends Strategy>(question: Question): Promise<Outcome<S>> {
  const { client, intent } = question;
  const { list, statuses } = kinds[intent.operationId]!;
  const asked = JSON.parse(intent.body ?? '{}') as Fields;
  const seen = new Map<string, S>();
  const before = isListed(question.before) ? question.before : undefined;
  const older = new Set(before?.ids);
  const clock = await clockOf(question, String(asked.account_id));
  // Of two clocks, only the service's own appears in its lists; ours may have been set since.
  const sentAt = before?.at ?? question.sentAt + clock.aheadMs;
  const isOlder = ({ id }: S) => older.has(id) || client.isOfAnother(id);
  for (const status of statuses) {
    let count = 0;
    for await (const strategy of strategies<S>(question, list, { account_id: asked.account_id, status })) {
      if (strategy.started_at < sentAt - longestMs) break;
      if (++count > mostListed) return unknown('its list is too long to find it in');
      if (isStrategyOf(intent, strategy) && !isOlder(strategy)) seen.set(strategy.id, strategy);
    }
  }
  return matched([...seen.values()], sentAt, before?.at === undefined ? clock.marginMs : toldMs);
}

/** Whether an operation makes a TWAP or a ladder, which carry no id of ours. */
export function makesStrategy(operationId: string): boolean {
  return Object.hasOwn(kinds, operationId);
}

/** The same in the earlier list, including one that the write didn't make. */
export function notMade(before: unknown, id: string): Listed {
  return isListed(before) ? { ...before, ids: [...before.ids, id] } : { ids: [id] };
}

/** The strategies of one list, newest first. */
function strategies<S extends Strategy>(
  { client, signal }: Question,
  list: Kind['list'],
  query: Fields,
): AsyncGenerator<S, void> {
  const fetchPage = async (cursor: string | undefined) => {
    const request = { query: { ...query, ...(cursor === undefined ? {} : { cursor }) }, signal };
    return (await client.call(list as KnownOperationId, request as never)).body;
  };
  return items<'listScaledOrders'>(fetchPage) as AsyncGenerator<unknown, void> as AsyncGenerator<S, void>;
}

/** How far the service's clock is ahead of ours: an account is marked at the time of its answer. */
async function clockOf(question: Question, account_id: string) {
  const time = await timeOf(question, account_id);
  return time === undefined
    ? { aheadMs: 0, marginMs: untoldMs }
    : { aheadMs: time - question.client.now(), marginMs: toldMs };
}

async function timeOf({ client, signal }: Question, account_id: string): Promise<number | undefined> {
  const { data } = await client.call('getAccount', { path: { account_id }, signal });
  const time = data.risk?.observed_at;
  return typeof time === 'number' ? time : undefined;
}

/** The finding when equal strategies exist: ours is the only one that began while it was being sent. */
function matched<S extends Strategy>(alike: readonly S[], sentAt: number, marginMs: number): Outcome<S> {
  const younger = alike.filter(({ started_at }) => !(started_at < sentAt - marginMs));
  const [found, ...others] = younger;
  if (found === undefined) return notApplied('no list has an equal order from that time');
  if (others.length > 0)
    return unknown(`${younger.length} equal orders began at that time or later: it is unknown which one it is`);
  if (!(found.started_at <= sentAt + attemptsMs + marginMs))
    return unknown(`an equal order, ${found.id}, began later: it is unknown whether it is this one`);
  return applied(`order ${found.id} is ${found.status}`, found);
}

/** Whether this request may have made a listed strategy. Fields that the service omits prove nothing. */
export function isStrategyOf({ operationId, body }: Intent, strategy: object): boolean {
  const given = strategy as Fields;
  const asked = JSON.parse(body ?? '{}') as Fields;
  const terms = kinds[operationId]?.terms(asked);
  const { account_id, market_id, side, leverage, margin_mode, reduce_only = false } = asked;
  const repeated = { account_id, market_id, side, leverage, margin_mode, reduce_only, ...terms };
  return (
    Object.entries(repeated).every(([name, wanted]) => isEqual(given[name], wanted)) &&
    isSizeOf(given.total_size, asked)
  );
}

/** A reducing strategy may have been cut to the position. */
function isSizeOf(total: unknown, { size, reduce_only }: Fields): boolean {
  return isEqual(total, size) || (reduce_only === true && Number(total) < Number(size));
}

/** Equal up to the rounding of binary fractions, or one of them is absent. */
function isEqual(given: unknown, wanted: unknown): boolean {
  if (given === undefined || given === null || wanted === undefined || wanted === null) return true;
  if (typeof given === 'number' && typeof wanted === 'number')
    return Math.abs(given - wanted) <= 1e-9 * Math.abs(wanted);
  return given === wanted;
}
