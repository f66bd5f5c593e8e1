import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The shells that can complete, and the file that carries each one's script. */
export const shells = { bash: 'perp.bash', zsh: '_perp', fish: 'perp.fish', powershell: 'perp.ps1' } as const;
/** A shell with a completion script. */
export type Shell = keyof typeof shells;

/** The completion script of a shell. It calls `perp __complete`, so it does not depend on the commands. */
export function completionScript(shell: Shell): string {
  return readFileSync(join(packageFolder(import.meta.dirname), 'completions', shells[shell]), 'utf8');
}

/** The folder of the package, both in the source tree and in the bundle. */
export function packageFolder(folder: string): string {
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, 'package.json')) ? folder : packageFolder(above);
}
