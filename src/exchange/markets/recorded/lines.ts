import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LineProblem, messageOf, RecordingError } from './recording-error.ts';

/** Maximum length of a line: a hundred thousand levels take four megabytes. */
const longestLineBytes = 64 * 2 ** 20;

/** More empty lines in a row are not a recording. */
const mostEmptyLines = 100_000;
/**
 * Books and prints compress to a fiftieth; a file that unpacks to much more, and to more than this, isn't a recording.
 */
const mostUnpacked = { times: 500, bytes: 256 * 2 ** 20 };

/**
 * The contents of a packed file, by its first bytes; null if its packing is unknown. `raw` are its bytes as on disk; a
 * way that reads the file in another order reports the bytes that it has read.
 */
export type Unpack = (
  file: string,
  start: Buffer,
  raw: Readable,
  onRead: (bytes: number) => void,
) => Promise<AsyncIterable<Buffer> | null>;

/** Reads a text file, possibly packed (gzip unless told otherwise), line by line in bounded memory. */
export class LineFile {
  /** Number of the last line, from 1. */
  lineNumber = 0;
  /** Whether the last line has a line end. */
  isComplete = true;
  readonly file: string;
  private readonly hash = createHash('sha256');
  private readonly onRead: (bytes: number) => void;
  private readonly unpack: Unpack;
  private emptyLines = 0;
  private readBytes = 0;

  /** `onRead` is called with the number of bytes that were read from the disk, whenever there are more. */
  constructor(file: string, onRead: (bytes: number) => void = () => {}, unpack: Unpack = gunzip) {
    this.file = file;
    this.onRead = onRead;
    this.unpack = unpack;
  }

  /** SHA-256 of the file as it is on disk, in hex; known after the last line. */
  fingerprint(): string {
    return this.hash.digest('hex');
  }

  /**
   * Every line without its line end (LF or CRLF); skips a byte order mark and empty lines. Throws a RecordingError if
   * the file can't be read: missing, truncated gzip, not UTF-8, a line of more than 64 MiB, or nothing but empty lines.
   */
  async *lines(): AsyncGenerator<string> {
    let rest: Buffer[] = [];
    let restBytes = 0;
    for await (const chunk of this.bytes()) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        rest.push(chunk.subarray(start, end));
        const line = this.textOf(rest);
        if (line !== '') yield line;
        this.countEmpty(line);
        rest = [];
        restBytes = 0;
        start = end + 1;
      }
      // Copy the rest of a chunk, so that the whole chunk is not kept in memory.
      const left = Buffer.from(chunk.subarray(start));
      restBytes += left.length;
      if (restBytes > longestLineBytes) {
        throw new RecordingError(this.file, this.lineNumber + 1, `the line is longer than ${longestLineBytes} bytes`);
      }
      if (left.length > 0) rest.push(left);
    }
    if (rest.length === 0) return;
    this.isComplete = false;
    const line = this.textOf(rest);
    if (line !== '') yield line;
  }

  private countEmpty(line: string): void {
    this.emptyLines = line === '' ? this.emptyLines + 1 : 0;
    if (this.emptyLines > mostEmptyLines)
      throw new RecordingError(
        this.file,
        this.lineNumber,
        `there are more than ${mostEmptyLines} empty lines in a row`,
      );
  }

  private textOf(parts: Buffer[]): string {
    this.lineNumber += 1;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (!isUtf8(bytes)) throw new RecordingError(this.file, this.lineNumber, 'is not UTF-8 text');
    let text = bytes.toString('utf8');
    if (this.lineNumber === 1 && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }

  private async *bytes(): AsyncGenerator<Buffer> {
    const start = await this.start();
    const raw = Readable.from(this.hashed());
    let unpacked = 0;
    try {
      const bytes = (await this.unpack(this.file, start, raw, (count) => this.countRead(count))) ?? raw;
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        unpacked += chunk.length;
        if (unpacked > mostUnpacked.bytes && unpacked > mostUnpacked.times * this.readBytes)
          throw new RecordingError(this.file, null, `unpacks to more than ${mostUnpacked.times} times its size`);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof RecordingError) throw error;
      if (error instanceof LineProblem) throw new RecordingError(this.file, null, error.message, { cause: error });
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const problem = code.startsWith('Z_') ? 'broken or truncated gzip' : "can't be read";
      throw new RecordingError(this.file, this.lineNumber + 1, `${problem}: ${messageOf(error)}`, { cause: error });
    } finally {
      raw.destroy();
    }
  }

  private async *hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.file, { highWaterMark: 2 ** 18 })) {
      this.hash.update(chunk);
      this.countRead(chunk.length);
      yield chunk;
    }
  }

  private countRead(bytes: number): void {
    this.readBytes += bytes;
    this.onRead(this.readBytes);
  }

  /** The first bytes show how the file is packed; its name doesn't. */
  private async start(): Promise<Buffer> {
    try {
      await using handle = await open(this.file, 'r');
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw new RecordingError(this.file, null, `can't be read: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** Whether the first bytes are those of gzip. */
const isGzip = (start: Buffer) => start.length >= 2 && start[0] === 0x1f && start[1] === 0x8b;

/** Unpacks gzip. Errors of either stream reach the reader of the last one. */
export const gunzip: Unpack = async (_, start, raw) =>
  isGzip(start) ? pipeline(raw, createGunzip({ chunkSize: 2 ** 18 }), () => {}) : null;
