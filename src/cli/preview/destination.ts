import type { Settings } from '../settings/settings.ts';

/** The destination of a write: `live (api.example.com, account acc_1)`; undefined for the simulation. */
export function destination(
  { environment, baseUrl }: Pick<Settings, 'environment' | 'baseUrl'>,
  account: string,
): string | undefined {
  if (environment === 'sim') return undefined;
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? `${new URL(baseUrl).host}, ` : '';
  return `${environment} (${host}account ${account})`;
}

/** The same for use in a question: ` on live (...)`, or nothing. */
export function onDestination(settings: Pick<Settings, 'environment' | 'baseUrl'>, account: string): string {
  const where = destination(settings, account);
  return where === undefined ? '' : ` on ${where}`;
}
