import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { MarketSource } from '../../engine/source.ts';
import type { MarketData } from '../bars.ts';
import { PlayedBars } from '../played-bars.ts';
import { RecordedBooks, RecordedTape } from './recorded-tape.ts';
import { compiledTape, keptFile, keptTape, type OpenTape, passingTape } from './tape-cache.ts';
import { finishedTape, readMinutes, TapeReader } from './tape-file.ts';
import { VolumeCurve } from './volume.ts';

export { RecordingError } from './recording-error.ts';

/** A valid recording that was read to its end. Times are the recording's own, Unix ms (simulation 9.2). */
export interface Recording {
  readonly source: MarketData;
  /** Time of the first and of the last line. */
  readonly firstTime: Ms;
  readonly lastTime: Ms;
  /** SHA-256 of the file as stored on disk, in hex: its identity. */
  readonly fingerprint: string;
  readonly definitions: readonly MarketDefinition[];
  /** Releases the compiled tape; the source can't be used afterward. */
  close(): void;
}

/**
 * Opens a recording (simulation 9.2). The first time, the whole file is read in bounded memory, checked line by line
 * and compiled into a tape for random access. With `cacheDir`, the tape is stored there and reused while the file's
 * size and modification time stay the same; otherwise it is a temporary file until `close` or the end of the process.
 * Throws a RecordingError that names file and line; an invalid recording is never played, not even in part.
 */
export async function openRecording(file: string, options: { cacheDir?: string } = {}): Promise<Recording> {
  const tape = options.cacheDir === undefined ? await passingTape(file) : await keptTape(file, options.cacheDir);
  const { fingerprint, firstTime, lastTime, definitions } = tape.facts;
  return { source: recordedSource(tape), firstTime, lastTime, fingerprint, definitions, close: tape.close };
}

/** A recording that was compiled before, on a file that someone else has opened. Throws if it isn't one. */
export function compiledRecording(fd: number): Recording {
  const tape = compiledTape(fd);
  const { fingerprint, firstTime, lastTime, definitions } = tape.facts;
  return { source: recordedSource(tape), firstTime, lastTime, fingerprint, definitions, close: tape.close };
}

/** The file of a recording's compiled tape, in the folder where it is kept; compiled now if it was not before. */
export async function compiledFile(file: string, cacheDir: string): Promise<string> {
  (await keptTape(file, cacheDir)).close();
  return keptFile(file, cacheDir);
}

function recordedSource(opened: OpenTape): MarketData {
  const { facts } = opened;
  const tape = finishedTape(opened);
  const { definitions, firstTime, lastTime, volumes, minutes } = facts;
  const markets = new Map(
    definitions.map(({ marketId }, index) => {
      const books = new RecordedBooks(facts, new TapeReader(tape), index);
      return [marketId, { books, volume: new VolumeCurve(volumes[index]!, firstTime), minutes: minutes[index]! }];
    }),
  );
  const market = (marketId: string) => {
    const found = markets.get(marketId);
    if (found === undefined) throw new RangeError(`no market ${JSON.stringify(marketId)} in the recording`);
    return found;
  };
  const source: MarketSource = {
    name: 'recorded',
    definitions,
    book: (marketId, time) => market(marketId).books.at(time),
    open: (from) => new RecordedTape(facts, new TapeReader(tape), from),
    hasMarks: (marketId) => facts.marked.includes(marketId),
    volume: (marketId, from, to, asOf) => market(marketId).volume.between(from, to, asOf),
  };
  const played = new PlayedBars(source, firstTime, (marketId) => {
    return { to: lastTime + 1, minutes: readMinutes(tape, market(marketId).minutes) };
  });
  return {
    ...source,
    bars: (marketId, interval, from, count, until) => played.bars(marketId, interval, from, count, until),
    prepareBars: (marketId, interval, from, count, until) => played.prepareBars(marketId, interval, from, count, until),
  };
}
