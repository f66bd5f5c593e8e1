import type { Operation } from '../contract/operation.ts';
import type { KnownOperationId } from '../contract/operations.ts';
import type { WireResponse } from '../contract/wire.ts';
import { isRecord, refusalOf } from './errors.ts';
import type { Intent } from './intent.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a path names a resource: the parameter, and the field of the answer that must equal it (default `id`). */
interface Named {
  readonly parameter: string;
  readonly field?: string;
}

const namedByPath: Readonly<Partial<Record<KnownOperationId, Named>>> = {
  getAccount: { parameter: 'account_id' },
  getAccountTradingPolicy: { parameter: 'account_id', field: 'account_id' },
  getMarket: { parameter: 'market_id', field: 'market_id' },
  getMarketQuote: { parameter: 'market_id', field: 'market_id' },
  getPosition: { parameter: 'position_id' },
  replacePositionExitOrders: { parameter: 'position_id' },
  setPositionIsolatedMargin: { parameter: 'position_id' },
  getOrder: { parameter: 'order_id' },
  modifyOrder: { parameter: 'order_id' },
  cancelOrder: { parameter: 'order_id' },
  updateAttachedExits: { parameter: 'order_id' },
  getTwapOrder: { parameter: 'twap_order_id' },
  cancelTwapOrder: { parameter: 'twap_order_id' },
  getScaledOrder: { parameter: 'scaled_order_id' },
  cancelScaledOrder: { parameter: 'scaled_order_id' },
  simExplainOrder: { parameter: 'order_id', field: 'order_id' },
};

/** How the answer to a write that creates something repeats the request: which fields, and which of them hold the size. */
interface Made {
  readonly repeats: (body: Fields, path: Fields) => Fields;
  /** A field and a value that only another request's answer would have. */
  readonly otherWord?: (body: Fields) => readonly [field: string, word: string];
  readonly sizes?: readonly string[];
  readonly reduces?: (body: Fields) => boolean;
}

const order: Made = {
  repeats: ({ account_id, market_id, side, type = 'market', client_order_id }) => ({
    account_id,
    market_id,
    side,
    mode: type,
    client_order_id,
  }),
  sizes: ['initial_size', 'size'],
  reduces: ({ reduce_only, type }) => reduce_only === true || type === 'take_profit',
};
const bulk = (otherOperation: string): Made => ({
  repeats: (_, { account_id }) => ({ account_id }),
  otherWord: () => ['operation', otherOperation],
});

const madeByWrite: Readonly<Partial<Record<KnownOperationId, Made>>> = {
  createOrder: order,
  closePosition: { ...order, reduces: () => true },
  createTwapOrder: {
    repeats: ({ account_id, market_id, side }) => ({ account_id, market_id, side }),
    otherWord: ({ strategy }) => ['strategy', strategy === 'vwap' ? 'twap' : 'vwap'],
    sizes: ['total_size'],
    reduces: ({ reduce_only }) => reduce_only === true,
  },
  createScaledOrder: {
    repeats: ({ account_id, market_id, side }) => ({ account_id, market_id, side }),
    sizes: ['total_size'],
    reduces: ({ reduce_only }) => reduce_only === true,
  },
  cancelAllAccountOrders: bulk('close_all_positions'),
  closeAllAccountPositions: bulk('cancel_all_orders'),
};

/** Writes whose answer confirms that they were done. */
const confirmations: Readonly<Partial<Record<KnownOperationId, (data: Fields) => boolean>>> = {
  acknowledgeCopyTradingStop: ({ ok }) => ok === true,
  disableCopyTradingConfiguration: ({ ok }) => ok === true,
  saveCopyTradingConfigurations: ({ ok }) => ok === true,
  cancelOrder: ({ canceled }) => canceled !== false,
  revokeCliSession: ({ revoked }) => typeof revoked === 'boolean',
};

/**
 * Why an answer cannot belong to this request: its shape is wrong, it is about another resource, or it repeats another
 * request. Undefined if it can. (A connection that delivers one answer twice gives every later request the answer before
 * its own.) Only the fields that identify the resource are compared; any other field may be absent, null or new.
 */
export function misfit(operation: Operation, intent: Intent, answer: WireResponse): string | undefined {
  const { status, body } = answer;
  if (status >= 400) return misfitOfRefusal(intent, body);
  if (status >= 300) return undefined;
  const data = isRecord(body) ? body.data : undefined;
  return misfitOfShape(operation, data) ?? misfitOfRows(intent, data) ?? misfitOfResource(intent, status, data);
}

