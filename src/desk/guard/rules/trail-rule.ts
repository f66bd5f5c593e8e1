import { quantity } from '../../../base/text/format.ts';
import { distance, market, optional } from '../fields.ts';
import { defineRule } from '../rule.ts';
import { followedByTrails } from '../trail.ts';

/** Stops that follow the price. The guard moves them; the rule fires if the mark passed one before it could be placed. */
export const trail = defineRule({
  fields: { by: distance, market: optional(market) },
  needs: ['marks', 'stops'],
  steps: null,
  isDaily: false,
  condition: ({ market: of, written }) =>
    `a position${of === undefined ? '' : ` in ${of}`} is open: its stop follows the best price at a distance of ${written.by}`,
  consequence: () => 'move the stop, only closer',
  repeats: (rule, earlier) => (rule.market === earlier.market ? 'follows the same positions' : undefined),
  follow: followedByTrails,
  judge(_, { followed }) {
    return followed.flatMap(({ position, isCrossed, wanted, mark }) => {
      if (!isCrossed) return [];
      const says = `${position.symbol} is at ${quantity(mark)}, beyond its trailing stop at ${quantity(wanted)}`;
      const facts = { position_id: position.id, market_id: position.market_id, price: mark, stop: wanted };
      return [
        { key: `trail@${position.id}`, says, facts, steps: [{ kind: 'close' as const, positions: [position.id] }] },
      ];
    });
  },
  template: `
# [trail]                      # stops follow the best price and only move closer
# market = "BTC"               # without it: every position
# by = "1.5%"                  # or a distance in price: 200
`,
  docs: 'see [trailing stops](#trailing-stops)',
});
