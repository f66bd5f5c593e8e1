import { count } from '../fields.ts';
import { alertAndLock, dayKey, defineRule } from '../rule.ts';

/** The number of positions of the day. */
export const maxTrades = defineRule({
  fields: { trades: count },
  needs: ['positions', 'closed'],
  steps: ['lock'],
  isDaily: true,
  condition: ({ trades }) =>
    `${trades} ${trades === 1 ? 'position has' : 'positions have'} been opened since the start of the day`,
  consequence: alertAndLock,
  judge(rule, { positions, closed, day }) {
    // The lists are not read at one moment, so a position may be in both.
    const today = [...positions, ...closed].filter(({ opened_at }) => opened_at >= day);
    const trades = new Set(today.map(({ id }) => id)).size;
    if (trades < rule.trades) return [];
    const says = `${trades} ${trades === 1 ? 'trade' : 'trades'} today (limit ${rule.trades})`;
    return [{ key: dayKey(rule, day), says, facts: { trades, limit: rule.trades } }];
  },
  template: `
# [max-trades]                 # positions opened since the start of the day
# trades = 10
# do = ["lock"]
`,
  docs: 'this many positions were opened today',
});
