import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { messageOf, RecordingError } from '../recorded/recording-error.ts';

/** A file, or a consumer of the text. */
export type Destination = string | ((text: string) => Promise<void>);

/** Writes lines with their line ends. The file (gzip if its name ends in .gz) appears complete or not at all. */
export async function writeRecording(out: Destination, lines: AsyncIterable<string>, replaces: boolean): Promise<void> {
  if (typeof out === 'string') await writeWhole(out, lines, replaces);
  else for await (const piece of gathered(lines)) await out(piece);
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

/** Writes a temporary file in the same folder and renames it at the end; a link's target is replaced, not the link. */
async function writeWhole(out: string, lines: AsyncIterable<string>, replaces: boolean): Promise<void> {
  const place = await realpath(out).catch(() => out);
  const unfinished = `${place}.${randomBytes(6).toString('hex')}`;
  try {
    const file = createWriteStream(unfinished, { flags: 'wx' });
    const source = Readable.from(gathered(lines), { objectMode: false });
    if (out.endsWith('.gz')) await pipeline(source, createGzip(), file);
    else await pipeline(source, file);
    if (replaces) await rename(unfinished, place);
    else await moveToFreePlace(unfinished, place);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof RecordingError) throw error;
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
    await rename(unfinished, place);
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
