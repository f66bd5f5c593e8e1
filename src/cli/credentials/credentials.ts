import { statSync } from 'node:fs';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure, usageFailure } from '../failure/failure.ts';
import { type Variables, variable } from '../files/folders.ts';
import { readNamedFile } from '../files/regular-file.ts';
import type { Settings } from '../settings/settings.ts';
import { dateTime, stretch } from '../text/format.ts';
import { hideSecret } from '../text/secrets.ts';
import type { FoundCredential } from './session.ts';

/** One place a credential may be in; undefined: not there, look further. */
type Source = (
  settings: Settings,
  variables: Variables,
) => FoundCredential | undefined | Promise<FoundCredential | undefined>;

/** The places in the order they are asked. */
const sources: readonly Source[] = [fromFile, fromVariable, fromLogin];

/** The credential for a remote environment, checked against it before anything is sent; a failure when there is none. */
export async function findCredential(settings: Settings, variables: Variables): Promise<FoundCredential> {
  for (const source of sources) {
    const found = await source(settings, variables);
    if (found === undefined) continue;
    hideSecret(found.text);
    checkSendable(found);
    return matched(found, settings);
  }
  throw noCredential(settings.environment);
}

/** What to say when a credential is used: that it is kept badly, or about to end. */
export function warningsOf({ warning, session }: FoundCredential, now: number): string[] {
  const ending = session === undefined ? undefined : expiryWarning(session.expiresAt, now);
  return [warning, ending].filter((text) => text !== undefined);
}

/** A login is renewed before it ends in the middle of something. */
const warnedBeforeMs = 7 * 24 * 3_600_000;

function expiryWarning(expiresAt: number, now: number): string | undefined {
  if (expiresAt - now > warnedBeforeMs) return undefined;
  // Only the host knows for sure: this machine's clock may be wrong, so the credential is sent all the same.
  if (expiresAt <= now)
    return `The login ended on ${dateTime(expiresAt)}, by the clock of this machine: perp login renews it.`;
  return `The login ends on ${dateTime(expiresAt)}, in ${stretch(expiresAt - now)}: perp login renews it.`;
}

function fromFile({ apiKeyFile }: Settings): FoundCredential | undefined {
  if (apiKeyFile === undefined) return undefined;
  try {
    const text = readNamedFile(apiKeyFile).trim();
    return { text, source: 'api_key_file', from: apiKeyFile, warning: keyFileWarning(apiKeyFile) };
  } catch (error) {
    throw usageFailure(`Cannot read the API key file: ${(error as Error).message}`);
  }
}

function fromVariable(_: Settings, variables: Variables): FoundCredential | undefined {
  const text = variable(variables, 'PERP_API_KEY');
  return text === undefined ? undefined : { text: text.trim(), source: 'PERP_API_KEY', from: 'PERP_API_KEY' };
}

/** Sessions exist on live only, each for the host that issued it. */
async function fromLogin(
  { environment, baseUrl }: Settings,
  variables: Variables,
): Promise<FoundCredential | undefined> {
  if (environment !== 'live' || baseUrl === undefined) return undefined;
  const { keptLogin } = await import('./kept-login.ts');
  return keptLogin(baseUrl, variables);
}

/** A credential that no header could carry is told by where it came from. */
function checkSendable({ text, from }: FoundCredential): void {
  if (/^[\x21-\x7e]+$/.test(text)) return;
  throw new Failure({
    exit: exitCodes.notAllowed,
    code: 'credential',
    message:
      text === ''
        ? `The API key from ${from} is empty.`
        : `The API key from ${from} has spaces, line breaks or characters outside ASCII in it.`,
    hint: `Put the key there and nothing else, or ${from === 'PERP_API_KEY' ? 'unset it' : 'name another file'}.`,
  });
}

/** Keys say by the end of their prefix which host they are for: `live_` or `test_`. */
function matched(found: FoundCredential, { environment }: Settings): FoundCredential {
  const kind = /(?:^|[^A-Za-z0-9])(live|test)_/.exec(found.text)?.[1];
  const belongsTo = kind === 'live' ? 'live' : kind === 'test' ? 'sandbox' : environment;
  if (belongsTo === environment) return found;
  throw new Failure({
    exit: exitCodes.notAllowed,
    code: 'wrong_environment',
    message: `The API key from ${found.from} is a key for ${belongsTo}, and the environment is ${environment}.`,
    hint: `Use --env ${belongsTo}, or the other key.`,
  });
}

/** What to warn of about a key file that others on this machine can read. */
function keyFileWarning(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const { mode } = statSync(file);
  return (mode & 0o077) === 0 ? undefined : `Others on this machine can read ${file}: chmod 600 makes it yours alone.`;
}

function noCredential(environment: string): Failure {
  const others = 'PERP_API_KEY, or name a file with --api-key-file';
  return new Failure({
    exit: exitCodes.notAllowed,
    code: 'unauthorized',
    message:
      environment === 'live' ? 'There is no login and no API key for live.' : `There is no API key for ${environment}.`,
    hint: environment === 'live' ? `Log in with perp login, set ${others}.` : `Set ${others}.`,
  });
}
