import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeFile } from './journal-file.ts';
import { isAlive, type KeptWrite } from './journals.ts';

/**
 * Claims a kept write for this process, so that no two processes settle it at the same time and both send it. Returns
 * what ends the claim, or the id of the process that has it.
 */
export function claim({ note, file }: KeptWrite): (() => void) | number {
  const claimed = join(dirname(file), `${note.id}.claim`);
  for (let tries = 0; tries < 3; tries++) {
    try {
      const descriptor = openSync(claimed, 'wx', 0o600);
      writeSync(descriptor, String(process.pid));
      closeSync(descriptor);
      return () => removeFile(claimed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(claimed);
    if (holder !== undefined && holder !== process.pid && isAlive(holder)) return holder;
    // Its process has ended without ending the claim.
    removeFile(claimed);
  }
  return 0;
}

/** The process that has a claim; undefined if it has just ended. */
function holderOf(claimed: string): number | undefined {
  try {
    return Number(readFileSync(claimed, 'utf8'));
  } catch {
    return undefined;
  }
}
