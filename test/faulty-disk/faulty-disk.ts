import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Which call fails, and how. */
export interface DiskFault {
  /** Number of the call, from 1. */
  at: number;
  /** All later calls fail as well. */
  isPersistent?: boolean;
  error?: 'EIO' | 'ENOSPC';
  /** A write that fails leaves half of its bytes. */
  isTorn?: boolean;
  /** Only fsync and fdatasync count. */
  onlySyncs?: boolean;
}

const source = resolve(import.meta.dirname, 'faulty-disk.c');
const controlBytes = 264;
const firstFailureAt = 36;

/** Why the disk cannot be made to fail here; false when it can. With CI=true a skipped test is a failure. */
export const cannotFail: string | false =
  process.platform !== 'linux'
    ? 'failing disks are made for Linux only'
    : spawnSync('cc', ['--version']).error !== undefined
      ? 'no C compiler (cc) to make a failing disk with'
      : false;

/** A disk below a folder that fails when told to; for the processes that are started with its `variables`. */
export class FaultyDisk {
  readonly #own = mkdtempSync(join(tmpdir(), 'perp-faulty-disk-'));
  readonly #control = join(this.#own, 'control');
  readonly #library = join(this.#own, 'faulty-disk.so');
  readonly #descriptor: number;

  constructor() {
    const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.#library, source, '-ldl'], {
      encoding: 'utf8',
    });
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    writeFileSync(this.#control, Buffer.alloc(controlBytes));
    this.#descriptor = openSync(this.#control, 'r+');
  }

  /**
   * What a process takes whose calls on files below `folder` are to fail. `syncedFolder` gets a copy of each file as it
   * is when it is synced: what a power failure leaves at least.
   */
  variables(folder: string, syncedFolder?: string): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      FAULTY_DISK_FOLDER: folder,
      FAULTY_DISK_CONTROL: this.#control,
      ...(syncedFolder !== undefined && { FAULTY_DISK_SYNCED: syncedFolder }),
    };
  }

  /** From now on, every sync waits, until they are let go. */
  holdSyncs(isHeld: boolean): void {
    this.#write(28, Number(isHeld));
  }

  /** How many syncs have waited since it was armed. */
  get heldSyncs(): number {
    return this.#read().readInt32LE(32);
  }

  /** Counts from zero, and fails as told; without a fault it only counts. Syncs that are held stay so. */
  arm(fault?: DiskFault): void {
    const { at = 0, isPersistent = false, error = 'EIO', isTorn = false, onlySyncs = false } = fault ?? {};
    // The number of the call comes last: a process that is running must not see half of it.
    this.#write(4, 0);
    this.#write(8, Number(isPersistent), constants.errno[error], Number(isTorn), Number(onlySyncs), 0);
    this.#write(32, ...new Array<number>((controlBytes - 32) / 4).fill(0));
    this.#write(0, 0);
    this.#write(4, at);
  }

  /** Calls since it was armed. */
  get calls(): number {
    return this.#read().readInt32LE(0);
  }

  /** Calls that failed since it was armed, and the first of them, such as `fdatasync /default.db-wal`. */
  get failed(): { times: number; first: string } {
    const control = this.#read();
    const text = control.toString('latin1', firstFailureAt);
    return { times: control.readInt32LE(24), first: text.slice(0, text.indexOf('\0')) };
  }

  remove(): void {
    closeSync(this.#descriptor);
    rmSync(this.#own, { recursive: true, force: true });
  }

  #write(offset: number, ...words: number[]): void {
    const bytes = Buffer.alloc(words.length * 4);
    for (const [index, word] of words.entries()) bytes.writeInt32LE(word, index * 4);
    writeSync(this.#descriptor, bytes, 0, bytes.length, offset);
  }

  #read(): Buffer {
    const control = Buffer.alloc(controlBytes);
    readSync(this.#descriptor, control, 0, controlBytes, 0);
    return control;
  }
}
