import type { Context } from '../context/context.ts';
import { type KeptSession, KeptSessions } from '../credentials/kept-sessions.ts';
import { KeychainError, keychainFailure } from '../credentials/keychain.ts';
import type { Place } from '../credentials/login-record.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure, type FailureFacts } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import { dateTime } from '../text/format.ts';
import { holdLogin } from './login-lock.ts';
import { revoke } from './revoke.ts';

/** What became of one session. */
export interface Ended {
  readonly name: string;
  readonly place: Place;
  /** `revoked`: by this; `was_invalid`: the host no longer took it; `forgotten`: it may live on until it ends. */
  readonly outcome: 'revoked' | 'was_invalid' | 'forgotten';
}

/**
 * Ends every session that is kept for a host: revoked first, and only then removed here, so no credential that still
 * lives is ever lost sight of. Rejects when one could not be revoked, which keeps it; with `force` it is forgotten.
 */
export async function logOut(context: Context, host: string, force: boolean): Promise<Ended[]> {
  using _lock = holdLogin(context.variables);
  const sessions = new KeptSessions(host, context.variables);
  const ended: Ended[] = [];
  for (const place of ['file', 'keychain'] as const) {
    const session = await sessions.in(place).catch((error: unknown) => {
      if (!(error instanceof KeychainError)) throw error;
      if (mayHold(error, sessions, ended)) throw unknowable(error, sessions);
      return undefined;
    });
    if (session === undefined) continue;
    const outcome = await end(context, sessions, session, force);
    await sessions.remove(place).catch((error: unknown) => {
      throw error instanceof KeychainError ? keychainFailure(error, 'forget the login, which is revoked') : error;
    });
    ended.push({ name: session.name, place, outcome });
  }
  missing(sessions, ended, force);
  sessions.remember(undefined);
  return ended;
}

async function end(
  context: Context,
  sessions: KeptSessions,
  session: KeptSession,
  force: boolean,
): Promise<Ended['outcome']> {
  try {
    return (await revoke(context, sessions.host, session)) ? 'revoked' : 'was_invalid';
  } catch (error) {
    if (force) return 'forgotten';
    const facts = factsOf(error);
    if (facts.exit === exitCodes.outcomeUnknown) throw undecided(sessions.host, session, facts);
    throw new Failure({
      ...facts,
      message: `The session ${session.name} could not be revoked, so it is kept. ${facts.message}`,
      hint: `Try again when ${sessions.host} can be reached. perp logout --force forgets it here; it then lives on until ${dateTime(session.expiresAt)}.`,
    });
  }
}

/** The answer was lost. Nothing waits among the pending writes: the kept session is what to go on with. */
function undecided(host: string, session: KeptSession, facts: FailureFacts): Failure {
  return new Failure({
    ...facts,
    message: `Whether the session ${session.name} was revoked is not known, so it is kept. ${facts.message}`,
    hint: `Run perp logout again when ${host} can be reached: it revokes the session, or finds that it is gone, and removes it.`,
  });
}

/** Whether the keychain may hold a session: not where there is none, nor when the last login went to the file. */
function mayHold({ problem }: KeychainError, sessions: KeptSessions, ended: readonly Ended[]): boolean {
  const record = sessions.record();
  if (record !== undefined) return record.place === 'keychain';
  return problem !== 'missing' && ended.length === 0;
}

/** Without a keychain to look into there may be a session that nobody sees. */
function unknowable(error: KeychainError, sessions: KeptSessions): Failure {
  const record = sessions.record();
  const facts = keychainFailure(
    error,
    record?.place === 'keychain' ? `give the session ${record.name} that it keeps` : 'tell whether it keeps a login',
  ).facts;
  return new Failure(facts, { cause: error });
}

/** A login that is remembered and not found is not ended: a locked keychain shows nothing. */
function missing(sessions: KeptSessions, ended: readonly Ended[], force: boolean): void {
  const record = sessions.record();
  if (force || record === undefined || ended.some(({ place }) => place === record.place)) return;
  throw new Failure({
    exit: exitCodes.unavailable,
    code: 'session_missing',
    message: `The session ${record.name} was kept in the ${record.place} and is not there now (is the keychain locked?), so it could not be revoked.`,
    hint: `Unlock the keychain and try again. perp logout --force forgets it; it then lives on until ${dateTime(record.expiresAt)}.`,
  });
}
