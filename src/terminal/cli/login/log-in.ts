import { hash, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes, Failure, interruptedFailure } from '../../../base/failure/failure.ts';
import { checkAddress } from '../../../base/sockets/front.ts';
import { dateTime, stretch } from '../../../base/text/format.ts';
import { hideSecret } from '../../../base/text/plain-text.ts';
import { type KeptSession, KeptSessions, type LoginOf, type Place } from '../../../desk/credentials/kept-sessions.ts';
import { KeychainError, keychainFailure } from '../../../desk/credentials/keychain.ts';
import { readSession, type Session } from '../../../desk/credentials/session-file.ts';
import type { Console } from '../../console/console.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { approvalAddress, holdLogin, openHost } from './live-host.ts';
import { isUnanswered, revoke } from './log-out.ts';
import { codeOf, failurePage, isAnswerTo, LoopbackReceiver, pastedCode, startOver, successPage } from './receiver.ts';

/** Where to log in, and how the user takes part. */
export interface LoginOptions {
  /** The live API, where the code is exchanged, and the profile that gets the session. */
  readonly login: LoginOf;
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
  const { login, place } = options;
  using _lock = holdLogin(console.variables);
  const sessions = new KeptSessions(login, console.variables);
  await sessions.check(place).catch((error: unknown) => {
    throw error instanceof KeychainError ? keychainFailure(error, 'store the login') : error;
  });
  const earlier = await earlierSessions(console, sessions, place);
  const kept = { ...(await newSession(console, sessions, options)), place };
  sessions.remember(kept);
  for (const session of earlier) await endEarlier(console, sessions, session, place);
  return kept;
}

async function newSession(console: Console, sessions: KeptSessions, options: LoginOptions): Promise<Session> {
  const { page, deviceName, opensBrowser, maxWaitMs } = options;
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
    const accept = (code: string) => exchangeCode(console, sessions.host, { code, verifier });
    const session = await approvedSession(console, receiver, approval, accept);
    await keepOrRevoke(console, sessions, session, options.place);
    shown = successPage;
    return session;
  } finally {
    await receiver.close(shown, console.outside);
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

/**
 * Exchanges an approved code for a session (API 5). If the answer is lost, asks once more, which can't create a second
 * session because a code works once. Not stopped by Ctrl-C: a session that exists must be stored or revoked.
 */
async function exchangeCode(
  console: Console,
  host: string,
  { code, verifier }: Record<'code' | 'verifier', string>,
): Promise<Session> {
  await using open = await openHost(console, host);
  const exchange = () => open.client.call('exchangeCliAuthorizationCode', { body: { code, code_verifier: verifier } });
  let isAnswerLost = false;
  try {
    const { data } = await exchange().catch((error: unknown) => {
      isAnswerLost = isUnanswered(error);
      if (isAnswerLost) return exchange();
      throw error;
    });
    const session = readSession(data);
    if (session === undefined)
      throw new Failure({
        code: 'bad_answer',
        message: "The host's answer to the code exchange contains no session.",
        hint: checkAddress,
      });
    hideSecret(session.apiKey);
    return session;
  } catch (error) {
    if (isUnanswered(error) || (isAnswerLost && isInvalidGrant(error))) throw lost(error);
    if (isInvalidGrant(error))
      throw new Failure({
        code: 'invalid_grant',
        message: 'The code is no longer valid: it was used, has expired, or belongs to another login.',
        hint: startOver,
        status: 400,
        requestId: error.requestId,
      });
    throw error;
  }
}

function isInvalidGrant(error: unknown): error is Error & { requestId?: string } {
  return error instanceof Error && error.name === 'ApiError' && (error as Error & { status?: number }).status === 400;
}

/** The original error is not passed on, because it contains the request and with it the code. */
function lost(error: Error): Failure {
  return new Failure({
    code: 'outcome_unknown',
    message: `The host answered the login, but its answer was lost (${error.message}).`,
    hint: 'Run perp login to start over. If a session was created, nobody has its credential, and it will expire.',
  });
}

/**
 * The proof of one login: a verifier of 32 random bytes (RFC 7636, 4.1), which stays in this process until the code is
 * exchanged, and its challenge, which is sent to the approval page.
 */
export function newPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: challengeOf(verifier) };
}

