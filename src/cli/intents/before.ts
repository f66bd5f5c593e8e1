import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Intent } from '../../client/intent.ts';
import { writeOf } from '../../client/writes.ts';

/**
 * The resource as it is before a write that has no idempotency key: reading back alone can't tell what the write did
 * from what was there before. Undefined where none is needed, and where the service refuses: the write will hear why.
 */
export async function resourceBefore(client: Client, intent: Intent): Promise<unknown> {
  try {
    return await writeOf(intent.operationId)?.readBack?.resource?.({ client, intent });
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
