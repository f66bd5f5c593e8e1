import { hash } from 'node:crypto';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../files/folders.ts';
import type { Destination } from '../intents/note.ts';

/** Everything that guards keep about one environment: a folder below the state folder. */
export function guardFolder(variables: Variables, { environment, baseUrl, state }: Destination): string {
  const place = hash('sha256', JSON.stringify([environment, baseUrl ?? null, state ?? null]), 'hex').slice(0, 16);
  return join(stateFolder(variables), 'guard', place);
}

/** An account's name for files; its id may be any text. */
export function accountFile(account: string): string {
  return hash('sha256', account, 'hex').slice(0, 16);
}
