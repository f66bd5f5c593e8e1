import { exitCodes, Failure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import { hostOf, KeptSessions } from './kept-sessions.ts';
import { KeychainError, keychainFailure } from './keychain.ts';
import { type FoundCredential, sessionFile } from './session-file.ts';

/**
 * The login of a profile, or of none, on a host, as a credential; undefined if there is none. Throws a Failure if there
 * is one and the keychain does not return it, or the file that stores it can't be trusted.
 */
export async function keptLogin(
  baseUrl: string,
  profile: string | undefined,
  variables: Variables,
): Promise<FoundCredential | undefined> {
  const sessions = new KeptSessions({ host: hostOf(baseUrl), profile }, variables);
  const session = await sessions.find().catch((error: unknown) => {
    throw error instanceof KeychainError ? unreachable(error, sessions) : error;
  });
  if (session === undefined) {
    const record = sessions.record();
    if (record?.place === 'keychain')
      throw new Failure({
        code: 'unauthorized',
        message: `The login ${record.name} is not in the keychain: it was removed, or the keychain is locked.`,
        hint: 'Unlock the keychain and try again, or run perp login.',
      });
    return undefined;
  }
  const { apiKey, name, expiresAt, place } = session;
  const found = { text: apiKey, source: place, session: { name, expiresAt } };
  if (place === 'keychain') return { ...found, from: 'the keychain' };
  // perp login has reported that the file isn't encrypted.
  return { ...found, from: sessionFile(variables) };
}

function unreachable(error: KeychainError, sessions: KeptSessions): Failure {
  const where = sessions.profile === undefined ? 'live' : `profile ${sessions.profile} on live`;
  const failure = keychainFailure(error, 'return the login');
  if (sessions.record() !== undefined) return failure;
  return new Failure({
    ...failure.facts,
    exit: exitCodes.notAllowed,
    code: 'unauthorized',
    message: `No API key for ${where}, and no login was found. ${failure.message}`,
  });
}
