import { hash } from 'node:crypto';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../ground/files/folders.ts';
import { placeOf } from '../../ground/files/place.ts';
import { renameFormer } from '../../ground/files/private-files.ts';
import type { Destination } from '../intents/destination.ts';

/** Everything that guards keep about one environment: a folder below the state folder. */
export function guardFolder(variables: Variables, destination: Destination): string {
  const [folder, former] = guardFolders(variables, destination);
  if (former !== undefined) renameFormer(former, folder);
  return folder;
}

/**
 * The folder of an environment, and the one that an earlier version named by the address as written: a guard of that
 * version may still be running.
 */
export function guardFolders(
  variables: Variables,
  { environment, baseUrl, state }: Destination,
): [folder: string, former?: string] {
  const folderAt = (where: string | null) => {
    const name = hash('sha256', JSON.stringify([environment, where, state ?? null]), 'hex').slice(0, 16);
    return join(stateFolder(variables), 'guard', name);
  };
  if (baseUrl === undefined) return [folderAt(null)];
  const place = placeOf(baseUrl);
  return place === baseUrl ? [folderAt(place)] : [folderAt(place), folderAt(baseUrl)];
}

/** An account's name for files; its id may be any text. */
export function accountFile(account: string): string {
  return hash('sha256', account, 'hex').slice(0, 16);
}
