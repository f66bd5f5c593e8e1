import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

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
