import type { Order } from '../engine/model.ts';
import { Failure } from './failure.ts';
import type { Principal } from './keys.ts';
import type { Moment } from './simulation.ts';

/** 409 when the owner has an order or close of this name already (simulation 8). */
export function refuseTakenClientOrderId(
  { requests }: Moment,
  { owner }: Principal,
  clientOrderId: string | undefined,
): void {
  // Of two in one batch the store refuses the second; done for itself, it then finds the first here.
  if (clientOrderId === undefined || requests.orderByClientId(owner, clientOrderId) === null) return;
  throw new Failure('client_order_id_conflict', 'This client_order_id belongs to another order already.', {
    clientOrderId,
  });
}

/** The order of this name in the caller's environment; names are unique over both (simulation 8). */
export function orderByClientId(
  moment: Moment,
  { owner, environment }: Principal,
  clientOrderId: string,
): Order | null {
  const order = moment.store.orderByClientId(owner, clientOrderId);
  return order !== null && moment.accountIdentity(order.accountId)?.environment === environment ? order : null;
}
