import { readFileSync } from 'node:fs';
import { type AuditPlace, linkAt, logFiles } from './chain.ts';
import type { KeptRecord } from './record.ts';

/** Which records to read. */
export interface Wanted {
  /** Unix ms. A clock that was set back hides none: every record is checked. */
  readonly since?: number | undefined;
  readonly bot?: string | undefined;
}

/**
 * The records of an audit log, newest first, unverified: `verifyAudit` shows whether they are as written. A line that
 * is no record is left out. Throws system errors.
 */
export function* newestRecords(
  { folder }: Pick<AuditPlace, 'folder'>,
  { since, bot }: Wanted = {},
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
