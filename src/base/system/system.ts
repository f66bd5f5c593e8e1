import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';

/**
 * Differences between systems, in one place. Windows has no modes, owners, inodes and hangups; a browser is always
 * there; names are replaced only while nobody has the file open. Tests name the system that they try.
 */
export interface System {
  readonly platform: NodeJS.Platform;
  run(program: string, ...args: string[]): void;
  rename(from: string, to: string): void;
}

const here: System = {
  platform: process.platform,
  run: (program, ...args) => void execFileSync(program, args, { stdio: 'ignore', windowsHide: true, timeout: 10_000 }),
  rename: renameSync,
};

/** Whether this machine runs Windows, where files have no modes and open files cannot be replaced. */
export function isWindows({ platform }: Pick<System, 'platform'> = here): boolean {
  return platform === 'win32';
}

/**
 * Whether others on this machine can read a file of this mode. On Windows, its folder decides (`createPrivateFolder`).
 */
export function isOpenToOthers(mode: number, bits = 0o077, system: Pick<System, 'platform'> = here): boolean {
  return !isWindows(system) && (mode & bits) !== 0;
}

/** Creates a folder that is private to its owner; on Windows with all that will be in it, wherever the folder is. */
export function createPrivateFolder(folder: string, variables = process.env, system: System = here): void {
  mkdirSync(folder, { mode: 0o700 });
  const { USERNAME, USERDOMAIN } = variables;
  if (!isWindows(system) || !USERNAME) return;
  const user = USERDOMAIN ? `${USERDOMAIN}\\${USERNAME}` : USERNAME;
  try {
    system.run('icacls', folder, '/inheritance:r', '/grant:r', `${user}:(OI)(CI)F`);
  } catch {
    // A file system without permissions, such as FAT.
  }
}

const patienceMs = 1_000;
const pauseMs = 20;

/**
 * Gives a file its name, in place of another. Windows refuses while someone reads that one, which perp does for
 * moments.
 */
export function moveFile(from: string, to: string, system: System = here): void {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      system.rename(from, to);
      return;
    } catch (error) {
      const isHeld = isWindows(system) && /^(?:EPERM|EACCES|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '');
      if (!isHeld || waitedMs >= patienceMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
