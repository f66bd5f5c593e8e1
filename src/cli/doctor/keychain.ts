import { type Variables, variable } from '../../ground/files/folders.ts';
import { placeOf } from '../../ground/files/place.ts';
import type { Context } from '../context/context.ts';
import { hostOf } from '../credentials/kept-sessions.ts';
import { Keychain, KeychainError, keychainFailure } from '../credentials/keychain.ts';
import { readSessionFile } from '../credentials/session-file.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { configuredHosts } from './hosts.ts';

/** The keychain stores and returns an entry; a silent one is given up on after three seconds. */
export async function checkKeychain(context: Context): Promise<Finding> {
  try {
    await new Keychain(context.variables).check();
    return ok('keychain', 'stores and returns entries');
  } catch (error) {
    if (!(error instanceof KeychainError)) throw error;
    const { message, hint } = keychainFailure(error, 'store a login').facts;
    return isNeeded(context) ? fail('keychain', message, hint) : warn('keychain', message, hint);
  }
}

/** Live is configured, and this machine has no other credential for it. */
function isNeeded({ variables, settings }: Context): boolean {
  const live = configuredHosts(variables).find(({ environment }) => environment === 'live');
  if (live?.baseUrl === undefined) return false;
  if (settings.apiKeyFile !== undefined || variable(variables, 'PERP_API_KEY') !== undefined) return false;
  return !isKeptInFile(variables, live.baseUrl);
}

function isKeptInFile(variables: Variables, baseUrl: string): boolean {
  try {
    return [placeOf(baseUrl), hostOf(baseUrl)].some((name) => readSessionFile(variables, name) !== undefined);
  } catch {
    // The check of the file reports it.
    return false;
  }
}
