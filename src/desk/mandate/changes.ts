import { defaultExecution, defaultType, exitKinds, isReduction, orderKinds } from '../../base/terms/order-types.ts';
import type { WriteId } from '../../wire/client/writes.ts';
import type {
  CreateOrderRequest,
  ModifyOrderRequest,
  Order,
  UpdateAttachedExitsRequest,
} from '../../wire/contract/orders.ts';
import type { ExitOperation, ExitOrderBatchRequest } from '../../wire/contract/positions.ts';
import type { CreateScaledOrderRequest, CreateTwapOrderRequest } from '../../wire/contract/strategies.ts';
import { entryOf, pricesOf, stopsOf, twapEntry, workingEntry } from './entries.ts';
import type { Exposed, GateWrite } from './mandate.ts';
import type { Change, Stop } from './stake.ts';

const unknownOrder = 'The order is not known.';
const unknownPosition = 'The position is not known.';

/** A write's effect on its account's exposure. */
export function changeOf(exposed: Exposed, write: GateWrite): Change {
  return changes[write.operation](exposed, write);
}

type Judged = (exposed: Exposed, write: GateWrite) => Change;

/** It only reduces exposure. */
function reducing(markets: readonly string[], orders: number): Change {
  return { reduces: true, orders, markets, entries: [] };
}

function never(sentence: string): Judged {
  return () => ({ ...reducing([], 0), never: sentence });
}

const ownersCopies = 'Copy groups belong to the owner.';

/** Every write of the API: a new one does not compile without its line. */
const changes: { readonly [Id in WriteId]: Judged } = {
  createOrder: placed,
  modifyOrder: amended,
  cancelOrder: canceled,
  updateAttachedExits: attached,
  cancelAllAccountOrders: canceledAll,
  closeAllAccountPositions: (exposed) => reducing((exposed.positions ?? []).map(marketOf), 0),
  closePosition: (exposed, { path }) => reducing(marketsOf(positionAt(exposed, path)), 1),
  replacePositionExitOrders: exitBatch,
  setPositionIsolatedMargin: margined,
  createTwapOrder: sliced,
  cancelTwapOrder: (exposed, { path }) => reducing(marketsOf(find(exposed.twaps, path?.twap_order_id)), 0),
  createScaledOrder: scaled,
  cancelScaledOrder: (exposed, { path }) =>
    reducing(marketsOf(exposed.working?.find(({ scaled_order_id }) => scaled_order_id === path?.scaled_order_id)), 0),
  saveCopyTradingConfigurations: never(ownersCopies),
  disableCopyTradingConfiguration: never(ownersCopies),
  acknowledgeCopyTradingStop: never(ownersCopies),
  revokeCliSession: never('The login belongs to the owner.'),
};

interface InMarket {
  readonly market_id: string;
}

function marketOf({ market_id }: InMarket): string {
  return market_id;
}

function marketsOf(found: InMarket | undefined): string[] {
  return found === undefined ? [] : [found.market_id];
}

function find<T extends { id: string }>(list: readonly T[] | undefined, id: string | undefined): T | undefined {
  return list?.find((one) => one.id === id);
}

function positionAt({ positions }: Exposed, path: GateWrite['path']) {
  return find(positions, path?.position_id);
}

/** An order can be named by its id or by its owner's own. */
function orderAt({ working }: Exposed, path: GateWrite['path']): Order | undefined {
  const id = path?.order_id;
  return working?.find((order) => order.id === id || order.client_order_id === id);
}

function placed(exposed: Exposed, { body }: GateWrite): Change {
  const order = body as unknown as CreateOrderRequest;
  const { market_id: market, type: kind = defaultType, stop_loss_price: stop, replace_overlapping_exits } = order;
  if (isReduction(order)) return reducing([market], 1);
  const entry = entryOf(order, pricesOf(exposed, { ...order, kind }), {
    stop,
    replaces: replace_overlapping_exits === true,
  });
  return { reduces: false, orders: 1, markets: [market], entries: [entry] };
}

function amended(exposed: Exposed, { path, body }: GateWrite): Change {
  const order = orderAt(exposed, path);
  if (order === undefined) return { ...reducing([], 1), reduces: false, mayAdd: true, unknown: unknownOrder };
  const { price, size: given } = body as unknown as ModifyOrderRequest;
  // An amendment in progress may have made it larger, or moved it.
  const under = exposed.pending.flatMap((pending) => amendmentOf(order, pending));
  const size = given ?? Math.max(order.size, ...under.map((version) => version.size));
  const isArmed = order.trigger_price !== undefined && order.triggered_at === undefined;
  const after: Order = { ...order, size, ...(isArmed ? { trigger_price: price } : { limit_price: price }) };
  // An entry may fill before this arrives, and the stop that has grown with it is cut to the given size.
  if (isReduction(order)) return { ...protecting(exposed, after, 1), dropsLegs: given !== undefined };
  const prices = [isArmed ? order.trigger_price : order.limit_price, ...under.map((version) => version.price)];
  const stays = given === undefined && prices.every((before) => price === before);
  const entries = [workingEntry(exposed, after)];
  return { reduces: stays, orders: 1, markets: [order.market_id], entries, resizes: given !== undefined };
}

