import { type KeptSession, KeptSessions } from '../../desk/credentials/kept-sessions.ts';
import { KeychainError, keychainFailure } from '../../desk/credentials/keychain.ts';
import type { Place } from '../../desk/credentials/login-record.ts';
import type { Session } from '../../desk/credentials/session.ts';
import { dateTime } from '../../ground/text/format.ts';
import { hideSecret } from '../../ground/text/secrets.ts';
import type { Console } from '../console/console.ts';
import { isAnswerTo } from './answer.ts';
import { approvedSession } from './approval.ts';
import { exchangeCode, newPkce, newState } from './grant.ts';
import { approvalAddress, holdLogin } from './live-host.ts';
import { revoke } from './log-out.ts';
import { failurePage, successPage } from './pages.ts';
import { LoopbackReceiver } from './receiver.ts';

/** Where to log in, and how the user takes part. */
export interface LoginOptions {
  /** Address of the live API, where the code is exchanged. */
  readonly host: string;
  /** Address of the approval page. */
  readonly page: string;
  readonly deviceName: string;
  readonly opensBrowser: boolean;
  readonly place: Place;
  /** How long to wait for approval; the page's code is valid for less. */
  readonly maxWaitMs: number;
}

/**
 * Logs in: approval in a browser, code exchange, storage (RFC 7636, RFC 8252; API 5). Storage is tested before the user
 * is asked. A session that can't be stored is revoked. An earlier session is revoked once the new one is stored.
 */
export async function logIn(console: Console, options: LoginOptions): Promise<KeptSession> {
  const { host, place } = options;
  using _lock = holdLogin(console.variables);
  const sessions = new KeptSessions(host, console.variables);
  await sessions.check(place).catch(orKeychainFailure('store the login'));
  const earlier = await earlierSessions(console, sessions, place);
  const kept = { ...(await newSession(console, sessions, options)), place };
  sessions.remember(kept);
  for (const session of earlier) await endEarlier(console, sessions, session, place);
  return kept;
}

async function newSession(console: Console, sessions: KeptSessions, options: LoginOptions): Promise<Session> {
  const { host, page, deviceName, opensBrowser, maxWaitMs } = options;
  const state = newState();
  const receiver = await LoopbackReceiver.open((query) => {
    const isOurs = isAnswerTo(query, state);
    if (!isOurs) console.note('Ignored an answer to another login; still waiting for this one.');
    return isOurs;
  });
  let shown = failurePage;
  try {
    const { verifier, challenge } = newPkce();
    hideSecret(verifier);
    const address = approvalAddress(page, { challenge, redirectUri: receiver.redirectUri, state, deviceName });
    const approval = { address, state, opensBrowser, maxWaitMs };
    const accept = (code: string) => exchangeCode(console, host, { code, verifier });
    const session = await approvedSession(console, receiver, approval, accept);
    await keepOrRevoke(console, sessions, session, options.place);
    shown = successPage;
    return session;
  } finally {
    await receiver.close(shown);
  }
}

/** A credential that can't be stored must not remain valid unnoticed. */
async function keepOrRevoke(console: Console, sessions: KeptSessions, session: Session, place: Place): Promise<void> {
  try {
    await sessions.keep(session, place);
  } catch (error) {
    const isRevoked = await revoke(console, sessions.host, session).then(
      () => true,
      () => false,
    );
    console.note(
      isRevoked
        ? 'The new session could not be stored, so it was revoked.'
        : `The new session ${session.name} could neither be stored nor revoked; it expires on ${dateTime(session.expiresAt)}.`,
    );
    throw error instanceof KeychainError ? keychainFailure(error, 'store the login') : error;
  }
}

/**
 * The sessions that the new one replaces. If the new one is not stored in the keychain, an unusable keychain is not an
 * error.
 */
async function earlierSessions(console: Console, sessions: KeptSessions, place: Place): Promise<KeptSession[]> {
  const inFile = await sessions.in('file');
  const inKeychain = await sessions.in('keychain').catch((error: unknown) => {
    if (place === 'keychain' || !(error instanceof KeychainError)) throw error;
    const record = sessions.record();
    if (record?.place === 'keychain') {
      console.note(
        `The earlier session ${record.name} is in the keychain, which can't be reached; it expires on ${dateTime(record.expiresAt)}.`,
      );
    }
    return undefined;
  });
  return [inFile, inKeychain].filter((session) => session !== undefined);
}

async function endEarlier(
  console: Console,
  sessions: KeptSessions,
  session: KeptSession,
  newPlace: Place,
): Promise<void> {
  try {
    await revoke(console, sessions.host, session);
  } catch (error) {
    console.note(
      `The earlier session ${session.name} could not be revoked (${(error as Error).message}); it expires on ${dateTime(session.expiresAt)}.`,
    );
  }
  if (session.place === newPlace) return;
  await sessions.remove(session.place).catch((error: unknown) => {
    console.note(`The earlier session ${session.name} is still in the ${session.place} (${(error as Error).message}).`);
  });
}

function orKeychainFailure(doing: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof KeychainError ? keychainFailure(error, doing) : error;
  };
}
