import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync } from 'node:zlib';
import { moveFile } from '../../base/system/system.ts';

/** One file of a tape. */
export interface PartFile {
  /** Starts at 1. */
  number: number;
  file: string;
  isGzip: boolean;
}

/** A tape that can't be written or read, and why. */
export class TapeError extends Error {
  override readonly name = 'TapeError';
  readonly file: string;
  readonly problem: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
    this.problem = problem;
  }
}

/**
 * The name of a tape's part: the first part of `day.jsonl.gz` is `day.jsonl.gz`, the second is `day.part2.jsonl.gz`. A
 * part that is still growing is plain: `day.part2.jsonl`.
 */
export function partFile(tape: string, number: number, isGzip: boolean): string {
  const { folder, stem, extension } = divided(tape);
  const numbered = number === 1 ? stem : `${stem}.part${number}`;
  return join(folder, `${numbered}${extension}${isGzip ? '.gz' : ''}`);
}

/** The name of a file that belongs to a tape: `day.jsonl.gz` and `summary.json` give `day.summary.json`. */
export function besideTape(tape: string, suffix: string): string {
  const { folder, stem } = divided(tape);
  return join(folder, `${stem}.${suffix}`);
}

/** The parts of a tape, each once: a compressed one is complete. */
export function wholeParts(tape: string): PartFile[] {
  return [...Map.groupBy(partFiles(tape), ({ number }) => number).values()].map(([part]) => part!);
}

/** Throws a TapeError if a part before another is missing. */
export function checkComplete(tape: string, parts: readonly PartFile[]): void {
  for (const [at, { number, file }] of parts.entries())
    if (number !== at + 1) throw new TapeError(tape, `part ${at + 1} is missing: ${file} comes after it`);
}

/** The plain name of the tape that a file is a part of by its name: `day.part2.jsonl.gz` gives `day.jsonl`. */
export function tapeOf(file: string): string {
  const { folder, stem, extension } = divided(file);
  return join(folder, `${stem.replace(/\.part[1-9]\d{0,6}$/, '')}${extension}`);
}

/** Whether a tape's finished parts are compressed. */
export function isCompressed(tape: string): boolean {
  return tape.endsWith('.gz');
}

/** The files of a tape, in order; a part that exists both plain and compressed is listed twice, compressed first. */
export function partFiles(tape: string): PartFile[] {
  const { folder, stem, extension } = divided(tape);
  const parts: PartFile[] = [];
  for (const name of namesIn(folder)) {
    const isGzip = name.endsWith('.gz');
    const bare = isGzip ? name.slice(0, -3) : name;
    if (!bare.startsWith(stem) || !bare.endsWith(extension)) continue;
    const middle = bare.slice(stem.length, bare.length - extension.length);
    const number = middle === '' ? 1 : Number(/^\.part([1-9]\d{0,6})$/.exec(middle)?.[1] ?? Number.NaN);
    if (number >= 1) parts.push({ number, file: join(folder, name), isGzip });
  }
  return parts.sort((one, other) => one.number - other.number || Number(other.isGzip) - Number(one.isGzip));
}

function divided(tape: string): { folder: string; stem: string; extension: string } {
  const name = basename(tape).replace(/\.gz$/, '');
  const extension = extname(name);
  return { folder: dirname(tape), stem: name.slice(0, name.length - extension.length), extension };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** SQLite's code for a database that another connection has locked. */
const busy = 5;

/**
 * Locks a tape for writing, which only one process may do at a time; the result releases the lock. Node has no file
 * locks, but SQLite does, and they end with the process, however it dies. Throws a TapeError while another process
 * holds the lock.
 */
export function lockTape(tape: string): () => void {
  const file = besideTape(tape, 'lock');
  if (!existsSync(dirname(file)))
    throw new TapeError(tape, `can't be written: there is no folder ${dirname(file)}; create it first`);
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // Nothing is ever written, so no journal file is needed either.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new TapeError(tape, 'another process is recording to it', { cause: error });
  }
  return () => database.close();
}

/** Whether a process is writing a tape now. */
export function isBeingWritten(tape: string): boolean {
  if (!existsSync(besideTape(tape, 'lock'))) return false;
  try {
    lockTape(tape)();
    return false;
  } catch (error) {
    return error instanceof TapeError;
  }
}

/** The text of a part; throws if it can't be read. */
export function textOf({ file, isGzip }: Pick<PartFile, 'file' | 'isGzip'>): Buffer {
  const bytes = readFileSync(file);
  return isGzip ? gunzipSync(bytes) : bytes;
}

/** Where each complete line of a text begins and ends; the text from `at` on has no line end. */
export function* linesIn(text: Buffer): Generator<[at: number, end: number]> {
  for (let at = 0, end = text.indexOf('\n'); end >= 0; at = end + 1, end = text.indexOf('\n', at)) yield [at, end];
}

/** Suffix of a compressed part until it is complete. */
export const unfinishedSuffix = '.new';

/**
 * Replaces a plain part with a compressed one. The plain file is removed only when the compressed one is safely on
 * disk, so after any interruption one of them is complete.
 */
export async function compressPart(tape: string, number: number): Promise<void> {
  const plain = partFile(tape, number, false);
  const compressed = partFile(tape, number, true);
  const unfinished = `${compressed}${unfinishedSuffix}`;
  try {
    await pipeline(createReadStream(plain), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
    await using handle = await open(unfinished, 'r+');
    await handle.sync();
    moveFile(unfinished, compressed);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rm(plain);
}
