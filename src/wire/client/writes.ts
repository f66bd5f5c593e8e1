import { defaultType, isReduction } from '../../base/terms/order-types.ts';
import type { DataOf, OperationId, operations } from '../contract/operations.ts';
import type { ModifyOrderRequest, Order } from '../contract/orders.ts';
import type { ReadBack } from './question.ts';
import {
  acknowledgedCopyStop,
  amendedOrder,
  attachedExits,
  canceledOrder,
  canceledScaled,
  canceledTwap,
  disabledCopyGroup,
  exitBatch,
  isolatedMargin,
  revokedSession,
  savedCopyGroups,
} from './read-back.ts';
import { placedLadder, placedOrder, startedTwap } from './read-back-made.ts';

type Operations = typeof operations;
type Fields = Readonly<Record<string, unknown>>;

/** The writes of the API. The token exchange is not one: it needs no credential, and its answer is given once. */
export type WriteId = {
  [Id in OperationId]: Operations[Id]['method'] extends 'GET'
    ? never
    : Operations[Id]['auth'] extends 'required'
      ? Id
      : never;
}[OperationId];

/** Everything about a write except its request and its answers (contract). */
interface WriteFacts<Data> {
  /** A short phrase for the write. */
  readonly words: string;
  /**
   * The effect of sending it a second time, whenever the first arrives. `again`: it takes effect once more. `nothing`:
   * it removes what is already removed, sets what is already set, or is refused because the state it expects has
   * changed. `total`: it sets a desired total and is safe to retry. A function decides whether repeating it has no
   * effect, from its body and the resource before the first.
   */
  readonly secondTime: 'again' | 'nothing' | 'total' | ((body: Fields, before: unknown) => boolean);
  /** How its answer echoes the request, if it creates something. */
  readonly made?: Made;
  /** Whether its answer alone confirms that it was done. */
  readonly confirms?: (data: Fields) => boolean;
  /** How it is looked up; a write without it is repeated under its key. */
  readonly readBack?: ReadBack<Data>;
}

/**
 * How the answer to a write that creates something echoes the request: which fields, and which of them hold the size.
 */
export interface Made {
  readonly repeats?: (body: Fields) => Fields;
  /** A field and a value that only the answer to another request would have. */
  readonly otherWord?: (body: Fields) => readonly [field: string, word: string];
  readonly sizes?: readonly string[];
  /** Whether it can only reduce a position: then its size may have been cut to the position. */
  readonly reduces?: (body: Fields) => boolean;
}

type Facts<Id extends WriteId> = WriteFacts<DataOf<Id>> &
  (Operations[Id] extends { idempotent: true } ? unknown : { readonly readBack: ReadBack<DataOf<Id>> });

const trade = ({ account_id, market_id, side }: Fields) => ({ account_id, market_id, side });
const order: Made = {
  repeats: (body) => ({ ...trade(body), mode: body.type ?? defaultType, client_order_id: body.client_order_id }),
  sizes: ['initial_size', 'size'],
  reduces: isReduction,
};
const strategy: Made = {
  repeats: trade,
  sizes: ['total_size'],
  reduces: ({ reduce_only }) => reduce_only === true,
};
const isOk = ({ ok }: Fields) => ok === true;

/** Every write of the API: a new one does not compile without its facts, and without a key or a way to read it back. */
const facts: { readonly [Id in WriteId]: Facts<Id> } = {
  createOrder: { words: 'place', secondTime: 'again', made: order, readBack: placedOrder },
  modifyOrder: { words: 'amend order', secondTime: movesOnce, readBack: amendedOrder },
  cancelOrder: {
    words: 'cancel order',
    secondTime: 'nothing',
    confirms: ({ canceled }) => canceled !== false,
    readBack: canceledOrder,
  },
  updateAttachedExits: { words: 'change attached exits of', secondTime: 'nothing', readBack: attachedExits },
  cancelAllAccountOrders: {
    words: 'cancel all orders of',
    secondTime: 'nothing',
    made: { otherWord: () => ['operation', 'close_all_positions'] },
  },
  closeAllAccountPositions: {
    words: 'close all positions of',
    secondTime: 'nothing',
    made: { otherWord: () => ['operation', 'cancel_all_orders'] },
  },
  closePosition: {
    words: 'close',
    secondTime: 'again',
    made: { ...order, reduces: () => true },
    readBack: placedOrder,
  },
  replacePositionExitOrders: { words: 'change exits of', secondTime: 'nothing', readBack: exitBatch },
  setPositionIsolatedMargin: { words: 'set extra margin of', secondTime: 'total', readBack: isolatedMargin },
  createTwapOrder: {
    words: 'start',
    secondTime: 'again',
    made: { ...strategy, otherWord: ({ strategy: asked }) => ['strategy', asked === 'vwap' ? 'twap' : 'vwap'] },
    readBack: startedTwap,
  },
  cancelTwapOrder: { words: 'cancel', secondTime: 'nothing', readBack: canceledTwap },
  createScaledOrder: { words: 'place ladder', secondTime: 'again', made: strategy, readBack: placedLadder },
  cancelScaledOrder: { words: 'cancel ladder', secondTime: 'nothing', readBack: canceledScaled },
  saveCopyTradingConfigurations: {
    words: 'save copy groups',
    secondTime: namesEveryGroup,
    confirms: isOk,
    readBack: savedCopyGroups,
  },
  disableCopyTradingConfiguration: {
    words: 'disable copy group',
    secondTime: 'nothing',
    confirms: isOk,
    readBack: disabledCopyGroup,
  },
  acknowledgeCopyTradingStop: {
    words: 'acknowledge copy stop of',
    secondTime: 'nothing',
    confirms: isOk,
    readBack: acknowledgedCopyStop,
  },
  revokeCliSession: {
    words: 'revoke the session',
    secondTime: 'nothing',
    confirms: ({ revoked }) => typeof revoked === 'boolean',
    readBack: revokedSession,
  },
};

/** The facts of a write of the API; undefined for anything else. */
export function writeOf(operationId: string): WriteFacts<unknown> | undefined {
  return Object.hasOwn(facts, operationId) ? facts[operationId as WriteId] : undefined;
}

/**
 * An amendment with a size sets the remainder, even after fills; for an armed limit order it moves the trigger, and
 * later the limit.
 */
function movesOnce({ size }: Partial<ModifyOrderRequest>, before: unknown): boolean {
  const order = before as Order | undefined;
  const hasOnePrice = order !== undefined && (order.trigger_price === undefined || order.limit_price === undefined);
  return size === undefined && hasOnePrice;
}

/** Sent twice, a new copy group becomes two. */
function namesEveryGroup({ groups }: Fields): boolean {
  return (groups as readonly { config_id?: string }[]).every(({ config_id }) => config_id !== undefined);
}
