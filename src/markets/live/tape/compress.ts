import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { partFile } from './parts.ts';

/** Suffix of a compressed part until it is complete. */
export const unfinishedSuffix = '.new';

/**
 * Replaces a plain part with a compressed one. The plain file is removed only when the compressed one is safely on
 * disk, so after any interruption one of them is complete.
 */
export async function compressPart(tape: string, number: number): Promise<void> {
  const plain = partFile(tape, number, false);
  const compressed = partFile(tape, number, true);
  const unfinished = `${compressed}${unfinishedSuffix}`;
  try {
    await pipeline(createReadStream(plain), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
    await using handle = await open(unfinished, 'r+');
    await handle.sync();
    await rename(unfinished, compressed);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rm(plain);
}
