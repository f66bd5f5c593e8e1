import type { TradingLock } from '../../desk/lock/trading-lock.ts';
import { dateTime } from '../../ground/text/format.ts';

/** A lock that holds, or one whose file can't be read, which holds until it is removed. */
export type HeldLock = TradingLock | 'damaged';

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
