import type { Operation } from '../../wire/contract/operation.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import { canonicalText } from '../../wire/hosting/read-request.ts';
import type { SeenRequest } from '../weather/survival.ts';
import type { CallContext } from './operations.ts';

/** Fields of a body that differ between two requests for the same thing. */
const incidental: ReadonlySet<string> = new Set(['client_order_id', 'expected_price']);

/**
 * Exposes a request to the weather of its simulation: it may be refused with 429 now, and lose its answer later. The
 * simulation's own operations are not exposed. Null if nothing can happen to it.
 */
export function exposedTo(call: CallContext & { path: unknown; body: unknown }, operation: Operation) {
  const { principal, idempotencyKey: key, simulation } = call;
  const { weather } = simulation;
  if (weather === null || operation.path.startsWith('/sim/')) return null;
  const client = principal.credentialHash ?? `${principal.kind} ${principal.owner}`;
  const request: SeenRequest = {
    client,
    operation: operation.id,
    isWrite: operation.method !== 'GET',
    key,
    fingerprint: fingerprintOf(call.path, call.body),
  };
  const { survival } = weather;
  // A client waits by its own clock; if time only moves manually, that is the clock to move.
  const { clock, time } = simulation;
  const [nowMs, speed] = clock.kind === 'manual' ? [time, 1] : [performance.now(), clock.speed];
  survival.request(request, nowMs);
  const limitedMs = operation.responses[429] === undefined ? 0 : weather.remaining('rate_limits', '', time);
  if (limitedMs > 0) {
    const retryAfterSeconds = Math.ceil(limitedMs / speed / 1_000);
    survival.limited(client, retryAfterSeconds * 1_000, nowMs);
    throw new Failure('rate_limited', 'Too many requests.', { retryAfterSeconds });
  }
  return {
    /** Called once it was done: whether its answer is lost. */
    losesAnswer() {
      if (!request.isWrite || !weather.isOver('lost_answers', operation.id, simulation.time)) return false;
      survival.lostAnswer(request);
      return true;
    },
  };
}

function fingerprintOf(path: unknown, body: unknown): string {
  if (typeof body !== 'object' || body === null) return canonicalText([path, body ?? null]);
  return canonicalText([path, Object.fromEntries(Object.entries(body).filter(([name]) => !incidental.has(name)))]);
}
