import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Ms } from '../../exchange/engine/model.ts';
import { compiledFile, compiledRecording, RecordingError } from '../../exchange/markets/recorded/recorded-source.ts';
import { sliceTape } from '../../service/live/tapes.ts';
import { placeOn } from '../../venues/live/practice.ts';
import { tapeFile } from '../../venues/live/tapes.ts';
import { isBeingWritten, partFiles, TapeError } from '../../venues/tape/parts.ts';
import { openTape } from '../../venues/tape/tape-source.ts';

/**
 * A tape that trials play, by the name that it was given: an open file that processes without access to files can read.
 */
export type LabTape = Awaited<ReturnType<typeof openOne>>;

/**
 * Opens recordings and tapes, by file or by the name of a tape that a simulation on live markets has kept, each
 * compiled once into `stateDir`; those that can't be used come with the reason.
 */
export async function openTapes(names: readonly string[], stateDir: string) {
  const tapes: LabTape[] = [];
  const broken: { name: string; problem: string }[] = [];
  for (const name of new Set(names)) {
    try {
      const opened = await openOne(name, stateDir);
      if (!tapes.some(({ fingerprint }) => fingerprint === opened.fingerprint)) tapes.push(opened);
    } catch (error) {
      if (!(error instanceof RecordingError || error instanceof TapeError)) throw error;
      broken.push({ name, problem: error.message });
    }
  }
  const close = () => {
    for (const { fd } of tapes) closeSync(fd);
  };
  return { tapes, broken, close };
}

/** A time on a tape: a bookmark, a time of day, an ISO time or Unix ms; null if it is not on it. */
export function timeOn({ file, firstTime, lastTime }: LabTape, text: string): Ms | null {
  return placeOn({ tape: file, firstTime, lastTime }, text);
}

async function openOne(name: string, stateDir: string) {
  const file = tapeFile(name, join(stateDir, 'tapes'));
  const cache = join(stateDir, 'recordings');
  mkdirSync(cache, { recursive: true });
  const fd = openSync(await compiledFile(await singleFile(file, cache), cache), 'r');
  const { fingerprint, firstTime, lastTime } = compiledRecording(fd);
  return { name, file, fingerprint, fd, firstTime, lastTime };
}

/** A tape in several parts as one file, kept under its identity. */
async function singleFile(file: string, cache: string): Promise<string> {
  if (existsSync(file) && isBeingWritten(file)) throw new TapeError(file, 'is still being recorded');
  if (!partFiles(file).some(({ number }) => number > 1)) return file;
  const { fingerprint, close } = openTape(file);
  close();
  const whole = join(cache, `whole-${fingerprint.slice(0, 32)}.jsonl.gz`);
  if (!existsSync(whole)) await sliceTape(file, { markets: [] }, whole, { replaces: true });
  return whole;
}
