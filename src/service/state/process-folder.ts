import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ServeLock } from './service-file.ts';

const lockName = 'process.lock';
/** The longest time from making a folder to locking it, ms. */
const unlockedMs = 60_000;

/**
 * Makes a folder for this process, which holds a lock in it as long as it runs, in `root`, whose name begins with `prefix`; a copy of `from` if given. Removes files
 * of the same prefix that killed processes of this user have left there.
 */
export function processFolder(root: string, prefix: string, from?: string) {
  for (const name of readdirSync(root)) {
    const pid = name.startsWith(prefix) && /^(\d{1,10})-/.exec(name.slice(prefix.length))?.[1];
    if (pid) removeIfLeft(join(root, name), Number(pid));
  }
  const folder = mkdtempSync(join(root, `${prefix}${process.pid}-`));
  if (from !== undefined) cpSync(from, folder, { recursive: true, filter: (path) => basename(path) !== lockName });
  let lock = ServeLock.acquire(join(folder, lockName));
  /** The folder's contents stay. */
  const unlock = () => {
    lock?.release();
    lock = null;
  };
  return {
    folder,
    unlock,
    remove() {
      unlock();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function removeIfLeft(folder: string, pid: number): void {
  try {
    const { uid, mtimeMs } = lstatSync(folder);
    const isOwn = process.getuid === undefined || uid === process.getuid();
    if (!isOwn || isRunning(pid)) return;
    // Its process may run invisibly, in another container: then the lock decides.
    const lock = join(folder, lockName);
    const isLeft = existsSync(lock) ? !ServeLock.isHeld(lock) : Date.now() - mtimeMs > unlockedMs;
    if (isLeft) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another process removes it, or can.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
