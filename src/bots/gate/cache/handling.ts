import { exitGroupOf } from '../../../base/terms/order-types.ts';
import type { GateWrite } from '../../../desk/mandate/mandate.ts';
import type { WriteId } from '../../../wire/client/writes.ts';
import type { OperationId } from '../../../wire/contract/operations.ts';
import type { Order, UpdateAttachedExitsRequest } from '../../../wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../../wire/contract/positions.ts';

/** A write that counts until the frames show its effect. */
export interface PendingWrite {
  readonly bot: string;
  readonly write: GateWrite;
  /** The client order id under which the service knows its order. */
  readonly clientOrderId: string | undefined;
  /** The service's answer; undefined while the outcome is unknown. */
  answer: unknown;
  /** When it answered, on the clock of the cache; undefined until then. */
  answeredAt: number | undefined;
  /** Values that no stream carries have not been read since the answer. */
  awaitsReading: boolean;
}

/** The state shown by the frames so far. */
interface Shown {
  /** A working order, by its id or client order id. */
  order(id: string): Order | undefined;
  /** An open position. */
  position(id: string): Position | undefined;
  /** Whether an order was ever shown, and its position the trade. By id or client order id. */
  hasShown(id: string): boolean;
  working(account: string): readonly Order[];
  /**
   * A state that looks like the result of a change may look so because that change, or an earlier one, has not arrived
   * yet.
   */
  mayBeUndone(pending: PendingWrite): boolean;
  /** The exchange's time of the snapshots that the stream began with, Unix ms. */
  readonly snapshotTime: number;
}

/** Whether the frames show all of a write's effect. */
type Test = (pending: PendingWrite, shown: Shown) => boolean;

const isAnswered: Test = ({ answeredAt }) => answeredAt !== undefined;

/** The order that a write made, by its given name or by the id in its answer. */
const isMade: Test = ({ clientOrderId, answer }, shown) => {
  const { id, settled_at: settled, canceled_at: canceled } = (answer ?? {}) as Partial<Order>;
  // The answer to a repetition may be of an order that had ended before the stream began.
  if ((settled ?? canceled ?? Number.POSITIVE_INFINITY) < shown.snapshotTime) return true;
  return (id !== undefined && shown.hasShown(id)) || (clientOrderId !== undefined && shown.hasShown(clientOrderId));
};

/** Something is shown of each order that its answer names. */
const areAll =
  (
    idsIn: (answer: Answered) => readonly (string | undefined)[],
    isShown: (id: string, shown: Shown) => boolean,
  ): Test =>
  ({ answer, answeredAt }, shown) =>
    answeredAt !== undefined && idsIn((answer ?? {}) as Answered).every((id) => id === undefined || isShown(id, shown));

const isMadeOf = (id: string, shown: Shown) => shown.hasShown(id);

/** The parts of answers that name orders. */
interface Answered {
  readonly results?: readonly { readonly order_id?: string; readonly order?: { readonly id: string } }[];
  readonly rungs?: readonly { readonly order_id?: string }[];
}

const rungIds = ({ rungs = [] }: Answered) => rungs.map(({ order_id }) => order_id);

const isCanceled: Test = ({ write }, shown) => isGone(write.path?.order_id ?? '', shown);

/** A working order is as the change of it wants. */
const isChanged =
  (isAs: (order: Order, pending: PendingWrite) => boolean): Test =>
  (pending, shown) => {
    const id = pending.write.path?.order_id ?? '';
    const order = shown.order(id);
    return order === undefined ? shown.hasShown(id) : !shown.mayBeUndone(pending) && isAs(order, pending);
  };

/** An order has the size and price it was given. */
const isAmended = isChanged((order, { answer, write: { body } }) => {
  const size = (answer as Partial<Order> | undefined)?.size;
  const isSize = body?.size === undefined || order.size === body.size || order.size === size;
  return isSize && (order.limit_price === body?.price || order.trigger_price === body?.price);
});

/** An order has the attached exits it was given. */
const isAttached = isChanged((order, { write: { body } }) => {
  const { take_profit_price: target, stop_loss_price: stop } = body as UpdateAttachedExitsRequest;
  const isSet = (wanted: number | null | undefined, now: number | undefined) =>
    wanted === undefined || wanted === (now ?? null);
  return isSet(target, order.attached_take_profit_price) && isSet(stop, order.attached_stop_loss_price);
});

/** An open position is as the change of it wants. */
function isHeld(isAs: (position: Position, write: GateWrite, shown: Shown) => boolean): Test {
  return (pending, shown) => {
    const position = shown.position(pending.write.path?.position_id ?? '');
    return position === undefined || (!shown.mayBeUndone(pending) && isAs(position, pending.write, shown));
  };
}

/** A position has the exits it was given. */
const isCovered = isHeld(({ id }, { body, account }, shown) => {
  const exits = shown.working(account).filter(({ target_position_id: of }) => of === id);
  return ((body?.operations ?? []) as readonly ExitOperation[]).every((operation) =>
    isExitShown(operation, exits, shown),
  );
});

/** A position has the extra margin it was given. */
const isMargined = isHeld(({ isolated_margin_extra: extra }, { body }) => extra === body?.extra_margin);

