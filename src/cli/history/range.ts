import { usageFailure } from '../failure/failure.ts';
import type { Time } from '../grammar/values.ts';
import type { History } from './read-history.ts';
import type { Ms } from './records.ts';

/** The requested range, limited to the account's history; a duration counts back from now. */
export function rangeOf(
  history: Pick<History, 'from' | 'to'>,
  { from, to }: { from: Time | undefined; to: Time | undefined },
): { from: Ms; to: Ms } {
  const at = (time: Time) => ('at' in time ? time.at : history.to - time.inMs);
  const range = {
    from: from === undefined ? history.from : Math.max(history.from, at(from)),
    to: to === undefined ? history.to : Math.min(history.to, at(to)),
  };
  if (range.from <= range.to) return range;
  throw usageFailure('There is nothing between --from and --to.', 'The account is younger, or --from is after --to.');
}
