import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { homeFolder, type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';
import { completionScript, type Shell, shells } from '../completion/scripts.ts';
import { type Finding, ok, warn } from './finding.ts';

/** zsh's report after its startup files have run. */
interface ZshAnswer {
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
function askZsh(program: string, variables: Variables, timeoutMs: number): Promise<ZshAnswer | null> {
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

/** Where a shell finds completion scripts, and which files load them at startup. */
interface ShellPlaces {
  /** The script itself. */
  scripts: readonly string[];
  /** Files that may load it from perp. */
  startFiles: readonly string[];
  install: string;
}

/** The user's shell completes perp, with this version's script. */
export async function checkCompletion(variables: Variables, timeoutMs: number): Promise<Finding> {
  const shell = shellInUse(variables);
  if (shell === undefined) return ok('completion', 'no supported shell');
  if (shell === 'zsh') return checkZsh(variables, timeoutMs);
  const { scripts, startFiles, install } = placesOf(shell, variables);
  const asks = startFiles.find((file) => asksForScript(textOf(file), shell));
  if (asks !== undefined) return ok('completion', `${shell}, loaded in ${asks}`);
  const found = scripts.find((file) => textOf(file) !== undefined);
  if (found === undefined) return warn('completion', `${shell} does not complete perp yet.`, install);
  return checkScript(shell, found);
}

async function checkZsh(variables: Variables, timeoutMs: number): Promise<Finding> {
  const program = variable(variables, 'SHELL') ?? 'zsh';
  const folder = variable(variables, 'ZDOTDIR') ?? homeFolder(variables) ?? '/';
  const startFile = join(folder, '.zshrc');
  const answer = await askZsh(program, variables, timeoutMs);
  if (answer === null)
    return warn(
      'completion',
      `${program} did not report whether it completes perp.`,
      `${program} -ic 'print $_comps[perp]'`,
    );
  const [file] = answer.files;
  if (answer.completesPerp) return file === undefined ? ok('completion', 'zsh') : checkScript('zsh', file);
  const compinit = answer.hasCompletion ? '' : 'autoload -Uz compinit && compinit';
  const script = file === undefined ? 'source <(perp completion zsh)' : '';
  const message =
    file === undefined
      ? 'zsh does not complete perp yet.'
      : `zsh finds ${file}, but compinit, which loads it, has not run.`;
  const line = [compinit, script].filter(Boolean).join('; ');
  // It finds the file, but its dump from an earlier start does not list it.
  const fix = line === '' ? `rm -f ${join(folder, '.zcompdump*')}` : `echo '${line}' >> ${startFile}`;
  return warn('completion', message, fix);
}

function checkScript(shell: Shell, file: string): Finding {
  const isCurrent = textOf(file)?.trim() === completionScript(shell).trim();
  if (isCurrent) return ok('completion', `${shell}, ${file}`);
  return warn('completion', `${file} is from another version of perp.`, `perp completion ${shell} > ${file}`);
}

function shellInUse(variables: Variables): Shell | undefined {
  const name = basename(variable(variables, 'SHELL') ?? '').replace(/\.exe$/, '');
  if (name === 'pwsh' || (name === '' && isWindows())) return 'powershell';
  return Object.keys(shells).find((shell): shell is Shell => shell === name);
}

function placesOf(shell: Exclude<Shell, 'zsh'>, variables: Variables): ShellPlaces {
  const home = homeFolder(variables) ?? '/';
  const config = variable(variables, 'XDG_CONFIG_HOME') ?? join(home, '.config');
  const data = variable(variables, 'XDG_DATA_HOME') ?? join(home, '.local/share');
  const places: Record<typeof shell, ShellPlaces> = {
    bash: {
      scripts: [
        join(data, 'bash-completion/completions/perp'),
        '/usr/local/share/bash-completion/completions/perp',
        '/usr/share/bash-completion/completions/perp',
        '/etc/bash_completion.d/perp',
      ],
      startFiles: [join(home, '.bashrc'), join(home, '.bash_profile'), join(home, '.bash_completion')],
      install: `echo 'source <(perp completion bash)' >> ${join(home, '.bashrc')}`,
    },
    fish: {
      scripts: [
        join(config, 'fish/completions/perp.fish'),
        '/etc/fish/completions/perp.fish',
        '/usr/share/fish/vendor_completions.d/perp.fish',
      ],
      startFiles: [join(config, 'fish/config.fish')],
      install: `perp completion fish > ${join(config, 'fish/completions/perp.fish')}`,
    },
    powershell: {
      scripts: [],
      startFiles: profiles(home, config),
      install: 'Add to $PROFILE: perp completion powershell | Out-String | Invoke-Expression',
    },
  };
  return places[shell];
}

function profiles(home: string, config: string): string[] {
  const name = 'Microsoft.PowerShell_profile.ps1';
  const folders = [
    join(home, 'Documents/PowerShell'),
    join(home, 'Documents/WindowsPowerShell'),
    join(config, 'powershell'),
  ];
  return folders.map((folder) => join(folder, name));
}

/** A line that runs `perp completion SHELL`, or loads the script from the package. */
function asksForScript(text: string | undefined, shell: Shell): boolean {
  const lines = (text ?? '').split('\n').filter((line) => !line.trimStart().startsWith('#'));
  return lines.some(
    (line) => line.includes(`perp completion ${shell}`) || line.includes(`completions/${shells[shell]}`),
  );
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
