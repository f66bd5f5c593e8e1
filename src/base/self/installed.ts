import { existsSync } from 'node:fs';
import { isSea } from 'node:sea';
import { ownPlace } from './self.ts';

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
