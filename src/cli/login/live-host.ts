import { type Client, createClient } from '../../client/client.ts';
import type { Context } from '../context/context.ts';
import { hostOf } from '../credentials/kept-sessions.ts';
import { usageFailure } from '../failure/failure.ts';
import { readConfig } from '../settings/config-file.ts';
import { baseUrlOf } from '../settings/settings.ts';

/**
 * The live host's address: sessions exist on live only (API 5). In the simulation, which needs none and is where commands
 * go unless told, live is meant as well. A usage failure on the sandbox, and where nobody gave the address.
 */
export function liveHost(context: Context): string {
  const { variables, settings } = context;
  if (settings.environment === 'sandbox') {
    throw usageFailure(
      'The sandbox has no sessions: it takes test keys only.',
      'Set PERP_API_KEY, or name a file with --api-key-file. Sessions are for --env live.',
    );
  }
  const baseUrl =
    settings.environment === 'live' ? settings.baseUrl : baseUrlOf('live', variables, readConfig(variables));
  if (baseUrl !== undefined) return hostOf(baseUrl);
  throw usageFailure(
    'The address of the live API is not set, and sessions exist on live only.',
    'Set PERP_BASE_URL, or run: perp config set live.base_url https://... The simulation needs no login; to try one, ' +
      'start perp sim serve and use PERP_BASE_URL=http://127.0.0.1:7400.',
  );
}

/** A client for one host and one credential, beside the connection that the environment names. It keeps no intents. */
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
    userAgent: `perp/${context.registry.version}`,
    onAttempt: (attempt) => context.showAttempt(attempt),
  });
  return { client, [Symbol.asyncDispose]: () => transport.close() };
}
