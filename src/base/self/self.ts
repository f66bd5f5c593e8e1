import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { moveFile } from '../system/system.ts';

/** The parts of perp that run as separate processes, and the module, below src, that it begins with. */
export const parts = {
  keychain: 'desk/credentials/keychain-process.ts',
  'lab-worker': 'programs/lab/workers/worker.ts',
  'left-page': 'terminal/console/terminal/left-page.ts',
  'lock-probe': 'service/state/lock-probe-process.ts',
  supervisor: 'terminal/cli/running/supervisor.ts',
} as const;
/** A part of perp that runs as its own process. */
type Part = keyof typeof parts;

/** The hidden command that starts a part; bin/start.js knows it, too. */
const partWord = '__part';

/** The way to start a program: its file and arguments, and the contents of NODE_OPTIONS. */
interface Start {
  readonly words: readonly [string, ...string[]];
  readonly options: string | undefined;
}

/**
 * The command line that starts a part of this perp with these Node options: from the sources, from the npm package, or
 * from the single executable, which doesn't accept Node options. It sets options itself that NODE_OPTIONS doesn't
 * allow.
 */
export function startOf(part: Part, options: readonly string[] = [], ...given: string[]): Start {
  const own = [partWord, part];
  if (isSea()) {
    const isAllowed = (option: string) => process.allowedNodeEnvironmentFlags.has(option.split('=')[0]!);
    const inVariable = options.filter(isAllowed).join(' ');
    const later = options.filter((option) => !isAllowed(option));
    return { words: [process.execPath, ...own, ...later, ...given], options: inVariable || undefined };
  }
  const file = isBuilt ? '../bin/perp.js' : `../../${parts[part]}`;
  return {
    words: [process.execPath, ...options, join(import.meta.dirname, file), ...own, ...given],
    options: undefined,
  };
}

/** Whether this process was started as this part. */
export function isPart(part: Part): boolean {
  return process.argv[2] === partWord && process.argv[3] === part;
}

/** A command that does nothing but start this program. */
export function emptyRun(): string[] {
  return [process.execPath, '--version'];
}

/** The bundle is in dist, this module elsewhere. */
const isBuilt = basename(import.meta.dirname) !== 'self';

/** The folders and files of perp that its parts read: none in the executable, which contains everything. */
export function readByParts(): string[] {
  if (isSea()) return [];
  const names = isBuilt ? ['dist', 'bin', 'package.json'] : ['src', 'package.json', 'node_modules'];
  return names.map((name) => join(packageFolder(), name));
}

/** The text of a file of the package, such as `docs/lab.md`. */
export function ownText(path: string): string {
  return isSea() ? getAsset(path, 'utf8') : readFileSync(join(packageFolder(), path), 'utf8');
}

/** The executable file, or the folder of the package. */
export function ownPlace(): string {
  return isSea() ? process.execPath : packageFolder();
}

/** The folder of the package in the source tree or from npm. */
function packageFolder(folder = import.meta.dirname): string {
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, 'package.json')) ? folder : packageFolder(above);
}

/**
 * The folder of a package from which other programs import the library. The executable creates one below `states`, once
 * for each build.
 */
export function libraryFolder(states: string): string {
  if (!isSea()) return packageFolder();
  const { entry } = JSON.parse(ownText('dist/start.json')) as { entry: string };
  const folder = join(states, 'library', entry.replaceAll(/\W/g, '-'));
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(`${folder}-`);
  try {
    for (const name of getAssetKeys().filter((key) => /^(?:dist|bin)\/|^package\.json$/.test(key))) {
      mkdirSync(dirname(join(draft, name)), { recursive: true });
      writeFileSync(join(draft, name), Buffer.from(getAsset(name)));
    }
    moveFile(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** How a copy of perp was installed on a machine, and the one command that upgrades it. */
interface Installed {
  readonly by: (typeof waysIn)[number];
  /** The executable file, or the folder of the package. */
  readonly place: string;
  readonly upgrade: string;
}

/** The ways to install perp. */
export const waysIn = ['checkout', 'npm', 'archive', 'install.sh', 'deb', 'rpm', 'homebrew', 'scoop'] as const;

const upgrades: Readonly<Record<Installed['by'], string>> = {
  checkout: 'git pull && npm ci',
  npm: 'npm install --global FILE.tgz',
  archive: 'tar -xf ARCHIVE',
  'install.sh': 'PERP_RELEASES=ADDRESS sh install.sh',
  deb: 'sudo dpkg --install FILE.deb',
  rpm: 'sudo rpm --upgrade FILE.rpm',
  homebrew: 'brew upgrade perp',
  scoop: 'scoop update perp',
};

/** How this copy was installed. */
export function installed(): Installed {
  const place = ownPlace();
  const by = wayIn(place, isSea(), existsSync);
  return { by, place, upgrade: upgrades[by] };
}

/** How the copy at this place was installed, judged by its path and files. */
export function wayIn(place: string, isExecutable: boolean, exists: (file: string) => boolean): Installed['by'] {
  const path = place.replaceAll('\\', '/');
  if (!isExecutable) return exists(`${path}/src`) ? 'checkout' : 'npm';
  if (path.includes('/Cellar/perp/')) return 'homebrew';
  if (/\/scoop\/apps\/perp\//i.test(path)) return 'scoop';
  if (path.includes('/.local/lib/perp/')) return 'install.sh';
  if (path !== '/usr/lib/perp/perp') return 'archive';
  return exists('/var/lib/dpkg/info/perp.list') ? 'deb' : 'rpm';
}
