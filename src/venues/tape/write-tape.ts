import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isBeingWritten, partFiles, TapeError, tapeOf } from './parts.ts';
import { checkPlace, type Destination, type WritingOptions, writeRecording } from './write-recording.ts';

/** How a tape in one file is written. */
export interface TapeWritingOptions extends WritingOptions {
  /** Everything is read and checked, and nothing is written. */
  dryRun?: boolean;
}

/**
 * Writes a tape in one file, made of the files `sources`. The name must not make it a part of another tape. Throws a
 * TapeError or a RecordingError.
 */
export async function writeTape(
  out: Destination,
  lines: AsyncIterable<string>,
  { dryRun = false, ...options }: TapeWritingOptions,
  sources: readonly string[] = [],
): Promise<void> {
  await checkPlace(sources, out, options.replaces === true);
  if (typeof out === 'string') checkName(out);
  if (dryRun) for await (const _ of lines) options.signal?.throwIfAborted();
  else await writeRecording(out, lines, options);
}

function checkName(out: string): void {
  const place = join(realpathSync(dirname(resolve(out))), basename(out));
  const tape = tapeOf(place);
  const other = partFiles(tape).find(({ file }) => file !== place);
  if (other !== undefined || tape !== place.replace(/\.gz$/, ''))
    throw new TapeError(out, `can't be written: it would be a part of the tape ${basename(tape)}; choose another name`);
  if (isBeingWritten(place)) throw new TapeError(out, "can't be written: a process is recording to it");
}
