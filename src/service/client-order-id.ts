import { Failure } from './failure.ts';
import type { Principal } from './keys.ts';
import type { Turn } from './simulation.ts';

/** 409 when the owner has an order or close of this name in this environment already (simulation 8). */
export function refuseTakenClientOrderId(
  { requests }: Turn,
  { owner, environment }: Principal,
  clientOrderId: string | undefined,
): void {
  // Of two in one batch the store refuses the second; done for itself, it then finds the first here.
  if (clientOrderId === undefined || requests.orderByClientId(owner, environment, clientOrderId) === null) return;
  throw new Failure('client_order_id_conflict', 'This client_order_id belongs to another order already.', {
    clientOrderId,
  });
}
