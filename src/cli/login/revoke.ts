import type { Context } from '../context.ts';
import { openHost } from './live-host.ts';
import type { Session } from './session.ts';

const attempts = 3;

/**
 * Ends a session on its host (API 4.1). True when this did it, false when the host no longer took the credential
 * anyway. Rejects when neither is known: with what the client rejects with. Repeating is safe, so a lost answer is
 * asked for again.
 */
export async function revoke(context: Context, host: string, { apiKey }: Session): Promise<boolean> {
  await using open = await openHost(context, host, apiKey);
  for (let attempt = 1; ; attempt++) {
    try {
      const { data } = await open.client.call('revokeCliSession', {});
      return data.revoked || attempt > 1;
    } catch (error) {
      if (isRefusedByTheService(error)) return attempt > 1;
      if (attempt === attempts || (error as Error).name !== 'OutcomeUnknownError') throw error;
    }
  }
}

/** A 401 of the service itself, which numbers its answers, and not of something in front of it. */
function isRefusedByTheService(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ApiError') return false;
  const { status, requestId } = error as Error & { status?: number; requestId?: string };
  return status === 401 && requestId !== undefined;
}
