import type { OutcomeUnknownError } from '../../client/errors.ts';
import type { Context } from '../context/context.ts';
import type { Session } from '../credentials/session.ts';
import { openHost } from './live-host.ts';

/**
 * Ends a session on its host (API 4.1). True when this did it, false when the host no longer took the credential
 * anyway. Rejects when neither is known: with what the client rejects with. A lost answer is looked for, by whether the
 * host still takes the credential, and the request sent again where it does.
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
    // One that arrives later still leaves nothing behind that is not kept here.
    await finish(open.client, error, { timeoutMs, travelMs: 1_000, signal: context.signal });
    return true;
  }
}

/** By name, not by class: the client's errors are not loaded just to look. */
function isUnanswered(error: unknown): error is OutcomeUnknownError {
  return error instanceof Error && error.name === 'OutcomeUnknownError';
}

/** A 401 of the service itself, which numbers its answers, and not of something in front of it. */
function isRefusedByTheService(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ApiError') return false;
  const { status, requestId } = error as Error & { status?: number; requestId?: string };
  return status === 401 && requestId !== undefined;
}
