import type { GateWrite } from '../../desk/mandate/mandate.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { WriteId } from '../../wire/client/writes.ts';
import type { KnownOperationId } from '../../wire/contract/operations.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';

/** Writes that armed keys send: orders, closes, cancels and exits. */
const sent = [
  'createOrder',
  'modifyOrder',
  'closePosition',
  'replacePositionExitOrders',
  'cancelOrder',
  'cancelAllAccountOrders',
  'closeAllAccountPositions',
  'cancelTwapOrder',
  'cancelScaledOrder',
] as const satisfies readonly WriteId[];

/** A request of a write. */
export interface Written {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * A write as a mandate judges it, and the order whose walk through the book counts; undefined for writes that armed
 * keys don't send.
 */
export function mandatedWrite(
  id: KnownOperationId,
  { path, body }: Written,
  { account, accountId = '' }: LiveModel,
): { write: GateWrite; order?: CreateOrderRequest } | undefined {
  const operation = sent.find((one) => one === id);
  if (operation === undefined) return undefined;
  const order = operation === 'createOrder' ? (body as unknown as CreateOrderRequest) : undefined;
  const owner = order?.account_id ?? account?.orders.get(path?.order_id ?? '')?.account_id;
  return { write: { operation, account: owner ?? accountId, path, body }, ...(order !== undefined && { order }) };
}
