import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Intent } from '../../client/intent.ts';
import { writeOf } from '../../client/writes.ts';

/**
 * The resource before a write that has no idempotency key, because reading back alone can't tell the effect of the
 * write from the earlier state. Undefined if none is needed or the service refuses; the write then gets the same
 * refusal.
 */
export async function resourceBefore(client: Client, intent: Intent): Promise<unknown> {
  try {
    return await writeOf(intent.operationId)?.readBack?.resource?.({ client, intent, sentAt: client.now() });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
