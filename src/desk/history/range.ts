import { usageFailure } from '../../ground/failure/failure.ts';
import { pastMoment } from '../resolve/time.ts';
import type { PastTime } from '../values/times.ts';
import type { History } from './read-history.ts';
import type { Ms } from './records.ts';

/** The requested range, limited to the account's history. */
export function rangeOf(
  history: Pick<History, 'from' | 'to'>,
  { from, to }: { from: PastTime | undefined; to: PastTime | undefined },
): { from: Ms; to: Ms } {
  const range = {
    from: from === undefined ? history.from : Math.max(history.from, pastMoment(from, history.to, 'from')),
    to: to === undefined ? history.to : Math.min(history.to, pastMoment(to, history.to, 'to')),
  };
  if (range.from <= range.to) return range;
  throw usageFailure('There is nothing between --from and --to.', 'The account is younger, or --from is after --to.');
}
