import { join } from 'node:path';
import { stateFolder, type Variables } from '../../ground/files/folders.ts';
import { writePrivateFile } from '../../ground/files/private-files.ts';
import { readRegularFile } from '../../ground/files/regular-file.ts';

/**
 * What has been announced about a state of the simulation: its last mark, and the accounts with the times of their end.
 */
interface Announced {
  readonly mark: string;
  readonly ended: readonly string[];
}

/** What has been announced, by state; empty if the file can't be read. */
export function announced(variables: Variables): Readonly<Record<string, Announced | undefined>> {
  try {
    const kept: unknown = JSON.parse(readRegularFile(fileIn(variables)).text);
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Announced>) : {};
  } catch {
    return {};
  }
}

/** Stores what has been announced about a state; undefined: forgets it. */
export function storeAnnounced(variables: Variables, state: string, now: Announced | undefined): void {
  const before = announced(variables);
  if (now === undefined && before[state] === undefined) return;
  writePrivateFile(fileIn(variables), JSON.stringify({ ...before, [state]: now }), 'quick');
}

function fileIn(variables: Variables): string {
  return join(stateFolder(variables), 'endings.json');
}
