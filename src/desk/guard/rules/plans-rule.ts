import { quantity } from '../../../base/text/format.ts';
import { defineRule } from '../rule.ts';
import { followedByPlans } from '../trail.ts';

/** What exit plans leave to a guard. It moves their stops; the rule fires if the mark passed one before it could be placed. */
export const plans = defineRule({
  fields: {},
  needs: ['marks', 'stops', 'plans'],
  steps: null,
  isDaily: false,
  condition: () =>
    'a position has an exit plan (perp plan): after its first target, its stop goes to the entry; after all of them, it trails',
  consequence: () => 'move the stop, only closer',
  repeats: () => 'does the same plans',
  follow: ([rule], view, bestBefore) => followedByPlans(rule!, view, bestBefore),
  judge(_, { followed }) {
    return followed.flatMap(({ position, isCrossed, wanted, mark }) => {
      if (!isCrossed) return [];
      const says = `${position.symbol} is at ${quantity(mark)}, beyond the stop of its plan at ${quantity(wanted)}`;
      const facts = { position_id: position.id, market_id: position.market_id, price: mark, stop: wanted };
      return [
        { key: `plan@${position.id}`, says, facts, steps: [{ kind: 'close' as const, positions: [position.id] }] },
      ];
    });
  },
  template: `
# [plans]                      # does what exit plans leave to a guard: see perp help plan
`,
  docs: 'an [exit plan](stops.md#exit-plans) moves its stop: to the entry after the first target, trailing after the last',
});
