import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { moveFile } from '../../../base/system/system.ts';
import type { MarketSource } from '../../engine/source.ts';
import type { MarketData } from '../bars.ts';
import { PlayedBars } from '../played-bars.ts';
import { compileRecording, type FileStamp, type RecordingFacts } from './compile.ts';
import { VolumeCurve } from './market-compiler.ts';
import { RecordedBooks, RecordedTape } from './recorded-tape.ts';
import { messageOf, RecordingError } from './recording-error.ts';
import { finishedTape, readFooter, readMinutes, TapeReader } from './tape-file.ts';

export { RecordingError } from './recording-error.ts';

/** A valid recording that was read to its end. */
export type Recording = ReturnType<typeof recordingOf>;

/**
 * Opens a recording (simulation 9.2). The first time, the whole file is read in bounded memory, checked line by line
 * and compiled into a tape for random access. With `cacheDir`, the tape is stored there and reused while the file's
 * size and modification time stay the same; otherwise it is a temporary file until `close` or the end of the process.
 * Throws a RecordingError that names file and line; an invalid recording is never played, not even in part.
 */
export async function openRecording(file: string, options: { cacheDir?: string } = {}): Promise<Recording> {
  return recordingOf(options.cacheDir === undefined ? await passingTape(file) : await keptTape(file, options.cacheDir));
}

/** A recording that was compiled before, on a file opened by someone else. Throws if it isn't one. */
export function compiledRecording(fd: number): Recording {
  const facts = factsOf(fd);
  if (facts === null) throw new Error('the file is not a compiled recording of this version');
  return recordingOf({ fd, words: facts.words, facts, close: () => closeSync(fd) });
}

/**
 * The first and the last line's times are the recording's own, Unix ms (simulation 9.2); the fingerprint is its identity:
 * the SHA-256 of the file as stored on disk, in hex. `close` releases the compiled tape: the source can't be used afterward.
 */
function recordingOf(tape: OpenTape) {
  const { fingerprint, firstTime, lastTime, definitions } = tape.facts;
  return { source: recordedSource(tape), firstTime, lastTime, fingerprint, definitions, close: tape.close };
}

/** The file of a recording's compiled tape, in the folder where it is kept; compiled now if it was not before. */
export async function compiledFile(file: string, cacheDir: string): Promise<string> {
  (await keptTape(file, cacheDir)).close();
  return keptPath(identityOf(file).name, cacheDir);
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

/** The version of the compiled form: tapes of other versions are compiled again. */
const format = 2;

/** A compiled tape that is open for reading. */
interface OpenTape {
  fd: number;
  /** Number of words of records. */
  words: number;
  facts: RecordingFacts;
  close(): void;
}

/** The cached tape of `file` in a folder; compiled if missing or outdated. */
async function keptTape(file: string, folder: string): Promise<OpenTape> {
  const { stamp, name } = identityOf(file);
  const path = keptPath(name, folder);
  const kept = openTape(path, stamp);
  if (kept !== null) return kept;
  try {
    mkdirSync(folder, { recursive: true });
    return await compileInto(file, stamp, path);
  } catch (error) {
    throw notWritten(file, error);
  }
}

/** The path of a cached tape. */
function keptPath(name: string, folder: string): string {
  return join(folder, `${name}.tape`);
}

/** Compiles into a temporary file and renames it, so nobody sees a partial tape. */
async function compileInto(file: string, stamp: FileStamp, path: string): Promise<OpenTape> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await compileRecording(file, stamp, unfinished);
    const opened = openTape(unfinished, stamp)!;
    moveFile(unfinished, path);
    return opened;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** A compiled tape of `file` that is deleted when it is closed or the process ends. */
async function passingTape(file: string): Promise<OpenTape> {
  const { stamp } = identityOf(file);
  const folder = mkdtempSync(join(tmpdir(), 'perp-recording-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const forget = () => {
    process.off('exit', remove);
    remove();
  };
  try {
    const path = join(folder, 'tape');
    await compileRecording(file, stamp, path);
    const tape = openTape(path, stamp)!;
    const close = () => {
      tape.close();
      forget();
    };
    return { ...tape, close };
  } catch (error) {
    forget();
    throw notWritten(file, error);
  }
}

/** Explains what a full or read-only disk means for the recording. */
function notWritten(file: string, error: unknown): unknown {
  const isSystemError = error instanceof Error && 'syscall' in error;
  if (!isSystemError) return error;
  return new RecordingError(file, null, `its compiled tape can't be written: ${error.message}`, { cause: error });
}

function identityOf(file: string): { stamp: FileStamp; name: string } {
  try {
    const path = realpathSync(file);
    const status = statSync(path);
    if (!status.isFile()) throw new Error('it is not a file');
    const digest = createHash('sha256').update(path).digest('hex').slice(0, 16);
    const stem = basename(path).replace(/[^A-Za-z0-9_-]+/g, '_');
    return { stamp: { format, size: status.size, changedMs: status.mtimeMs }, name: `${stem.slice(0, 40)}-${digest}` };
  } catch (error) {
    throw new RecordingError(file, null, `can't be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Opens a finished tape of this version of a file; null if there is none. */
function openTape(path: string, stamp: FileStamp): OpenTape | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return null;
  }
  const facts = factsOf(fd);
  if (facts === null || facts.stamp.size !== stamp.size || facts.stamp.changedMs !== stamp.changedMs) {
    closeSync(fd);
    return null;
  }
  let open = true;
  const close = () => {
    if (open) closeSync(fd);
    open = false;
  };
  return { fd, words: facts.words, facts, close };
}

/** The facts of a finished tape of this version; null for any other file. */
function factsOf(fd: number): RecordingFacts | null {
  const footer = readFooter(fd, fstatSync(fd).size) ?? 'null';
  try {
    const facts = JSON.parse(footer) as RecordingFacts | null;
    return facts?.stamp.format === format ? facts : null;
  } catch {
    return null;
  }
}
