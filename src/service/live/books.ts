import { existsSync } from 'node:fs';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { openRecording } from '../../exchange/markets/recorded/recorded-source.ts';
import { besideTape, isBeingWritten, partFiles, TapeError } from '../../venues/tape/parts.ts';
import { definitionsOf, openTape, summariesOf } from '../../venues/tape/tape-source.ts';

/** Opens a recording in one file, compiled once and cached, or a tape of any size, read part by part. */
export async function openBooks(path: string, cacheDir: string) {
  // A recorder that was killed leaves a plain part and its lock, and no summary.
  const isTape =
    ['summary.json', 'lock'].some((suffix) => existsSync(besideTape(path, suffix))) ||
    partFiles(path).some(({ number }) => number > 1);
  if (isTape && isBeingWritten(path))
    throw new TapeError(path, 'is still being recorded: practice on it after the recording ends');
  return isTape ? openTape(path) : await openRecording(path, { cacheDir });
}

/** A live state's tape as recorded so far, without feeds; empty if no market has been recorded yet. */
export function openTapeOf(tape: string): { source: MarketSource; close(): void } {
  if (definitionsOf(summariesOf(tape)).length > 0) return openTape(tape, 'live');
  const none = { watch() {}, peek: () => null, next: () => null };
  const source = { name: 'live', definitions: [], book: () => null, open: () => none, volume: () => 0 };
  return { source, close() {} };
}
