import { join } from 'node:path';
import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../../base/files/folders.ts';
import { holdFile } from '../../../base/files/private-files.ts';
import { hostOf, type LoginOf } from '../../../desk/credentials/kept-sessions.ts';
import { type Client, createClient } from '../../../wire/client/client.ts';
import type { Console } from '../../console/console.ts';

/**
 * The live host's address, since sessions exist only on live (API 5), and the profile. The simulation, which is the
 * default and needs no session, also means live here. A usage failure on the sandbox, or if the address is not set.
 */
export function liveLogin(console: Console): LoginOf {
  const { lookup, profile, ...settings } = console.settings;
  if (profile !== undefined && settings.environment === 'sim') {
    throw usageFailure(
      `The profile ${profile} uses sim, which has no sessions.`,
      'Choose another --profile, or --profile none to log in without one.',
    );
  }
  if (settings.environment === 'sandbox') {
    throw usageFailure(
      'The sandbox has no sessions, only test keys.',
      'Set PERP_API_KEY or use --api-key-file FILE. Sessions work only with --env live.',
    );
  }
  const baseUrl = lookup.value('live.base_url');
  if (baseUrl !== undefined) return { host: hostOf(String(baseUrl)), profile };
  throw usageFailure(
    'The address of the live API is not set, and sessions exist only on live.',
    'Set PERP_BASE_URL, or run: perp config set live.base_url https://... The simulation needs no login; to try logging in, ' +
      'run perp sim serve and set PERP_BASE_URL=http://127.0.0.1:7400.',
  );
}

/** A client for one host and one credential, independent of the environment's access. It keeps nothing. */
export async function openHost(
  console: Console,
  host: string,
  apiKey?: string,
): Promise<{ client: Client } & AsyncDisposable> {
  const { httpTransport } = await import('../../../wire/client/http-transport.ts');
  const transport = httpTransport(host);
  const client = createClient({
    transport,
    credential: () => apiKey,
    timeoutMs: console.settings.timeoutMs,
    retry: { sleep: console.outside.sleep },
    userAgent: `perp/${console.registry.version}`,
    onAttempt: (attempt) => console.showAttempt(attempt),
  });
  return { client, [Symbol.asyncDispose]: () => transport.close() };
}

/**
 * The approval page: PERP_LOGIN_URL, or `live.login_url`, or, if the live host is on this machine (a served
 * simulation), the simulation's own page (simulation 8). A usage failure if none is known.
 */
export function loginPage(host: string, { settings }: Console): string {
  const configured = settings.lookup.value('live.login_url');
  if (configured !== undefined) return String(configured);
  if (new URL(host).protocol === 'http:') return `${host}/cli/authorize`;
  throw usageFailure(
    'The address of the approval page is not set.',
    settings.profile === undefined
      ? 'Set PERP_LOGIN_URL, or run: perp config set live.login_url https://...'
      : `Run: perp config set profiles.${settings.profile}.login_url https://...`,
  );
}

/** The address to open in the browser: the approval page with its query (simulation 8). */
export function approvalAddress(
  page: string,
  request: Record<'challenge' | 'redirectUri' | 'state' | 'deviceName', string>,
): string {
  const address = new URL(page);
  address.search = new URLSearchParams({
    response_type: 'code',
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
    redirect_uri: request.redirectUri,
    state: request.state,
    device_name: request.deviceName,
  }).toString();
  return address.href;
}

/**
 * A lock on the stored login, held by one process at a time. Throws a Failure while another login or logout holds it.
 * If the state folder is not writable, no lock is possible or needed.
 */
export function holdLogin(variables: Variables): Disposable {
  let held: Disposable | undefined;
  try {
    // The dot avoids a clash with the lock of a simulation named login.
    held = holdFile(join(stateFolder(variables), '.login.lock'));
  } catch {
    return { [Symbol.dispose]() {} };
  }
  if (held !== undefined) return held;
  throw new Failure({
    code: 'login_in_progress',
    message: 'Another perp login or logout is running.',
    hint: 'Finish it, or stop it with Ctrl-C, and try again.',
  });
}
