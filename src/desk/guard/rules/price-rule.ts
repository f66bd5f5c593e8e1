import { quantity } from '../../../base/text/format.ts';
import { price as above, price as below, market, optional } from '../fields.ts';
import { alertAndLock, defineRule } from '../rule.ts';

/** The mark of a market. */
export const price = defineRule({
  fields: { market, above: optional(above), below: optional(below) },
  anyOf: ['above', 'below'],
  needs: ['marks'],
  steps: [],
  isDaily: false,
  condition: ({ market: of, above: high, below: low, written }) =>
    [
      high === undefined ? undefined : `${of} is at or above ${written.above}`,
      low === undefined ? undefined : `${of} is at or below ${written.below}`,
    ]
      .filter((part) => part !== undefined)
      .join(', or '),
  consequence: alertAndLock,
  judge(rule, { markets, marks }) {
    const marketId = markets.get(rule.market);
    const mark = marketId === undefined ? undefined : marks.get(marketId);
    if (mark === undefined) return [];
    const isAbove = rule.above !== undefined && mark >= rule.above;
    const isBelow = rule.below !== undefined && mark <= rule.below;
    const word = isAbove ? 'above' : 'below';
    return {
      holds: isAbove || isBelow,
      says: () => `${rule.market} is at ${quantity(mark)}, ${word} ${rule.written[word]}`,
      facts: { market_id: marketId, price: mark },
    };
  },
  template: `
# [[price]]
# market = "BTC"
# above = 100000               # and/or below
# do = []
`,
  docs: 'the mark is at or beyond one of these',
});
