import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';

/** A file's text and the status of the same open file. */
export interface ReadFile {
  text: string;
  status: Stats;
}

/**
 * Reads one of perp's own files. Throws system errors, and an error for anything but a regular file: reading a pipe
 * would block, and a device might never end.
 */
export function readRegularFile(file: string, maxBytes = Number.POSITIVE_INFINITY): ReadFile {
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`${file} is not a regular file`);
    if (status.size > maxBytes) throw new Error(`${file} is larger than ${maxBytes} bytes`);
    return { text: readFileSync(descriptor, 'utf8'), status };
  } finally {
    closeSync(descriptor);
  }
}

/** A longer input is treated as endless. */
const maxNamedBytes = 16 << 20;

/**
 * Reads a file named on the command line, which may be a pipe: `--file <(generate-groups)`. Throws system errors, and an
 * error for a device, which might never end.
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
      if (length > maxNamedBytes) throw new Error(`${file} is larger than ${maxNamedBytes} bytes`);
      chunks.push(Buffer.from(chunk.subarray(0, read)));
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
