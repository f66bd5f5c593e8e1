import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';

/** A file's text, and what the system says of the very file it was read from. */
export interface ReadFile {
  text: string;
  status: Stats;
}

/**
 * Reads a file of perp's own. Throws what the system throws, and for what is no regular file: a pipe would be waited for
 * and a device might never end.
 */
export function readRegularFile(file: string, mostBytes = Number.POSITIVE_INFINITY): ReadFile {
  // Without waiting, should it be a pipe that nobody writes to.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`${file} is no regular file`);
    if (status.size > mostBytes) throw new Error(`${file} is larger than ${mostBytes} bytes`);
    return { text: readFileSync(descriptor, 'utf8'), status };
  } finally {
    closeSync(descriptor);
  }
}

/** No file that a person names is longer; what is, has no end. */
const mostNamedBytes = 16 << 20;

/**
 * Reads a file that a person named, which may be a pipe: `--file <(generate-groups)`. Throws what the system throws, and
 * for a device, which might never end.
 */
export function readNamedFile(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const status = fstatSync(descriptor);
    if (status.isCharacterDevice() || status.isBlockDevice()) throw new Error(`${file} is a device`);
    const chunks: Buffer[] = [];
    const chunk = Buffer.alloc(1 << 16);
    let length = 0;
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      length += read;
      if (length > mostNamedBytes) throw new Error(`${file} is larger than ${mostNamedBytes} bytes`);
      chunks.push(Buffer.from(chunk.subarray(0, read)));
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
