import { usd } from '../../../base/text/format.ts';
import type { DayReview, KeptRule } from '../../../desk/history/day-review.ts';
import { type Cell, type Field, profitCell } from '../output/result.ts';

type Figures = Pick<DayReview, 'trips' | 'won' | 'lost' | 'net' | 'fees' | 'carry' | 'r' | 'trips_with_r'>;

/** The results of trading, as rows of fields; `called` is the word for round trips. */
export function resultRows(
  { trips, won, lost, net, fees, carry, r, trips_with_r: risked }: Figures,
  called: string,
): [Field, ...Field[]] {
  return [
    ['result', profitCell(net)],
    [called, trips === 0 ? 'none ended' : `${trips} ended: ${won} won, ${lost} lost`],
    ['R', r === null ? undefined : `${r < 0 ? '' : '+'}${r.toFixed(2)}R over ${risked} of ${trips}`],
    ['fees', `${usd(fees)} USD`],
    ['carry', `${usd(carry)} USD`],
  ];
}

/** Whether a rule was kept; `why` follows. */
export function keptCell({ kept }: Pick<KeptRule, 'kept'>, why = ''): Cell {
  const followed = why === '' ? '' : `: ${why}`;
  if (kept === null) return `unknown${followed}`;
  return kept ? { text: `kept${followed}`, tone: 'good' } : { text: `BROKEN${followed}`, tone: 'bad' };
}
