import { readFileSync, statSync } from 'node:fs';
import { exitCodes } from './exit-codes.ts';
import { Failure, usageFailure } from './failure.ts';
import { type Variables, variable } from './places.ts';
import type { Settings } from './settings.ts';

/** A credential and where it came from; the text never shows up in any message. */
export interface FoundCredential {
  readonly text: string;
  readonly from: string;
}

/** One place a credential may be in; undefined: not there, look further. */
type Source = (settings: Settings, variables: Variables) => FoundCredential | undefined;

/** The places in the order they are asked. */
const sources: readonly Source[] = [fromFile, fromVariable];

/** The credential for a remote environment, checked against it before anything is sent; a failure when there is none. */
export function findCredential(settings: Settings, variables: Variables): FoundCredential {
  for (const source of sources) {
    const found = source(settings, variables);
    if (found !== undefined) return matched(found, settings);
  }
  throw new Failure({
    exit: exitCodes.notAllowed,
    code: 'unauthorized',
    message: `There is no API key for ${settings.environment}.`,
    hint: 'Set PERP_API_KEY, or name a file with --api-key-file.',
  });
}

function fromFile({ apiKeyFile }: Settings): FoundCredential | undefined {
  if (apiKeyFile === undefined) return undefined;
  try {
    return { text: readFileSync(apiKeyFile, 'utf8').trim(), from: apiKeyFile };
  } catch (error) {
    throw usageFailure(`Cannot read the API key file: ${(error as Error).message}`);
  }
}

function fromVariable(_: Settings, variables: Variables): FoundCredential | undefined {
  const text = variable(variables, 'PERP_API_KEY');
  return text === undefined ? undefined : { text: text.trim(), from: 'PERP_API_KEY' };
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
export function keyFileWarning(file: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const { mode } = statSync(file);
  return (mode & 0o077) === 0 ? undefined : `Others on this machine can read ${file}: chmod 600 makes it yours alone.`;
}
