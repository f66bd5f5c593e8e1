import { closeSync, openSync, readSync } from 'node:fs';

/** Marks the file as ours: "perp" in ASCII. */
export const applicationId = 0x70657270;

const headerBytes = 100;

/**
 * Whether a file is a database with contents that perp did not write, from SQLite's header
 * (sqlite.org/fileformat.html). The file is not opened as a database, which would checkpoint its log. False for a file
 * that is not a database or can't be read.
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
