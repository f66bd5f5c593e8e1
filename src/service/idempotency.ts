import { Failure, type FailureFacts } from '../hosting/failure.ts';
import { requestHash } from '../hosting/request-hash.ts';
import type { Answer, CallContext } from './operations.ts';
import type { Turn } from './simulation.ts';

/** The result of an idempotent operation: the answer, and the resource that a replay shows. */
export interface Effect<Body> {
  resourceKind: string;
  resourceId: string;
  answer: Answer<Body>;
  /** The parts of the answer that the resource does not show. */
  kept?: unknown;
}

/** A trade rejection as stored for its replay. */
interface KeptRejection {
  code: 'rule_violation' | 'cooldown';
  message: string;
  facts: FailureFacts;
}

/**
 * Runs `act` once for every owner, operation and key (simulation 8.3). A replay shows the resource as it is now, or
 * repeats the rejection of an order that was kept; any other refusal leaves the key free. The outcome is committed
 * together with the effect.
 */
export function once<Body>(
  call: CallContext & { readonly path?: unknown; readonly body?: unknown },
  { requests, exchange }: Turn,
  { act, replay }: { act: () => Effect<Body>; replay: (resourceId: string, kept: unknown) => Answer<Body> },
): Answer<Body> {
  const { principal, idempotencyKey: key } = call;
  const operation = `${principal.environment}:${call.operationId}`;
  const hash = requestHash(call.path, call.body);
  const known = requests.idempotency(principal.owner, operation, key);
  if (known !== null) {
    if (known.payloadHash !== hash)
      throw new Failure('idempotency_conflict', 'This Idempotency-Key was used for another request.');
    if (known.status === 422) throw kept(known.outcome as KeptRejection);
    return replay(known.resourceId!, known.outcome);
  }
  const remember = (status: number, resourceKind: string, resourceId: string, outcome: unknown) =>
    requests.remember({
      owner: principal.owner,
      operation,
      key,
      payloadHash: hash,
      resourceKind,
      resourceId,
      status,
      outcome,
      createdAt: exchange.time,
    });
  try {
    const { answer, resourceKind, resourceId, kept = null } = act();
    remember(answer.status, resourceKind, resourceId, kept);
    return answer;
  } catch (error) {
    if (error instanceof Failure && error.status === 422 && error.facts.orderId !== undefined) {
      const { code, message, facts } = error;
      remember(422, 'order', error.facts.orderId, { code, message, facts });
    }
    throw error;
  }
}

function kept({ code, message, facts }: KeptRejection): Failure {
  return new Failure(code, message, facts);
}
