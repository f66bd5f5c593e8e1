import { closeSync, openSync, readSync } from 'node:fs';

/** Marks the file as ours: "perp" in ASCII. */
export const applicationId = 0x70657270;

const headerBytes = 100;

/**
 * Whether a file is a database with something in it that perp did not write, as SQLite's header says
 * (sqlite.org/fileformat.html); without opening it as one, which would fold its log into it. A file that is none, or
 * that cannot be read, is not said to be anybody's.
 */
export function isOfAnotherProgram(file: string): boolean {
  const header = headerOf(file);
  if (header === undefined || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return false;
  const [schemaChanges, userVersion, application] = [40, 60, 68].map((at) => header.readUInt32BE(at));
  if (application === applicationId) return false;
  return application !== 0 || userVersion !== 0 || schemaChanges !== 0;
}

function headerOf(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const header = Buffer.alloc(headerBytes);
      return readSync(descriptor, header, 0, headerBytes, 0) === headerBytes ? header : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
