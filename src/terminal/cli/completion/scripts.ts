import { ownText } from '../../../base/self/self.ts';

/** The shells that can complete, and the file that carries each one's script. */
export const shells = { bash: 'perp.bash', zsh: '_perp', fish: 'perp.fish', powershell: 'perp.ps1' } as const;
/** A shell with a completion script. */
export type Shell = keyof typeof shells;

/** The completion script of a shell. It calls `perp __complete`, so it does not depend on the commands. */
export function completionScript(shell: Shell): string {
  return ownText(`completions/${shells[shell]}`);
}
