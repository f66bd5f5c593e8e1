import { execFile } from 'node:child_process';
import type { Variables } from '../../ground/files/folders.ts';

/** What zsh reports after its startup files have run. */
export interface ZshAnswer {
  /** Completion is on: compinit has run. */
  readonly hasCompletion: boolean;
  /** It completes perp. */
  readonly completesPerp: boolean;
  /** The `_perp` files in its fpath, starting with the one it uses. */
  readonly files: readonly string[];
}

const question = 'print -r -- "perp? $+functions[compdef] $+_comps[perp]"; print -rl -- $^fpath/_perp(N)';

/**
 * Asks an interactive zsh, because only zsh knows the effect of its startup files. `program` is this user's zsh. It
 * gets no input and none of perp's variables. Null if it did not answer in time.
 */
export function askZsh(program: string, variables: Variables, timeoutMs: number): Promise<ZshAnswer | null> {
  const env = Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => value !== '' && !name.startsWith('PERP_')),
  );
  return new Promise((resolve) => {
    const options = { env: { ...env, TERM: 'dumb' }, timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    const child = execFile(program, ['-i', '-c', question], options, (_, out) => resolve(answerIn(out)));
    child.stdin?.end();
  });
}

/** Startup files may print too. */
function answerIn(out: string): ZshAnswer | null {
  const lines = out.split('\n');
  const at = lines.findLastIndex((line) => /^perp\? [01] [01]$/.test(line));
  if (at < 0) return null;
  const [, hasCompletion, completesPerp] = lines[at]!.split(' ').map((word) => word === '1');
  return { hasCompletion: hasCompletion!, completesPerp: completesPerp!, files: lines.slice(at + 1).filter(Boolean) };
}
