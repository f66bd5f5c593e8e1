import { statSync } from 'node:fs';
import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { type Variables, variable } from '../../base/files/folders.ts';
import { readNamedFile } from '../../base/files/private-files.ts';
import { isOpenToOthers } from '../../base/system/system.ts';
import { dateTime, stretch } from '../../base/text/format.ts';
import { hideSecret } from '../../base/text/plain-text.ts';
import { credentialEnvironment, credentialProblem } from '../../wire/client/form-request.ts';
import type { SessionSettings } from '../session/session.ts';
import type { FoundCredential } from './session-file.ts';

/** The settings that decide which credential is used. */
type CredentialSettings = Pick<SessionSettings, 'environment' | 'profile' | 'baseUrl'> & {
  readonly apiKeyFile: string | undefined;
  readonly profileKeyFile: string | undefined;
};

/** The credential for a remote environment, checked against it before anything is sent; a failure if there is none. */
export async function findCredential(settings: CredentialSettings, variables: Variables): Promise<FoundCredential> {
  const found = await firstCredential(settings, variables);
  if (found === undefined) throw noCredential(settings);
  hideSecret(found.text);
  checkSendable(found);
  return matched(found, settings);
}

/** Warnings about a credential in use: stored insecurely, or about to expire. */
export function warningsOf({ warning, session }: FoundCredential, now: number): string[] {
  const ending = session === undefined ? undefined : expiryWarning(session.expiresAt, now);
  return [warning, ending].filter((text) => text !== undefined);
}

/** Warn early enough to renew a login before it expires in the middle of something. */
const warnedBeforeMs = 7 * 24 * 3_600_000;

function expiryWarning(expiresAt: number, now: number): string | undefined {
  if (expiresAt - now > warnedBeforeMs) return undefined;
  // Only the host knows for sure, as this machine's clock may be wrong, so the credential is sent anyway.
  if (expiresAt <= now)
    return `The login expired on ${dateTime(expiresAt)} (by this machine's clock). Renew it with perp login.`;
  return `The login expires on ${dateTime(expiresAt)}, in ${stretch(expiresAt - now)}. Renew it with perp login.`;
}

/** The sources in the order they are tried. Sessions exist only on live, each for the host that issued it. */
async function firstCredential(
  { apiKeyFile, profile, profileKeyFile, environment, baseUrl }: CredentialSettings,
  variables: Variables,
): Promise<FoundCredential | undefined> {
  if (apiKeyFile !== undefined) return inFile(apiKeyFile, "Can't read the API key file");
  const text = variable(variables, 'PERP_API_KEY');
  if (text !== undefined) {
    const overrides = `PERP_API_KEY is set and overrides the credential of profile ${profile}.`;
    const warning = profile === undefined ? undefined : overrides;
    return { text: text.trim(), source: 'PERP_API_KEY', from: 'PERP_API_KEY', warning };
  }
  if (profileKeyFile !== undefined) return inFile(profileKeyFile, `Can't read the API key file of profile ${profile}`);
  if (environment !== 'live' || baseUrl === undefined) return undefined;
  const { keptLogin } = await import('./kept-sessions.ts');
  return keptLogin(baseUrl, profile, variables);
}

function inFile(file: string, problem: string): FoundCredential {
  try {
    return { text: readNamedFile(file).trim(), source: 'api_key_file', from: file, warning: keyFileWarning(file) };
  } catch (error) {
    throw usageFailure(`${problem}: ${(error as Error).message}`);
  }
}

/** Rejects a credential that no header can carry, naming only its source. */
function checkSendable({ text, from }: FoundCredential): void {
  const problem = credentialProblem(text);
  if (problem === null) return;
  throw new Failure({
    code: 'credential',
    message: `The API key from ${from} ${problem}.`,
    hint: `It must contain only the key. Fix it, or ${from === 'PERP_API_KEY' ? 'unset it' : 'use another file'}.`,
  });
}

/** The credential, unless its prefix names another environment. */
function matched(found: FoundCredential, { environment }: CredentialSettings): FoundCredential {
  const kind = credentialEnvironment(found.text);
  const belongsTo = kind === 'live' ? 'live' : kind === 'test' ? 'sandbox' : environment;
  if (belongsTo === environment) return found;
  throw new Failure({
    code: 'wrong_environment',
    message: `The API key from ${found.from} is for ${belongsTo}, but the environment is ${environment}.`,
    hint: `Use --env ${belongsTo}, or a key for ${environment}.`,
  });
}

/** A warning about a key file that other users can read. */
function keyFileWarning(file: string): string | undefined {
  return !isOpenToOthers(statSync(file).mode)
    ? undefined
    : `Other users can read ${file}. Fix it with: chmod 600 ${file}`;
}

function noCredential({ environment, profile }: CredentialSettings): Failure {
  const where = profile === undefined ? environment : `profile ${profile} on ${environment}`;
  const others = 'PERP_API_KEY, or use --api-key-file FILE';
  return new Failure({
    code: 'unauthorized',
    message: environment === 'live' ? `No login and no API key for ${where}.` : `No API key for ${where}.`,
    hint: environment === 'live' ? `Run perp login, set ${others}.` : `Set ${others}.`,
  });
}
