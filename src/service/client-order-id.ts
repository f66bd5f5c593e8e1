import { Failure } from './failure.ts';
import type { Principal } from './keys.ts';
import type { Turn } from './simulation.ts';

/** 409 if the owner already has an order or close with this id in this environment (simulation 8.3). */
export function refuseTakenClientOrderId(
  { requests }: Turn,
  { owner, environment }: Principal,
  clientOrderId: string | undefined,
): void {
  // Of two in one batch, the store refuses the second; done alone, it then finds the first here.
  if (clientOrderId === undefined || requests.orderByClientId(owner, environment, clientOrderId) === null) return;
  throw new Failure('client_order_id_conflict', 'This client_order_id already belongs to another order.', {
    clientOrderId,
  });
}
