import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { gunzip, LineFile, type Unpack } from '../../exchange/markets/recorded/lines.ts';
import { LineProblem, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import { isLz4, lz4Frames } from './lz4-frames.ts';
import { checkText } from './refused.ts';

/** A file as its publisher packed it: plain, gzip, LZ4, or the only file in a ZIP archive; its first bytes decide. */
export class ArchiveFile extends LineFile {
  /** The name of the file, or of the one in the ZIP archive, after a line was read. */
  name: string;

  constructor(file: string, onRead?: (bytes: number) => void) {
    const unpack: Unpack = async (place, start, raw, read) => {
      if (start.toString('latin1', 0, 2) === 'PK') {
        // Archives can be a gigabyte: short-lived objects are collected sooner, for a tenth more work.
        setFlagsFromString('--max-semi-space-size=4');
        setFlagsFromString('--semi-space-growth-factor=1');
        const opened = await onlyEntry(place);
        this.name = basename(opened.entry.fileName);
        return contentsOf(opened, read);
      }
      if (isLz4(start)) return lz4Frames(raw);
      const unzipped = await gunzip(place, start, raw, read);
      if (unzipped === null) checkText(start);
      return unzipped;
    };
    super(file, onRead, unpack);
    this.name = basename(file);
  }
}

/** Opens a ZIP archive that holds one file. Throws a LineProblem for any other. */
async function onlyEntry(file: string): Promise<{ archive: ZipFile; entry: Entry }> {
  const { default: yauzl } = await import('yauzl');
  return new Promise((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true, autoClose: false }, (error, archive) => {
      if (error) return reject(new LineProblem(`broken ZIP archive: ${error.message}`));
      const entries: Entry[] = [];
      const refuse = (problem: string) => {
        archive.close();
        reject(new LineProblem(problem));
      };
      archive.on('error', (broken: Error) => refuse(`broken ZIP archive: ${broken.message}`));
      archive.on('entry', (entry: Entry) => {
        if (!/\/$|^__MACOSX\//.test(entry.fileName)) entries.push(entry);
        archive.readEntry();
      });
      archive.on('end', () => {
        const [entry] = entries;
        const names = entries.slice(0, 3).map(({ fileName }) => quoted(fileName));
        if (entries.some(({ fileName }) => fileName.endsWith('.npy')))
          refuse('hftbacktest arrays (npz) are not supported; import the files that they were made from');
        else if (entry === undefined) refuse('the ZIP archive is empty');
        else if (entries.length > 1)
          refuse(
            `the ZIP archive holds ${entries.length} files (${names.join(', ')}); unpack it, and import one at a time`,
          );
        else if (entry.isEncrypted()) refuse('the ZIP archive is encrypted; unpack it first');
        else resolve({ archive, entry });
      });
      archive.readEntry();
    });
  });
}

/** The contents of an entry, verified by its checksum; `onRead` gets the number of packed bytes. */
function contentsOf({ archive, entry }: { archive: ZipFile; entry: Entry }, onRead: (bytes: number) => void) {
  return Readable.from(
    (async function* () {
      let [sum, unpacked, told] = [0, 0, 0];
      try {
        const contents = await new Promise<Readable>((resolve, reject) => {
          archive.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
        });
        for await (const chunk of contents as AsyncIterable<Buffer>) {
          if (unpacked === 0) checkText(chunk);
          sum = crc32(chunk, sum);
          unpacked += chunk.length;
          const packed = Math.floor((unpacked / Math.max(1, entry.uncompressedSize)) * entry.compressedSize);
          onRead(packed - told);
          told = packed;
          yield chunk;
        }
      } catch (error) {
        if (error instanceof LineProblem) throw error;
        throw new LineProblem(`broken ZIP archive: ${(error as Error).message}`);
      } finally {
        archive.close();
      }
      if (sum !== entry.crc32) throw new LineProblem('broken ZIP archive: its checksum does not match');
    })(),
  );
}
