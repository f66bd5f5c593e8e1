import type { Registry } from '../registry.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { grammarOf } from './grammar.ts';
import { powershellScript } from './powershell.ts';
import { zshScript } from './zsh.ts';

/** The shells that can complete, and the file that carries each one's script. */
export const shells = { bash: 'perp.bash', zsh: '_perp', fish: 'perp.fish', powershell: 'perp.ps1' } as const;
export type Shell = keyof typeof shells;

const makers: { [Name in Shell]: (grammar: ReturnType<typeof grammarOf>) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** The completion script of a shell: everything static inside, the rest from `perp __complete`. */
export function completionScript(shell: Shell, registry: Registry): string {
  return makers[shell](grammarOf(registry));
}
