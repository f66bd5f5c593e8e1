import { fdatasync, fdatasyncSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { OwnerSecret } from '../../base/files/owner-secret.ts';
import { opened, writePrivateFile } from '../../base/files/private-files.ts';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
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
    using head = opened(this.#file, 'r+');
    writeSync(head.fd, this.#slot(end), older * slotBytes);
  }

  /** Resolves once the head is on disk; rejects with system errors. */
  async syncBeside(): Promise<void> {
    using head = opened(this.#file, 'r+');
    await promisify(fdatasync)(head.fd);
  }

  /** Returns once the head is on disk. Throws system errors. */
  syncNow(): void {
    using head = opened(this.#file, 'r+');
    fdatasyncSync(head.fd);
  }

  #slots(): [ChainEnd | undefined, ChainEnd | undefined] {
    const bytes = Buffer.alloc(2 * slotBytes);
    using head = opened(this.#file, 'r');
    readSync(head.fd, bytes, 0, bytes.length, 0);
    return [this.#endIn(bytes.toString('latin1', 0, slotBytes)), this.#endIn(bytes.toString('latin1', slotBytes))];
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
    const { records: seq, hash, mac } = jsonObjectIn(text) ?? {};
    if (typeof seq !== 'number' || typeof hash !== 'string') return undefined;
    return this.#secret.isSigned('audit head', signed({ seq, hash }), mac) ? { seq, hash } : undefined;
  }
}

function signed({ seq, hash }: ChainEnd): string {
  return `${seq} ${hash}`;
}

function newest([one, other]: readonly [ChainEnd | undefined, ChainEnd | undefined]): ChainEnd | undefined {
  return (one?.seq ?? -1) > (other?.seq ?? -1) ? one : (other ?? one);
}