/** The order after a write that amends it. */
function amendmentOf(order: Order, { operation, path, body }: GateWrite): { size: number; price: number }[] {
  if (operation !== 'modifyOrder' || path?.order_id !== order.id) return [];
  const { price, size = order.size } = body as unknown as ModifyOrderRequest;
  return [{ size, price }];
}

/** A change of one reduction, which may be a stop. */
function protecting({ positions }: Exposed, after: Order, orders: number): Change {
  const held = positions?.find(({ market_id }) => market_id === after.market_id);
  const [stop] = held === undefined ? [] : stopsOf([after], held);
  const stops = (before: readonly Stop[]) => [
    ...before.filter(({ id }) => id !== after.id),
    ...(stop === undefined ? [] : [stop]),
  ];
  return { reduces: false, orders, markets: [after.market_id], entries: [], stops };
}

function canceled(exposed: Exposed, { path }: GateWrite): Change {
  const order = orderAt(exposed, path);
  if (order === undefined) return { ...reducing([], 0), reduces: false, unknown: unknownOrder };
  if (!isReduction(order)) return reducing([order.market_id], 0);
  const stops = (before: readonly Stop[]) => before.filter(({ id }) => id !== order.id);
  return { ...reducing([order.market_id], 0), reduces: false, stops };
}

function canceledAll({ working = [], pending }: Exposed, { account }: GateWrite): Change {
  const under = pending.filter((write) => write.account === account).map(({ body }) => body?.market_id);
  const markets = new Set([...working.map(marketOf), ...under.filter((market) => typeof market === 'string')]);
  // An entry may fill before this arrives, and then its stop is canceled, too.
  return { ...reducing([...markets], 0), reduces: false, stops: () => [], dropsLegs: true, isEverywhere: true };
}

function attached(exposed: Exposed, { path, body }: GateWrite): Change {
  const order = orderAt(exposed, path);
  if (order === undefined) return { ...reducing([], 0), reduces: false, unknown: unknownOrder };
  const { stop_loss_price: stop } = body as unknown as UpdateAttachedExitsRequest;
  if (stop === undefined || isReduction(order)) return reducing([order.market_id], 0);
  const entry = { ...workingEntry(exposed, order), stop: stop ?? undefined };
  return { reduces: false, orders: 0, markets: [order.market_id], entries: [entry], onlyStops: true };
}

function exitBatch(exposed: Exposed, { path, body }: GateWrite): Change {
  const { operations } = body as unknown as ExitOrderBatchRequest;
  const held = positionAt(exposed, path);
  const orders = operations.filter(({ kind }) => kind === 'place').length;
  if (held === undefined) return { ...reducing([], orders), reduces: false, unknown: unknownPosition };
  const stops = (before: readonly Stop[]) => operations.reduce(afterOperation, [...before]);
  return { reduces: false, orders, markets: [held.market_id], entries: [], stops };
}

function afterOperation(stops: Stop[], operation: ExitOperation): Stop[] {
  if (operation.kind === 'cancel') return stops.filter(({ id }) => id !== operation.order_id);
  const { price } = operation;
  if (operation.kind === 'modify') {
    const { order_id, size } = operation;
    return stops.map((stop) => (stop.id === order_id ? { ...stop, price, size: size ?? stop.size } : stop));
  }
  const { group, size, execution_type = defaultExecution } = operation;
  const isSure = orderKinds[exitKinds[group][execution_type]].meets === 'takes';
  if (group === 'sl') stops.push({ id: '', size, price, isExit: true, isSure });
  return stops;
}

function margined(exposed: Exposed, { path, body }: GateWrite): Change {
  const held = positionAt(exposed, path);
  if (held === undefined) return { ...reducing([], 0), reduces: false, unknown: unknownPosition };
  const { extra_margin: usd } = body as { extra_margin: number };
  return { ...reducing([held.market_id], 0), reduces: false, extraMargin: { position: held.id, usd } };
}

function sliced(exposed: Exposed, { body }: GateWrite): Change {
  const twap = body as unknown as CreateTwapOrderRequest;
  const { market_id: market } = twap;
  if (twap.reduce_only === true) return reducing([market], 1);
  return { reduces: false, orders: 1, markets: [market], entries: [twapEntry(exposed, twap)] };
}

/** All rungs at the worst of their prices: each of them may fill. */
function scaled(exposed: Exposed, { body }: GateWrite): Change {
  const ladder = body as unknown as CreateScaledOrderRequest;
  const { market_id: market, side, size, rung_count: orders } = ladder;
  if (ladder.reduce_only === true) return reducing([market], orders);
  const rungs = [ladder.start_price, ladder.end_price].map((limit_price) =>
    pricesOf(exposed, { market_id: market, side, size, kind: 'limit', limit_price }),
  );
  const prices = {
    price: Math.max(...rungs.map(({ price }) => price)),
    from: (side === 'buy' ? Math.max : Math.min)(...rungs.map(({ from }) => from)),
    at: ladder.start_price,
  };
  return { reduces: false, orders, markets: [market], entries: [entryOf(ladder, prices)] };
}
