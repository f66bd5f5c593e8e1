import { existsSync } from 'node:fs';
import type { MarketSource } from '../../engine/source.ts';
import { besideTape, partFiles, TapeError } from '../../markets/live/tape/parts.ts';
import { isBeingWritten } from '../../markets/live/tape/tape-lock.ts';
import { definitionsOf, openTape, summariesOf } from '../../markets/live/tape/tape-source.ts';
import { openRecording } from '../../markets/recorded.ts';

/** A recording in one file, compiled once and kept, or a tape of any size, read part by part. */
export async function openBooks(path: string, cacheDir: string) {
  const isTape = existsSync(besideTape(path, 'summary.json')) || partFiles(path).some(({ number }) => number > 1);
  if (isTape && isBeingWritten(path))
    throw new TapeError(path, 'is being recorded: it can be practiced on when that has ended');
  return isTape ? openTape(path) : await openRecording(path, { cacheDir });
}

/** A live state's tape as far as it goes, without feeds; a desk that has seen no market yet has none. */
export function openTapeOf(tape: string): { source: MarketSource; close(): void } {
  if (definitionsOf(summariesOf(tape)).length > 0) return openTape(tape, 'live');
  const none = { watch() {}, peek: () => null, next: () => null };
  const source = { name: 'live', definitions: [], book: () => null, open: () => none, volume: () => 0 };
  return { source, close() {} };
}
