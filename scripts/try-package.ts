/**
 * Installs a packed perp into an empty prefix with its own home folder, and tries what a new user would try first: the
 * version, an order in the simulation, the man page, completion.
 *
 *   node scripts/try-package.ts perp-0.1.0.tgz
 *
 * Needs npm's registry for the dependencies, and man and bash on this machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Throws if this package can't be installed or does not work; `say` gets a line for each step. */
export function tryPackage(tarball: string, version: string, say: (line: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'perp-package-'));
  try {
    const run = runner(folder);
    say(
      run(
        'npm',
        'install',
        '--global',
        '--prefix',
        join(folder, 'prefix'),
        '--no-fund',
        '--no-audit',
        resolve(tarball),
      ),
    );
    for (const { title, command, expected } of trials(version)) {
      const output = run(...command);
      if (!expected.test(output)) throw new Error(`${title}: expected ${expected}, got:\n${output}`);
      say(`${title}: ${expected.exec(output)![0]}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Trial {
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** What the output must contain. */
  readonly expected: RegExp;
}

/** What bash does for `perp order pl` and TAB. */
const completeInBash = `
source <(perp completion bash)
COMP_WORDS=(perp order pl) COMP_CWORD=2 COMP_LINE='perp order pl' COMP_POINT=13
name=$(complete -p perp) name=\${name##*-F } name=\${name%% *}
"$name" perp pl order
printf '%s\\n' "\${COMPREPLY[@]}"`;

function trials(version: string): Trial[] {
  return [
    { title: 'node', command: ['node', '--version'], expected: /^v(?:2[4-9]|[3-9]\d)\.\S+/ },
    {
      title: 'perp --version',
      command: ['perp', '--version'],
      expected: new RegExp(`\\b${RegExp.escape(version)}\\b`),
    },
    {
      title: 'perp order place',
      command: ['perp', 'order', 'place', 'BTC', 'buy', '0.05', '--yes'],
      expected: /^Filled +buy 0\.05 BTC at [\d.]+$/m,
    },
    { title: 'perp positions', command: ['perp', 'positions', '-o', 'csv'], expected: /BTC,.*\blong,0\.05\b/ },
    { title: 'man perp', command: ['man', '-P', 'cat', 'perp'], expected: /^PERP\(1\)/m },
    { title: 'completion', command: ['bash', '--norc', '-c', completeInBash], expected: /^place\b/m },
  ];
}

/** Runs programs with the prefix and this Node first on the PATH; all but npm without this user's environment. */
function runner(folder: string): (program: string, ...args: string[]) => string {
  const home = join(folder, 'home');
  mkdirSync(home);
  const PATH = [join(folder, 'prefix', 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const fresh = { HOME: home, PATH, MANPATH: join(folder, 'prefix', 'share', 'man'), LANG: 'C.UTF-8' };
  return (program, ...args) => {
    // npm needs its registry and proxy settings.
    const env = program === 'npm' ? { ...process.env, PATH } : fresh;
    return execFileSync(program, args, { cwd: home, env, encoding: 'utf8', timeout: 300_000 }).trim();
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const tarball = process.argv[2];
  if (tarball === undefined) throw new Error('Give the packed file: node scripts/try-package.ts perp-0.1.0.tgz');
  const manifest = execFileSync('tar', ['-xOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  tryPackage(tarball, (JSON.parse(manifest) as { version: string }).version, console.log);
}
