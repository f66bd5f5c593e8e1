/** How a release gets its own clone and what npm has, and how a built folder becomes the package that users install. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Clones a repository with the identity of its user, which may be known to that repository only. Throws if git does not
 * know who commits.
 */
export function cloneAsUser(from: string, to: string): void {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const own = git(from, 'config', '--local', '--null', '--list').split('\0');
  const settings = own.flatMap((setting) => {
    const [key = '', value] = setting.split(/\n(.*)/s);
    return /^(?:user|commit|tag|gpg)\./.test(key) ? [`${key}=${value ?? 'true'}`] : [];
  });
  git(from, 'clone', '--quiet', ...settings.flatMap((setting) => ['--config', setting]), from, to);
  git(to, 'var', 'GIT_COMMITTER_IDENT');
}

/**
 * Runs npm and returns what it printed. A download from its registry may stall, which npm doesn't notice in time, so
 * this tries three times, two minutes each.
 */
export function npm(args: readonly string[], at: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }): string {
  for (let attempt = 1; ; attempt++) {
    try {
      const late = { timeout: 120_000, killSignal: 'SIGKILL' } as const;
      return execFileSync('npm', args, { ...at, ...late, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly devDependencies: unknown;
  readonly scripts: unknown;
  readonly allowScripts: unknown;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
}

/**
 * Packs a folder with a build, and returns the packed file in `to`. What users install has a manifest of its own: the
 * bundle contains every library but the keychain's, and there is nothing to build.
 */
export function packed(folder: string, to: string): string {
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { devDependencies: _bundled, scripts: _building, allowScripts: _allowed, ...rest } = own;
  // The bundle starts processes and threads from its own files, which must not be in an archive, as with Yarn PnP.
  const manifest = { ...rest, exports: withoutSources(own.exports), preferUnplugged: true };
  const fresh = join(to, 'package');
  mkdirSync(fresh, { recursive: true });
  const names = manifest.files.filter((name) => !name.startsWith('!'));
  for (const name of [...names, 'README.md', 'LICENSE'])
    cpSync(join(folder, name), join(fresh, name), { recursive: true });
  writeFileSync(join(fresh, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', to], { cwd: fresh, stdio: 'ignore' });
  return join(to, `${manifest.name}-${manifest.version}.tgz`);
}

/** What users import is built; the sources are not packaged. */
function withoutSources(exports: Manifest['exports']): Manifest['exports'] {
  const built = Object.entries(exports).map(([name, target]) => {
    if (typeof target === 'string') return [name, target] as const;
    const { source: _, ...conditions } = target;
    return [name, conditions] as const;
  });
  return Object.fromEntries(built);
}
