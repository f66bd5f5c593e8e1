import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { ownerFolder } from '../../base/files/owner-secret.ts';
import { namesIn } from '../../base/files/private-files.ts';
import { withoutSecrets } from '../../base/text/plain-text.ts';
import type { AuditRecord, KeptRecord } from './record.ts';

/** The location of an audit log: the folder of its files, and the file of its head, apart from them. */
export interface AuditPlace {
  readonly folder: string;
  readonly headFile: string;
}

/** The place of the audit log of this machine's gates. */
export function auditPlace(variables: Variables): AuditPlace {
  return {
    folder: join(stateFolder(variables), 'gate', 'audit'),
    headFile: join(ownerFolder(variables), 'audit-head'),
  };
}

/** The reach of a chain of records: the number of its last record, and the SHA-256 of that one's line. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

/** The end of a chain without records. */
export const emptyChain: ChainEnd = { seq: 0, hash: '0'.repeat(64) };

/**
 * The lines of the next records, each with its newline, and the end of the chain after them. They contain no known
 * secret.
 */
export function nextLines(records: readonly AuditRecord[], after: ChainEnd): { lines: Buffer; end: ChainEnd } {
  let { seq, hash: prev } = after;
  let lines = '';
  for (const { time, ...rest } of records) {
    seq += 1;
    const text = withoutSecrets(JSON.stringify({ prev, seq, time: Math.round(time), ...rest }));
    prev = hash('sha256', text, 'hex');
    lines += `${text}\n`;
  }
  return { lines: Buffer.from(lines), end: { seq, hash: prev } };
}

/** Long enough for the beginning of a record. */
const beginningBytes = 160;
const beginning = /^\{"prev":"([0-9a-f]{64})","seq":(\d{1,15}),"time":(-?\d{1,16})[,}]/;

/**
 * The line at a place: its number and hash, the hash that it gives for the line before, its time, Unix ms, and where the
 * next one begins. Undefined if it is incomplete or does not begin like a record.
 */
export function linkAt(bytes: Buffer, from: number) {
  const newline = bytes.indexOf(10, from);
  if (newline < 0) return undefined;
  const found = beginning.exec(bytes.toString('latin1', from, Math.min(newline, from + beginningBytes)));
  if (found === null) return undefined;
  const [, prev, seq, time] = found;
  return {
    prev: prev!,
    seq: Number(seq),
    time: Number(time),
    hash: hash('sha256', bytes.subarray(from, newline), 'hex'),
    until: newline + 1,
  };
}

/**
 * Follows a chain through the bytes of a file, as far as it continues: its end, the position of the first byte that
 * doesn't continue it, and the hash of the record `wanted`, if it was met.
 */
export function walk(bytes: Buffer, from: ChainEnd, wanted = -1) {
  let end = from;
  let until = 0;
  let met = from.seq === wanted ? from.hash : undefined;
  for (let link = linkAt(bytes, 0); link !== undefined; link = linkAt(bytes, until)) {
    if (link.seq !== end.seq + 1 || link.prev !== end.hash) break;
    end = { seq: link.seq, hash: link.hash };
    until = link.until;
    if (end.seq === wanted) met = end.hash;
  }
  return { end, until, wanted: met };
}

/** The file of a log that begins with a record. */
export function logFileOf(folder: string, first: number): string {
  return join(folder, `audit-${String(first).padStart(12, '0')}.ndjson`);
}

/**
 * The files of a log, each with the number of its first record, oldest first; none if there is no folder. Throws other
 * system errors.
 */
export function logFiles(folder: string) {
  const found = namesIn(folder).map((name) => /^audit-(\d{12})\.ndjson$/.exec(name));
  return found
    .filter((match) => match !== null)
    .map(([name, first]) => ({ file: join(folder, name), first: Number(first) }))
    .sort((a, b) => a.first - b.first);
}

/** The end of the chain before the last of some files, by its first record; if it is empty, by the file before. */
export function endBefore(files: ReturnType<typeof logFiles>): ChainEnd {
  const { file, first } = files.at(-1)!;
  if (first === 1) return emptyChain;
  const link = linkAt(readFileSync(file), 0);
  if (link !== undefined) return { seq: link.seq - 1, hash: link.prev };
  const earlier = files.slice(0, -1);
  return earlier.length === 0 ? emptyChain : walk(readFileSync(earlier.at(-1)!.file), endBefore(earlier)).end;
}

/**
 * The records of an audit log, newest first, unverified: `verifyAudit` shows whether they are as written. A line that
 * is no record is left out. `since`: Unix ms; a clock that was set back hides none, because every record is checked.
 * Throws system errors.
 */
export function* newestRecords(
  { folder }: Pick<AuditPlace, 'folder'>,
  { since, bot }: { readonly since?: number | undefined; readonly bot?: string | undefined } = {},
): Generator<KeptRecord> {
  for (const { file } of logFiles(folder).reverse()) {
    const bytes = readFileSync(file);
    let until = bytes.lastIndexOf(10);
    while (until >= 0) {
      const from = until === 0 ? 0 : bytes.lastIndexOf(10, until - 1) + 1;
      const record = recordIn(bytes, from, until, since);
      if (record !== undefined && (bot === undefined || record.bot === bot)) yield record;
      until = from - 1;
    }
  }
}

function recordIn(
  bytes: Buffer,
  from: number,
  until: number,
  since = Number.NEGATIVE_INFINITY,
): KeptRecord | undefined {
  if ((linkAt(bytes, from)?.time ?? Number.NEGATIVE_INFINITY) < since) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8', from, until)) as KeptRecord;
  } catch {
    return undefined;
  }
}