/** The S256 challenge of a verifier (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

/** A value that ties the browser's answer to the login that requested it: 256 random bits (RFC 6749, 10.12). */
export function newState(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * An approval that a browser is about to be asked for, at an address. With `opensBrowser` false, the user opens the
 * address, here or on another machine.
 */
type Approval = Pick<LoginOptions, 'opensBrowser' | 'maxWaitMs'> & Readonly<Record<'address' | 'state', string>>;

/**
 * Sends the user to the approval page, waits for the code, from the browser or pasted if the browser is on another
 * machine, and returns what `accept` makes of it. Answers to other logins are ignored; a pasted code that the host does
 * not accept may be pasted again. Rejects with a Failure for a refusal, a timeout, and an interruption.
 */
export async function approvedSession<T>(
  console: Console,
  receiver: LoopbackReceiver,
  approval: Approval,
  accept: (code: string) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  // Created before anything is shown, so that Ctrl-C ends the login cleanly from then on.
  const stop = AbortSignal.any([console.signal, over.signal]);
  const isOpened =
    approval.opensBrowser && hasBrowser(console.variables) && (await openBrowser(approval.address, console.variables));
  invite(console, approval.address, isOpened);
  const answered = receiver.answer.then((query) => ({ code: codeOf(query, approval.state), isPasted: false }));
  const lines = isOpened ? undefined : pastedCodes(console, approval.state, stop);
  const late = tooLate(approval.maxWaitMs, stop);
  let refusal: unknown;
  try {
    for (;;) {
      const sources = lines === undefined ? [answered, late] : [answered, nextPasted(lines, refusal), late];
      const { code, isPasted } = await Promise.race(sources).catch((error: unknown) => {
        if (console.signal.aborted) throw interruption(console.signal);
        throw (error as Partial<Failure>).facts?.exit === exitCodes.interrupted ? interruption() : error;
      });
      const session = await accept(code).catch((error: unknown) => {
        if (!isPasted || (error as Partial<Failure>).facts?.code !== 'invalid_grant') throw error;
        refusal = error;
        console.io.err('The host does not accept that code. Paste the address or code of this login.\n');
      });
      if (session !== undefined) return session;
    }
  } finally {
    over.abort();
  }
}

function invite(console: Console, address: string, isOpened: boolean): void {
  if (isOpened && console.settings.quiet) return;
  const invitation = isOpened
    ? 'Approve the login in the browser. If no window opened, go to:'
    : 'Open this address in a browser and approve the login:';
  const pasting = isOpened
    ? ''
    : 'If the browser is on another machine, it ends at an address that does not load. Paste that address, or its code.\n';
  console.io.err(`${invitation}\n\n  ${address}\n\n${pasting}`);
}

/** The codes in pasted lines. */
async function* pastedCodes(console: Console, state: string, stop: AbortSignal): AsyncGenerator<string> {
  for await (const line of lines(console, stop)) {
    const code = codeIn(console, line, state);
    if (code !== undefined) yield code;
  }
}

/** The next pasted code. If input ends, the browser's answer is awaited, unless the last code was refused. */
async function nextPasted(
  codes: AsyncGenerator<string>,
  refusal: unknown,
): Promise<{ code: string; isPasted: boolean }> {
  const { value, done } = await codes.next();
  if (done !== true) return { code: value, isPasted: true };
  if (refusal !== undefined) throw refusal;
  return new Promise(() => {});
}

/** The code in a pasted line; without one for this login, informs the user and returns undefined. */
function codeIn(console: Console, line: string, state: string): string | undefined {
  try {
    const code = pastedCode(line, state);
    if (code === undefined) console.io.err('That is neither a code nor the address where the browser ended.\n');
    return code;
  } catch (error) {
    if ((error as Failure).facts?.code !== 'state_mismatch') throw error;
    console.io.err('That address belongs to another login. Paste the address of this login.\n');
    return undefined;
  }
}

async function* lines(console: Console, stop: AbortSignal): AsyncGenerator<string> {
  if (console.io.stdinIsTerminal && console.io.stderrIsTerminal) {
    for (;;) yield await console.outside.prompts.secret('Code or address (not shown)', stop);
  }
  const input = createInterface({ input: console.io.input(), signal: stop });
  try {
    yield* input;
  } finally {
    input.close();
  }
}

async function tooLate(maxWaitMs: number, stop: AbortSignal): Promise<never> {
  await delay(maxWaitMs, undefined, { signal: stop });
  throw new Failure({
    code: 'login_timeout',
    message: `The login was not approved within ${stretch(maxWaitMs)}. No access was granted.`,
    hint: startOver,
  });
}

function interruption(signal?: AbortSignal): Failure {
  const isTerminated = (signal?.reason as Partial<Failure>)?.facts?.code === 'terminated';
  return interruptedFailure('The login was interrupted. Nothing was stored.', isTerminated ? 'SIGTERM' : 'SIGINT');
}
