import { dateTime, stretch, usd } from '../../../base/text/format.ts';
import type { Ahead } from '../../../desk/risk/outlook.ts';
import type { Console } from '../../console/console.ts';

/** Whether time counts in the end of an account. */
export const withinOption = {
  within: {
    value: 'DURATION',
    kind: 'duration',
    summary: 'include the carry and new daily floors of a period, such as 4h, in what ends the account',
  },
} as const;

/** Reports the effect of the time ahead on the account, if requested, or that it is unknown. */
export function noteAhead(console: Console, within: number | undefined, ahead: Ahead | undefined): void {
  if (within === undefined) return;
  if (ahead === undefined) {
    console.note('The effect of the time ahead is unknown, so --within is ignored.');
    return;
  }
  const { carry, new_day_at: at } = ahead;
  const day = at === null ? '' : ` and the new daily floor of ${dateTime(at)}`;
  const source = console.settings.environment === 'sim' ? '' : ", at the simulation's rates (not the host's)";
  console.note(
    `The end of the account includes the next ${stretch(within)}: ${usd(carry)} USD of carry${source}${day}, assuming that marks don't move.`,
  );
}
