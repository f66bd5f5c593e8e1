import { exitCodes, Failure, type FailureFacts } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { dateTime } from '../../../base/text/format.ts';
import { type KeptSession, KeptSessions, type LoginOf, type Place } from '../../../desk/credentials/kept-sessions.ts';
import { KeychainError, keychainFailure } from '../../../desk/credentials/keychain.ts';
import type { Session } from '../../../desk/credentials/session-file.ts';
import type { OutcomeUnknownError } from '../../../wire/client/client-errors.ts';
import { answerOf, outcome } from '../../../wire/client/outcome.ts';
import type { Console } from '../../console/console.ts';
import { holdLogin, openHost } from './live-host.ts';

/** The outcome for one session. */
export interface Ended {
  readonly name: string;
  readonly place: Place;
  /**
   * `revoked`: by this command; `was_invalid`: the host no longer accepted it; `forgotten`: removed here, but it may
   * stay valid until it expires.
   */
  readonly outcome: 'revoked' | 'was_invalid' | 'forgotten';
}

/**
 * Ends every session stored for a host and a profile: revokes it, and only then removes it here, so that no valid
 * credential is forgotten. Rejects if one could not be revoked, and keeps it; with `force` it is removed anyway.
 */
export async function logOut(console: Console, login: LoginOf, force: boolean): Promise<Ended[]> {
  using _lock = holdLogin(console.variables);
  const sessions = new KeptSessions(login, console.variables);
  const ended: Ended[] = [];
  for (const place of ['file', 'keychain'] as const) {
    const session = await sessions.in(place).catch((error: unknown) => {
      if (!(error instanceof KeychainError)) throw error;
      if (mayHold(error, sessions, ended)) throw keychainUnreadable(error, sessions);
      return undefined;
    });
    if (session === undefined) continue;
    const outcome = await end(console, sessions, session, force);
    await sessions.remove(place).catch((error: unknown) => {
      throw error instanceof KeychainError ? keychainFailure(error, 'remove the login, which is revoked') : error;
    });
    ended.push({ name: session.name, place, outcome });
  }
  missing(sessions, ended, force);
  sessions.remember(undefined);
  return ended;
}

async function end(
  console: Console,
  sessions: KeptSessions,
  session: KeptSession,
  force: boolean,
): Promise<Ended['outcome']> {
  try {
    return (await revoke(console, sessions.host, session)) ? 'revoked' : 'was_invalid';
  } catch (error) {
    if (force) return 'forgotten';
    const facts = factsOf(error);
    if (facts.exit === exitCodes.outcomeUnknown) throw undecided(sessions.host, session, facts);
    throw new Failure({
      ...facts,
      message: `The session ${session.name} could not be revoked, so it is kept. ${facts.message}`,
      hint: `Try again when ${sessions.host} can be reached. perp logout --force removes it here; it then stays valid until ${dateTime(session.expiresAt)}.`,
    });
  }
}

/** The answer was lost. There is no pending write; the user continues with the stored session. */
function undecided(host: string, session: KeptSession, facts: FailureFacts): Failure {
  return new Failure({
    ...facts,
    message: `It is unknown whether the session ${session.name} was revoked, so it is kept. ${facts.message}`,
    hint: `Run perp logout again when ${host} can be reached; it revokes the session if needed and removes it.`,
  });
}

/** Whether the keychain may contain a session: not if there is no keychain, nor if the last login went to the file. */
function mayHold({ problem }: KeychainError, sessions: KeptSessions, ended: readonly Ended[]): boolean {
  const record = sessions.record();
  if (record !== undefined) return record.place === 'keychain';
  return problem !== 'missing' && ended.length === 0;
}

/** If the keychain can't be read, there may be an unknown session. */
function keychainUnreadable(error: KeychainError, sessions: KeptSessions): Failure {
  const record = sessions.record();
  const facts = keychainFailure(
    error,
    record?.place === 'keychain' ? `return the stored session ${record.name}` : 'be checked for a stored login',
  ).facts;
  return new Failure(facts, { cause: error });
}

/** A recorded login that is not found may still be valid: a locked keychain shows nothing. */
function missing(sessions: KeptSessions, ended: readonly Ended[], force: boolean): void {
  const record = sessions.record();
  if (force || record === undefined || ended.some(({ place }) => place === record.place)) return;
  throw new Failure({
    code: 'session_missing',
    message: `The session ${record.name} was stored in the ${record.place}, but is not there now (is the keychain locked?), so it can't be revoked.`,
    hint: `Unlock the keychain and try again. perp logout --force removes it here; it then stays valid until ${dateTime(record.expiresAt)}.`,
  });
}

/**
 * Ends a session on its host (API 4.1). True if this call revoked it, false if the host no longer accepted the
 * credential. Rejects with the client's error if neither is known. If the answer is lost, checks whether the host still
 * accepts the credential, and if so sends the request again.
 */
export async function revoke(console: Console, host: string, { apiKey }: Session): Promise<boolean> {
  await using open = await openHost(console, host, apiKey);
  try {
    return (await open.client.call('revokeCliSession', {})).data.revoked;
  } catch (error) {
    if (isRefusedByTheService(error)) return false;
    if (!isUnanswered(error)) throw error;
    const { timeoutMs } = console.settings;
    // A request that arrives later leaves nothing behind.
    const found = await outcome(open.client, error, { timeoutMs, arrivalMs: 1_000, signal: console.signal });
    answerOf(found, undefined);
    return true;
  }
}

/** Whether a write got no answer. Matched by name, not class: the client's errors are not loaded just to compare. */
export function isUnanswered(error: unknown): error is OutcomeUnknownError {
  return error instanceof Error && error.name === 'OutcomeUnknownError';
}

/** A 401 from the service itself, which sends request ids, not from something in front of it. */
function isRefusedByTheService(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'ApiError') return false;
  const { status, requestId } = error as Error & { status?: number; requestId?: string };
  return status === 401 && requestId !== undefined;
}