/** Whether frames have shown that an order is no longer working, or will be canceled. */
function isGone(id: string, shown: Shown): boolean {
  const order = shown.order(id);
  return order === undefined ? shown.hasShown(id) : order.cancel_requested_at !== undefined;
}

function isExitShown(operation: ExitOperation, exits: readonly Order[], shown: Shown): boolean {
  if (operation.kind === 'cancel') return isGone(operation.order_id, shown);
  const isAt = ({ trigger_price, limit_price }: Order) => (trigger_price ?? limit_price) === operation.price;
  if (operation.kind === 'modify') {
    const { order_id: id, size } = operation;
    const exit = exits.find((one) => one.id === id);
    return exit === undefined ? shown.hasShown(id) : isAt(exit) && (size === undefined || size === exit.size);
  }
  return exits.some((exit) => exitGroupOf(exit.mode) === operation.group && isAt(exit) && exit.size === operation.size);
}

/**
 * How a request is confined to the accounts of its bot. A resource of another account is answered exactly as an unknown
 * one.
 */
type Confined =
  /** It concerns no account. */
  | 'open'
  /** The gate answers it, because it would concern the gate's own credential. */
  | 'credential'
  /** It lists accounts; the bot sees its own. */
  | 'accounts'
  /** It lists copy groups; the bot sees those whose members are all its own. */
  | 'groups'
  /** It may name an account; rows of other accounts are removed from its list. */
  | 'rows'
  /** It names an account, in its path, its query or its body. */
  | 'account'
  /** It names a resource, whose account is looked up. */
  | 'order'
  | 'position'
  | 'TWAP order'
  | 'scaled order'
  | 'copy-trading group'
  /** It names the members of copy groups, and groups. */
  | 'members';

/** Resources that are read because no stream reports them. */
export type Subject = 'twaps' | 'policy' | 'copies' | 'account' | 'fills' | 'gap';

/** The gate's handling of an operation, in addition to the contract. */
export interface Handling {
  readonly confined: Confined;
  /** Its body may have a client order id of the bot, or gets one of the gate. */
  readonly names?: true;
}

interface WriteHandling extends Handling {
  /** How its effect becomes visible: in frames, or by a reading after its answer. A TWAP's answer is as good as one. */
  readonly shownBy: Test | Subject;
  /** It changes what was there before, so that another may undo it. */
  readonly isChange?: true;
}

/** Every operation of the contract: a new one does not compile without its row, nor a write without what shows it. */
export const handling: { readonly [Id in OperationId]: Id extends WriteId ? WriteHandling : Handling } = {
  getApiInformation: { confined: 'open' },
  listRestrictedCountries: { confined: 'open' },
  exchangeCliAuthorizationCode: { confined: 'credential' },
  revokeCliSession: { confined: 'credential', shownBy: isAnswered },
  listAccounts: { confined: 'accounts' },
  getAccount: { confined: 'account' },
  getAccountTradingPolicy: { confined: 'account' },
  cancelAllAccountOrders: {
    confined: 'account',
    shownBy: areAll(({ results = [] }) => results.map(({ order_id }) => order_id), isGone),
  },
  closeAllAccountPositions: {
    confined: 'account',
    shownBy: areAll(({ results = [] }) => results.map(({ order }) => order?.id), isMadeOf),
  },
  acknowledgeCopyTradingStop: { confined: 'account', shownBy: 'policy' },
  listMarkets: { confined: 'open' },
  getMarket: { confined: 'open' },
  getMarketQuote: { confined: 'rows' },
  listOpenPositions: { confined: 'account' },
  getPosition: { confined: 'position' },
  closePosition: { confined: 'position', names: true, shownBy: isMade },
  replacePositionExitOrders: { confined: 'position', shownBy: isCovered, isChange: true },
  setPositionIsolatedMargin: { confined: 'position', shownBy: isMargined, isChange: true },
  listOrders: { confined: 'rows' },
  createOrder: { confined: 'account', names: true, shownBy: isMade },
  getOrder: { confined: 'order' },
  modifyOrder: { confined: 'order', shownBy: isAmended, isChange: true },
  cancelOrder: { confined: 'order', shownBy: isCanceled },
  updateAttachedExits: { confined: 'order', shownBy: isAttached, isChange: true },
  listFills: { confined: 'account' },
  listActiveTwapOrders: { confined: 'account' },
  createTwapOrder: { confined: 'account', shownBy: isAnswered },
  getTwapOrder: { confined: 'TWAP order' },
  cancelTwapOrder: { confined: 'TWAP order', shownBy: isAnswered },
  listScaledOrders: { confined: 'account' },
  createScaledOrder: { confined: 'account', shownBy: areAll(rungIds, isMadeOf) },
  getScaledOrder: { confined: 'scaled order' },
  cancelScaledOrder: { confined: 'scaled order', shownBy: areAll(rungIds, isGone) },
  listCopyTradingConfigurations: { confined: 'groups' },
  saveCopyTradingConfigurations: { confined: 'members', shownBy: 'copies' },
  disableCopyTradingConfiguration: { confined: 'copy-trading group', shownBy: 'copies' },
};
