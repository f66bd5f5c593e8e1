import { usd } from '../../../base/text/format.ts';
import { count } from '../fields.ts';
import { alertAndLock, defineRule } from '../rule.ts';
import { resultOf } from '../view.ts';

/** Losses in a row. */
export const maxLosses = defineRule({
  fields: { losses: count },
  needs: ['closed'],
  steps: ['lock'],
  isDaily: false,
  condition: ({ losses }) =>
    losses === 1
      ? 'a position has closed with a loss since the start of the day'
      : `${losses} positions in a row have closed with a loss since the start of the day`,
  consequence: alertAndLock,
  judge(rule, { closed }) {
    const firstWin = closed.findIndex((position) => resultOf(position) >= 0);
    const streak = closed.slice(0, firstWin < 0 ? undefined : firstWin);
    if (streak.length < rule.losses) return [];
    const lost = -streak.reduce((sum, position) => sum + resultOf(position), 0);
    const losses = `${streak.length} ${streak.length === 1 ? 'loss' : 'losses in a row'}`;
    const says = `${losses} today, ${usd(lost)} USD (limit ${rule.losses})`;
    // The key contains the streak's first loss, so a longer streak has the same key.
    const key = `${rule.id}@${streak.at(-1)!.id}`;
    return [{ key, says, facts: { losses: streak.length, lost, limit: rule.losses } }];
  },
  template: `
# [max-losses]                 # positions in a row closed with a loss since the start of the day
# losses = 3
# do = ["lock"]
`,
  docs: 'this many positions in a row closed at a loss today, after fees and carry',
});