/** The same for a resource from elsewhere, such as a write's order found in a list later. */
export function misfitOfResource(intent: Intent, status: number, data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  const id = intent.operationId as KnownOperationId;
  const named = namedByPath[id];
  const made = madeByWrite[id];
  const why =
    (named === undefined ? undefined : misnamed(named, intent, data)) ??
    (made === undefined ? undefined : otherwiseMade(made, intent, status, data));
  if (why !== undefined) return `${why}: it belongs to another request`;
  if (confirmations[id]?.(data) === false) return 'the answer does not say that it was done';
  return undefined;
}

/** A refusal may name the client order id that it refused. */
function misfitOfRefusal({ clientOrderId }: Intent, body: unknown): string | undefined {
  const { client_order_id: given } = refusalOf(body);
  if (clientOrderId === undefined || typeof given !== 'string' || given === clientOrderId) return undefined;
  return `the refusal is about ${shown(given)}, not ${shown(clientOrderId)}: it belongs to another request`;
}

/** The contract says whether `data` is a resource or a list of resources. */
function misfitOfShape(operation: Operation, data: unknown): string | undefined {
  const success = Object.entries(operation.responses).find(([status]) => Number(status) < 300)?.[1];
  const wanted = success?.schema.properties?.data?.type;
  if (wanted === 'array') return Array.isArray(data) && data.every(isRecord) ? undefined : 'the answer is not a list';
  return wanted === 'object' && !isRecord(data) ? 'the answer is not a resource' : undefined;
}

/** The rows of a list must have the account or client order id that was asked for. */
function misfitOfRows({ target }: Intent, data: unknown): string | undefined {
  const at = target.indexOf('?');
  if (!Array.isArray(data) || at < 0) return undefined;
  const query = new URLSearchParams(target.slice(at));
  for (const field of ['account_id', 'client_order_id']) {
    const wanted = query.get(field);
    const other = wanted === null ? undefined : data.find((row) => isOther(row[field], wanted));
    if (other !== undefined) return `a ${field} in the list is ${shown(other[field])}, not ${shown(wanted)}`;
  }
  return undefined;
}

function isOther(given: unknown, wanted: string): boolean {
  return typeof given === 'string' && given !== wanted;
}

function misnamed({ parameter, field = 'id' }: Named, { path }: Intent, data: Fields): string | undefined {
  const wanted = path[parameter];
  const given = data[field];
  if (given === wanted && typeof given === 'string') return undefined;
  // A path may name an order by its client order id, too.
  if (parameter === 'order_id' && typeof given === 'string' && data.client_order_id === wanted) return undefined;
  return `the answer is about ${shown(given)}, not ${shown(wanted)}`;
}

function otherwiseMade(made: Made, intent: Intent, status: number, data: Fields): string | undefined {
  if (typeof data.id !== 'string' || data.id === '') return `the answer's id is ${shown(data.id)}`;
  const body = (intent.body === undefined ? {} : JSON.parse(intent.body)) as Fields;
  for (const [field, wanted] of Object.entries(made.repeats(body, intent.path))) {
    if (wanted !== undefined && data[field] !== wanted)
      return `the answer's ${field} is ${shown(data[field])}, not ${shown(wanted)}`;
  }
  const [field = '', word] = made.otherWord?.(body) ?? [];
  if (word !== undefined && data[field] === word) return `the answer's ${field} is ${shown(word)}`;
  // A replay shows the order as it is now, and an amendment or a fill may have changed its size.
  return status === 201 ? otherSize(made, body, data) : undefined;
}

/** A reducing order may have been cut to the position. The `size` of a working order is what remains of it. */
function otherSize({ sizes = [], reduces }: Made, body: Fields, data: Fields): string | undefined {
  const wanted = body.size;
  const filled = typeof data.filled_size === 'number' ? data.filled_size : 0;
  const given = sizes.map((field) => data[field]).filter((size) => typeof size === 'number');
  if (typeof wanted !== 'number' || given.length === 0) return undefined;
  const isAsWanted = [...given, given.at(-1)! + filled].some((size) => isNear(size, wanted));
  if (isAsWanted || (reduces?.(body) === true && Math.max(...given) < wanted)) return undefined;
  return `the answer's size is ${shown(given[0])}, not ${shown(wanted)}`;
}

/** Equal up to the rounding of binary fractions. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.abs(other);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
