import type { AuditRecord, KeptRecord } from './record.ts';

/** What an audit log works with. */
export interface AuditLogOptions {
  /** Folder of the log. */
  readonly folder: string;
  /** File of its head, apart from the log. */
  readonly headFile: string;
}

/** The audit log of gates: several processes may append to one. */
export interface AuditLog extends AsyncDisposable {
  /** Appends a record and returns its number. Throws a failure if it can't be written; nothing may be sent then. */
  append(record: AuditRecord): number;
  /** Resolves once every record so far is on disk; rejects with a failure if the disk refuses. Without it, within 1 s. */
  synced(): Promise<void>;
  /** The records of the log, oldest first. */
  records(): Iterable<KeptRecord>;
}
