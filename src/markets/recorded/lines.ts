import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf, RecordingError } from './recording-error.ts';

/** A longer line is not a recording's: a hundred thousand levels take four megabytes. */
const longestLineBytes = 64 * 2 ** 20;

/** A text file, perhaps gzip, read line by line in bounded memory. */
export class LineFile {
  /** Number of the line last given out, from 1. */
  lineNumber = 0;
  readonly file: string;
  private readonly hash = createHash('sha256');

  constructor(file: string) {
    this.file = file;
  }

  /** SHA-256 of the file as it lies on disk, in hex; known when all lines were read. */
  fingerprint(): string {
    return this.hash.digest('hex');
  }

  /**
   * Every line without its end (LF or CRLF); a byte order mark and empty lines are passed over. Throws a
   * RecordingError for what cannot be read: no such file, truncated gzip, not UTF-8, a line of more than 64 MiB.
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
        rest = [];
        restBytes = 0;
        start = end + 1;
      }
      // What is left of a chunk is copied, so that it does not hold the whole chunk in memory.
      const left = Buffer.from(chunk.subarray(start));
      restBytes += left.length;
      if (restBytes > longestLineBytes) {
        throw new RecordingError(this.file, this.lineNumber + 1, `the line is longer than ${longestLineBytes} bytes`);
      }
      if (left.length > 0) rest.push(left);
    }
    if (rest.length === 0) return;
    const line = this.textOf(rest);
    if (line !== '') yield line;
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
    const raw = Readable.from(this.hashed());
    const compressed = await this.isGzip();
    // Errors of either end reach whoever iterates the last stream.
    const bytes = compressed ? pipeline(raw, createGunzip({ chunkSize: 2 ** 18 }), () => {}) : raw;
    try {
      yield* bytes as AsyncIterable<Buffer>;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const problem = code.startsWith('Z_') ? 'broken or truncated gzip' : 'cannot be read';
      throw new RecordingError(this.file, this.lineNumber + 1, `${problem}: ${messageOf(error)}`, { cause: error });
    } finally {
      raw.destroy();
    }
  }

  private async *hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.file, { highWaterMark: 2 ** 18 })) {
      this.hash.update(chunk);
      yield chunk;
    }
  }

  /** By its first two bytes, not by its name. */
  private async isGzip(): Promise<boolean> {
    try {
      await using handle = await open(this.file, 'r');
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    } catch (error) {
      throw new RecordingError(this.file, null, `cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }
}
