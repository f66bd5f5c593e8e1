import { quantity } from '../../../base/text/format.ts';
import { percent } from '../fields.ts';
import { alertAndLock, defineRule } from '../rule.ts';
import { breachMove } from '../view.ts';

/** How near a floor of the account is. */
export const breach = defineRule({
  fields: { within: percent },
  needs: ['marks', 'outlook'],
  steps: [],
  isDaily: false,
  condition: ({ written }) =>
    `a move of ${written.within} in every market would reach a floor of the account or liquidate it`,
  consequence: alertAndLock,
  judge(rule, seen) {
    const move = breachMove(seen);
    return {
      holds: move !== undefined && Math.abs(move) <= rule.within,
      says: () => `A move of ${quantity(Number(move!.toPrecision(3)))}% in every market would breach the account`,
      facts: { move_pct: move },
    };
  },
  template: `
# [breach]                     # a move of every market that would reach a floor of the account
# within = "1%"
# do = []
`,
  docs: 'this move in every market would reach a floor or liquidate the account: `breach_move_pct` of `accounts show`',
});
