import type { Client as ApiClient } from '../../../wire/client/client.ts';
import type { Intent } from '../../../wire/client/intent.ts';
import { answerOf, outcome } from '../../../wire/client/outcome.ts';
import type { ClientParts } from './make-client.ts';

/** Dependencies of finishing a write besides its client. */
interface FinisherOptions {
  readonly timeoutMs?: number | undefined;
  readonly note?: ((text: string) => void) | undefined;
  /** The resource as it was before the write. */
  readonly beforeOf?: ((intent: Intent) => unknown) | undefined;
}

/** Looks up what a write did that got no answer, and sends it again if it did not happen. */
export function finisher(client: ApiClient, options: FinisherOptions = {}): NonNullable<ClientParts['finish']> {
  return async (unanswered, { signal, timeoutMs = options.timeoutMs }) => {
    const { intent, idempotencyKey } = unanswered;
    // Under a key that the host keeps, everything safe has been tried.
    if (idempotencyKey !== undefined && client.keepsKeys) throw unanswered;
    const before = options.beforeOf?.(intent);
    const found = await outcome(client, unanswered, { before, signal, timeoutMs, maxWaitMs: timeoutMs });
    const { answer, seen } = answerOf(found, idempotencyKey);
    const how = seen === undefined ? 'it was sent again' : `it had arrived: ${seen}`;
    options.note?.(`${intent.operationId} got no answer; ${how}.`);
    return answer;
  };
}
