import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { moveFile } from '../../../base/system/system.ts';
import { compileRecording, type FileStamp, type RecordingFacts } from './compile.ts';
import { messageOf, RecordingError } from './recording-error.ts';
import { readFooter } from './tape-file.ts';

/** The version of the compiled form: tapes of other versions are compiled again. */
const format = 2;

/** A compiled tape that is open for reading. */
export interface OpenTape {
  fd: number;
  /** Number of words of records. */
  words: number;
  facts: RecordingFacts;
  close(): void;
}

/** The cached tape of `file` in a folder; compiled if missing or outdated. */
export async function keptTape(file: string, folder: string): Promise<OpenTape> {
  const { stamp, name } = identityOf(file);
  const path = join(folder, `${name}.tape`);
  const kept = openTape(path, stamp);
  if (kept !== null) return kept;
  try {
    mkdirSync(folder, { recursive: true });
    return await compileInto(file, stamp, path);
  } catch (error) {
    throw notWritten(file, error);
  }
}

/** Where the cached tape of `file` is. */
export function keptFile(file: string, folder: string): string {
  return join(folder, `${identityOf(file).name}.tape`);
}

/** A compiled tape on an open file; throws if it isn't one of this version. */
export function compiledTape(fd: number): OpenTape {
  const footer = readFooter(fd, fstatSync(fd).size);
  const facts = footer === null ? null : (JSON.parse(footer) as RecordingFacts);
  if (facts?.stamp.format !== format) throw new Error('the file is not a compiled recording of this version');
  return { fd, words: facts.words, facts, close: () => closeSync(fd) };
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
export async function passingTape(file: string): Promise<OpenTape> {
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
  const footer = readFooter(fd, fstatSync(fd).size);
  const facts = footer === null ? null : factsOf(footer, stamp);
  if (facts === null) {
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

/** A footer's facts; null if they describe another version of the file, or are damaged. */
function factsOf(text: string, stamp: FileStamp): RecordingFacts | null {
  try {
    const facts = JSON.parse(text) as RecordingFacts;
    return facts.stamp.format === stamp.format &&
      facts.stamp.size === stamp.size &&
      facts.stamp.changedMs === stamp.changedMs
      ? facts
      : null;
  } catch {
    return null;
  }
}
