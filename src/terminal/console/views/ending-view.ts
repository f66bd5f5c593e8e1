import { dateTime, quantity, usd, word } from '../../../base/text/format.ts';
import type { Ending } from '../../../desk/reading/endings.ts';
import type { HeldLock } from '../../../desk/reading/locks.ts';
import { type Blocks, type Cell, line } from '../output/result.ts';

/** Closes named in one line; the others are counted. */
const namedCloses = 3;

/** `FAILED 2026-11-20 20:09:46Z, maximum drawdown: equity 96,995.12 touched 97,000.00, closed BTC at 92899.9`. */
export function endingText(ending: Reported & Partial<Pick<Ending, 'balance' | 'closes'>>): string {
  const parts = [moneyText(ending), closesText(ending.closes ?? [])].filter((part) => part !== '');
  return [endingBrief(ending), parts.join(', ')].filter((part) => part !== '').join(': ');
}

type Reported = Pick<Ending, 'status' | 'ended_at' | 'rule_id' | 'equity' | 'bound'>;

function moneyText({ status, equity, bound, balance }: Reported & { balance?: number | undefined }): string {
  if (equity !== null && bound !== null)
    return status === 'passed'
      ? `balance ${usd(equity)} reached ${usd(bound)}`
      : `equity ${usd(equity)} touched ${usd(bound)}`;
  return balance === undefined ? '' : `balance ${usd(balance)}`;
}

function closesText(closes: Ending['closes']): string {
  if (closes.length === 0) return '';
  const named = closes
    .slice(0, namedCloses)
    .map(({ symbol, price }) => `${word(symbol)}${price === null ? '' : ` at ${quantity(price)}`}`);
  const rest = closes.length > namedCloses ? ` and ${closes.length - namedCloses} more` : '';
  return `closed ${named.join(', ')}${rest}`;
}

/** `FAILED 2026-11-20 20:09:46Z, maximum drawdown`. */
export function endingBrief({ status, ended_at, rule_id }: Pick<Ending, 'status' | 'ended_at' | 'rule_id'>): string {
  const when = ended_at === null ? '' : ` ${dateTime(ended_at)}`;
  return `${word(status).toUpperCase()}${when}${rule_id === null ? '' : `, ${rule_id.replaceAll('-', ' ')}`}`;
}

/** A text about an end, in the color of that event. */
export function endingCell({ status }: Pick<Ending, 'status'>, text: string): Cell {
  return { text, tone: status === 'passed' ? 'good' : 'bad' };
}

/** How an account ended and what to do now. */
export function endingBlocks(ending: Ending | undefined): Blocks {
  return (
    ending && [line(endingCell(ending, endingText(ending))), line({ text: `Next: ${ending.next}.`, tone: 'strong' })]
  );
}

/** When, why and at what an account ended, for JSON; its status is the API's own. */
export function endedRecord({ ended_at, rule_id, equity, bound, closes, next }: Ending) {
  return { at: ended_at, rule_id, equity, bound, closes, next };
}

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
