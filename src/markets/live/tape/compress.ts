import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { partFile } from './parts.ts';

/** What a compressed part is called until it is whole. */
export const unfinishedSuffix = '.new';

/**
 * Puts a compressed part in the place of a plain one. The plain file goes only when the compressed one is on the disk, so
 * whenever this is interrupted one of them is whole.
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
