import { closeSync, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { OwnerSecret } from '../../base/files/owner-secret.ts';
import { writePrivateFile } from '../../base/files/private-files.ts';
import { isJsonObject } from '../../base/terms/json-object.ts';
import { type ChainEnd, emptyChain } from './chain.ts';

const slotBytes = 256;

/** The head as read: signed, or its fault. */
export type ReadHead = ChainEnd | 'missing' | 'unsigned';

/**
 * The end of the synced chain, signed with the owner's secret, in a file apart from the log: a truncated or rewritten
 * tail differs from it. The older of two slots is overwritten, so one is intact whenever the power fails.
 */
export class AuditHead {
  readonly #file: string;
  readonly #secret: OwnerSecret;
  /** Slots with a valid signature, and their contents. */
  #known: ReadonlyMap<string, ChainEnd> = new Map();

  constructor(file: string, secret: OwnerSecret) {
    this.#file = file;
    this.#secret = secret;
  }

  read(): ReadHead {
    try {
      return newest(this.#slots()) ?? 'unsigned';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
      throw error;
    }
  }

  /** Whether both slots are signed. One may be half written at the moment, so a second look decides. */
  get isWhole(): boolean {
    const isNow = () => this.#slots().every((end) => end !== undefined);
    return isNow() || isNow();
  }

  /** The head of a log that is about to begin. */
  begin(): void {
    writePrivateFile(this.#file, this.#slot(emptyChain).repeat(2));
  }

  /** Moves forward to `end`; durable only after a sync. Throws system errors. */
  advance(end: ChainEnd): void {
    const ends = this.#slots();
    if ((newest(ends)?.seq ?? -1) >= end.seq) return;
    const older = (ends[0]?.seq ?? -1) <= (ends[1]?.seq ?? -1) ? 0 : 1;
    const descriptor = openSync(this.#file, 'r+');
    try {
      writeSync(descriptor, this.#slot(end), older * slotBytes);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Resolves once the head is on disk; rejects with system errors. */
  async syncBeside(): Promise<void> {
    const descriptor = openSync(this.#file, 'r+');
    try {
      await promisify(fdatasync)(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Returns once the head is on disk. Throws system errors. */
  syncNow(): void {
    const descriptor = openSync(this.#file, 'r+');
    try {
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #slots(): [ChainEnd | undefined, ChainEnd | undefined] {
    const bytes = Buffer.alloc(2 * slotBytes);
    const descriptor = openSync(this.#file, 'r');
    try {
      readSync(descriptor, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(descriptor);
    }
    const [one, other] = [bytes.toString('latin1', 0, slotBytes), bytes.toString('latin1', slotBytes)];
    const ends = [this.#known.get(one) ?? this.#endIn(one), this.#known.get(other) ?? this.#endIn(other)] as const;
    const signedSlots = [[one, ends[0]] as const, [other, ends[1]] as const];
    this.#known = new Map(signedSlots.flatMap(([text, end]) => (end === undefined ? [] : [[text, end]])));
    return [...ends];
  }

  #slot(end: ChainEnd): string {
    const text = JSON.stringify({
      records: end.seq,
      hash: end.hash,
      mac: this.#secret.sign('audit head', signed(end)),
    });
    return `${text.padEnd(slotBytes - 1)}\n`;
  }

  #endIn(text: string): ChainEnd | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return undefined;
    }
    if (!isJsonObject(value) || typeof value.records !== 'number' || typeof value.hash !== 'string') return undefined;
    const end = { seq: value.records, hash: value.hash };
    return this.#secret.isSigned('audit head', signed(end), value.mac) ? end : undefined;
  }
}

function signed({ seq, hash }: ChainEnd): string {
  return `${seq} ${hash}`;
}

function newest([one, other]: readonly [ChainEnd | undefined, ChainEnd | undefined]): ChainEnd | undefined {
  return (one?.seq ?? -1) > (other?.seq ?? -1) ? one : (other ?? one);
}
