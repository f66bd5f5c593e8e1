import type { OutcomeUnknownError } from '../../client/errors.ts';
import type { Context } from '../context/context.ts';
import type { Session } from '../credentials/session.ts';
import { openHost } from './live-host.ts';

/**
 * Ends a session on its host (API 4.1). True if this call revoked it, false if the host no longer accepted the
 * credential. Rejects with the client's error if neither is known. If the answer is lost, checks whether the host still
 * accepts the credential, and if so sends the request again.
 */
export async function revoke(context: Context, host: string, { apiKey }: Session): Promise<boolean> {
  await using open = await openHost(context, host, apiKey);
  try {
    return (await open.client.call('revokeCliSession', {})).data.revoked;
  } catch (error) {
    if (isRefusedByTheService(error)) return false;
    if (!isUnanswered(error)) throw error;
    const { timeoutMs } = context.settings;
    const { finish } = await import('../../client/finish.ts');
    // A request that arrives later leaves nothing behind.
    await finish(open.client, error, { timeoutMs, arrivalMs: 1_000, signal: context.signal });
    return true;
  }
}

/** Matched by name, not class: the client's errors are not loaded just to compare. */
function isUnanswered(error: unknown): error is OutcomeUnknownError {
  return error instanceof Error && error.name === 'OutcomeUnknownError';
}

/** A 401 from the service itself, which sends request ids, not from something in front of it. */
function isRefusedByTheService(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ApiError') return false;
  const { status, requestId } = error as Error & { status?: number; requestId?: string };
  return status === 401 && requestId !== undefined;
}
