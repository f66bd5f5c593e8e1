import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../base/files/folders.ts';

/** The shells that can complete, and the file that carries each one's script. */
export const shells = { bash: 'perp.bash', zsh: '_perp', fish: 'perp.fish', powershell: 'perp.ps1' } as const;
/** A shell with a completion script. */
export type Shell = keyof typeof shells;

/** The completion script of a shell. It calls `perp __complete`, so it does not depend on the commands. */
export function completionScript(shell: Shell): string {
  return readFileSync(join(packageFolder(import.meta.dirname), 'completions', shells[shell]), 'utf8');
}
