import { basename } from 'node:path';
import type { Settings } from '../settings/settings.ts';

type Where = Pick<Settings, 'environment' | 'baseUrl' | 'simulation'>;

/**
 * Where a write goes: `simulation (default, account acc_1)`, `live (api.example.com, account acc_1)`. Without an
 * account: `simulation (default)`.
 */
export function destination(where: Where, account?: string): string {
  const parts = [placeOf(where), account === undefined ? undefined : `account ${account}`];
  const named = parts.filter((part) => part !== undefined).join(', ');
  const { environment } = where;
  return `${environment === 'sim' ? 'simulation' : environment}${named === '' ? '' : ` (${named})`}`;
}

function placeOf({ environment, baseUrl, simulation: { state, books } }: Where): string | undefined {
  if (environment === 'sim') return state ?? (books === undefined ? 'default' : basename(books));
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
}
