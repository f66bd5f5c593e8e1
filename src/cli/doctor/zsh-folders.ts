import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Variables, variable } from '../files/folders.ts';

/** Files in which zsh is told where functions are. */
const startFiles = ['.zshenv', '.zprofile', '.zshrc'];

/**
 * Folders in which zsh may look for completions, as far as that can be told without running it: an exported FPATH, what
 * the start files put into fpath in so many words, the places of its frameworks, of systems and of package managers.
 */
export function zshFolders(variables: Variables, home: string): string[] {
  const dot = variable(variables, 'ZDOTDIR') ?? home;
  const omz = variable(variables, 'ZSH') ?? join(home, '.oh-my-zsh');
  const custom = variable(variables, 'ZSH_CUSTOM') ?? join(omz, 'custom');
  const brew = variable(variables, 'HOMEBREW_PREFIX') ?? '/opt/homebrew';
  const folders = [
    ...(variable(variables, 'FPATH') ?? '').split(':'),
    ...startFiles.flatMap((file) => named(join(dot, file), { ...variables, HOME: home, ZDOTDIR: dot, ZSH: omz })),
    join(dot, '.zsh/completions'),
    join(dot, '.zsh/completion'),
    join(dot, '.zfunc'),
    join(home, '.local/share/zsh/site-functions'),
    join(omz, 'completions'),
    join(custom, 'completions'),
    join(custom, 'plugins/perp'),
    join(variable(variables, 'ZSH_CACHE_DIR') ?? join(omz, 'cache'), 'completions'),
    join(dot, '.zprezto/modules/completion/external/src'),
    join(home, '.nix-profile/share/zsh/site-functions'),
    join(brew, 'share/zsh/site-functions'),
    '/usr/local/share/zsh/site-functions',
    '/usr/share/zsh/site-functions',
    '/usr/share/zsh/vendor-completions',
    '/home/linuxbrew/.linuxbrew/share/zsh/site-functions',
  ];
  return [...new Set(folders.filter((folder) => folder.startsWith('/')))];
}

/** The folders of lines such as `fpath=(~/.functions $fpath)` and `fpath+=$HOME/.functions`. */
function named(file: string, variables: Variables): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const values = [...text.matchAll(/^[ \t]*(?:typeset[ \t]+-U[ \t]+|export[ \t]+)?fpath\+?=(\(?)/gim)].map(
    ({ 0: { length }, 1: bracket, index }) => {
      const from = index + length;
      const end = bracket === '' ? text.slice(from).search(/\s|$/) : text.indexOf(')', from) - from;
      return text.slice(from, from + Math.max(0, end));
    },
  );
  return values.flatMap((value) => value.split(/[\s:]+/).map((word) => expanded(word, variables)));
}

/** A word as zsh would read it, where it names nothing but variables and the home folder; else what is no folder. */
function expanded(word: string, variables: Variables): string {
  return word
    .replace(/^["']|["']$/g, '')
    .replace(/^~(?=\/|$)/, variables.HOME ?? '')
    .replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => variables[braced ?? bare ?? ''] ?? '');
}
