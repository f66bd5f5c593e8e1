import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file whole, readable by its owner only: a reader sees the old text or the new one. `quick` leaves out
 * forcing it to the disk, for what may be lost in a power cut.
 */
export function writePrivateFile(file: string, text: string, speed: 'durable' | 'quick' = 'durable'): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.${Date.now().toString(36)}`;
  try {
    const descriptor = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(descriptor, text);
      if (speed === 'durable') fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // A umask may have taken more away than wanted.
    chmodSync(fresh, 0o600);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
