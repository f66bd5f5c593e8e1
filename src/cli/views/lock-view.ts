import type { HeldLock } from '../../desk/reading/locks.ts';
import { dateTime } from '../../ground/text/format.ts';

/** `until 2026-11-20 22:10:03Z: daily stop`. */
export function lockText(lock: HeldLock): string {
  if (lock === 'damaged') return 'damaged, and still in effect; perp guard unlock removes it';
  return `until ${dateTime(lock.until)}: ${lock.why}`;
}

/** A lock for JSON. */
export function lockRecord(lock: HeldLock | undefined): object | null {
  if (lock === undefined) return null;
  return lock === 'damaged' ? { damaged: true } : { since: lock.since, until: lock.until, why: lock.why };
}
