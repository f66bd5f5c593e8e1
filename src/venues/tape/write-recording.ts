import { randomBytes } from 'node:crypto';
import { createWriteStream, realpathSync } from 'node:fs';
import { link, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { moveFile } from '../../base/system/system.ts';
import { messageOf, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { besideTape, isBeingWritten, partFiles, TapeError, tapeOf } from './parts.ts';

/** A file, or a consumer of the text. */
export type Destination = string | ((text: string) => Promise<void>);

/** How a file is written. */
export interface WritingOptions {
  /** Replaces an existing file. */
  replaces?: boolean;
  /** Where the unfinished file is kept, if that is on the same disk; default: beside the file. */
  draftFolder?: string;
  /** Ends the work early; its reason is thrown, and nothing is left. */
  signal?: AbortSignal;
}

/**
 * Writes lines with their line ends. The file (gzip if its name ends in .gz) appears complete or not at all, and a
 * process that is killed leaves nothing beside it: what it leaves in the folder of drafts, the next one removes.
 */
export async function writeRecording(
  out: Destination,
  lines: AsyncIterable<string>,
  options: WritingOptions,
): Promise<void> {
  if (typeof out === 'string') await writeWhole(out, lines, options);
  else
    for await (const piece of gathered(lines)) {
      options.signal?.throwIfAborted();
      await out(piece);
    }
}

/** Whether both names refer to the same file, including through links: a recording must not replace its source. */
async function isSameFile(file: string, out: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [file, out].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Checks that the file can be written, before large files are read. Throws a RecordingError. */
export async function checkPlace(files: readonly string[], out: Destination, replaces: boolean): Promise<void> {
  if (typeof out !== 'string') return;
  for (const file of files) {
    if (await isSameFile(file, out))
      throw new RecordingError(out, null, 'is one of the files to read; choose another name for the recording');
  }
  const [folder, place] = await Promise.all([dirname(out), out].map((path) => stat(path).catch(() => undefined)));
  const refuse = (problem: string) => {
    throw new RecordingError(out, null, `can't be written: ${problem}`);
  };
  if (folder === undefined) refuse(`there is no folder ${dirname(out)}; create it first`);
  else if (!folder.isDirectory()) refuse(`${dirname(out)} is not a folder`);
  if (place?.isDirectory() === true) refuse('it is a folder; name a file in it');
  // A device or a pipe would be replaced by a regular file.
  if (place?.isFile() === false) refuse('it is not a regular file; use -o - for standard output');
  if (place !== undefined && !replaces) refuse(isThere);
}

const isThere = 'the file exists; add --force to replace it';

/**
 * The name of a file or folder while it is unfinished; the process says whether it still may become finished. Removes
 * the leftovers of ended processes from the folder of drafts.
 */
export async function draftOf(place: string, draftFolder: string | undefined): Promise<string> {
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const beside = `${place}.${name}`;
  if (draftFolder === undefined) return beside;
  try {
    await mkdir(draftFolder, { recursive: true, mode: 0o700 });
    const [drafts, target] = await Promise.all([stat(draftFolder), stat(dirname(place))]);
    for (const left of await readdir(draftFolder))
      if (!isRunning(Number.parseInt(left, 10))) await rm(join(draftFolder, left), { recursive: true, force: true });
    return drafts.dev === target.dev ? join(draftFolder, name) : beside;
  } catch {
    return beside;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Writes a draft and renames it at the end; a link's target is replaced, not the link. */
async function writeWhole(
  out: string,
  lines: AsyncIterable<string>,
  { replaces = false, draftFolder, signal }: WritingOptions,
): Promise<void> {
  const place = await realpath(out).catch(() => out);
  const unfinished = await draftOf(place, draftFolder);
  try {
    const file = createWriteStream(unfinished, { flags: 'wx' });
    const source = Readable.from(gathered(lines), { objectMode: false });
    if (out.endsWith('.gz')) await pipeline(source, createGzip(), file, { signal });
    else await pipeline(source, file, { signal });
    if (replaces) moveFile(unfinished, place);
    else await moveToFreePlace(unfinished, place);
    // Of the tape that had this name before.
    await rm(besideTape(place, 'summary.json'), { force: true });
  } catch (error) {
    await rm(unfinished, { force: true });
    signal?.throwIfAborted();
    // A full disk is not a mistake in the command.
    if (error instanceof RecordingError || (error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    throw new RecordingError(out, null, `can't be written: ${messageOf(error).replaceAll(unfinished, out)}`, {
      cause: error,
    });
  }
}

/** Does not replace a file created in the meantime, if the file system can detect that. */
async function moveToFreePlace(unfinished: string, place: string): Promise<void> {
  try {
    await link(unfinished, place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new RecordingError(place, null, `can't be written: ${isThere}`);
    moveFile(unfinished, place);
    return;
  }
  await rm(unfinished);
}

/** Joins short lines into larger pieces. */
async function* gathered(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < 2 ** 16) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

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
