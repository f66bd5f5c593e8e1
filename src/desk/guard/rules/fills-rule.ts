import { quantity } from '../../../base/text/format.ts';
import { alertAndLock, defineRule } from '../rule.ts';

/** An alert for every fill. */
export const fills = defineRule({
  fields: {},
  needs: ['fills'],
  steps: null,
  isDaily: false,
  condition: () => 'an order fills',
  consequence: alertAndLock,
  judge: (_, seen) =>
    seen.fills.map((fill) => {
      const { id, side, symbol, fill_price: price, filled_size: size = fill.size } = fill;
      const at = price === undefined ? '' : ` at ${quantity(price)}`;
      return { key: `fill@${id}`, says: `Filled: ${side} ${quantity(size)} ${symbol}${at}`, facts: { fill } };
    }),
  template: `
# [fills]                      # an alert for every fill
`,
  docs: 'an order fills',
});
