import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { withoutSecrets } from '../text/secrets.ts';

type Speed = 'durable' | 'quick';

/**
 * Replaces a file whole, readable by its owner only: a reader sees the old text or the new one. Known secrets are left
 * out, as from all that is printed: what a host calls its accounts may be what it was sent. `quick` leaves out forcing
 * it to the disk, for what may be lost in a power cut.
 */
export function writePrivateFile(file: string, text: string, speed: Speed = 'durable'): void {
  replaceFile(file, withoutSecrets(text), speed);
}

/** The same for the one file that is there to hold a secret. */
export function writeSecretFile(file: string, text: string): void {
  replaceFile(file, text, 'durable');
}

function replaceFile(file: string, text: string, speed: Speed): void {
  makePrivateFolder(dirname(file));
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

/**
 * Makes a folder and those above it that are missing, for their owner alone, and brings their names to the disk. Node's
 * own way of doing so never ends where a folder that exists takes no new ones and says that it is not there, as /proc
 * does.
 */
export function makePrivateFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
    throw error;
  }
  syncFolder(above);
}

function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Not every system can; there the name is as safe as it makes it.
  }
}
