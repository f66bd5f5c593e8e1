import type { Client } from '../../client/client.ts';
import { readConfig } from '../config-file.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { baseUrlOf } from '../settings.ts';
import { hostOf } from './kept-sessions.ts';

/**
 * The live host's address, whatever environment other commands use: sessions exist on live only (API 5). Without a
 * login the simulation needs none, and the sandbox takes its own keys, so both environments mean live here.
 */
export function liveHost(context: Context): string {
  const { variables, settings } = context;
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
  const [{ httpTransport }, { createClient }] = await Promise.all([
    import('../../client/http-transport.ts'),
    import('../../client/client.ts'),
  ]);
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
