import { type Client, createClient } from '../../client/client.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import type { Context } from '../context/context.ts';
import { hostOf } from '../credentials/kept-sessions.ts';
import { readConfig } from '../settings/config-file.ts';
import { baseUrlOf } from '../settings/settings.ts';

/**
 * The live host's address, since sessions exist only on live (API 5). The simulation, which is the default and needs no
 * session, also means live here. A usage failure on the sandbox, or if the address is not set.
 */
export function liveHost(context: Context): string {
  const { variables, settings } = context;
  if (settings.environment === 'sandbox') {
    throw usageFailure(
      'The sandbox has no sessions, only test keys.',
      'Set PERP_API_KEY or use --api-key-file FILE. Sessions work only with --env live.',
    );
  }
  const baseUrl =
    settings.environment === 'live' ? settings.baseUrl : baseUrlOf('live', variables, readConfig(variables));
  if (baseUrl !== undefined) return hostOf(baseUrl);
  throw usageFailure(
    'The address of the live API is not set, and sessions exist only on live.',
    'Set PERP_BASE_URL, or run: perp config set live.base_url https://... The simulation needs no login; to try logging in, ' +
      'run perp sim serve and set PERP_BASE_URL=http://127.0.0.1:7400.',
  );
}

/** A client for one host and one credential, independent of the environment's connection. It journals nothing. */
export async function openHost(
  context: Context,
  host: string,
  apiKey?: string,
): Promise<{ client: Client } & AsyncDisposable> {
  const { httpTransport } = await import('../../client/http-transport.ts');
  const transport = httpTransport(host);
  const client = createClient({
    transport,
    credential: () => apiKey,
    timeoutMs: context.settings.timeoutMs,
    retry: { sleep: context.outside.sleep },
    userAgent: `perp/${context.registry.version}`,
    onAttempt: (attempt) => context.showAttempt(attempt),
  });
  return { client, [Symbol.asyncDispose]: () => transport.close() };
}
