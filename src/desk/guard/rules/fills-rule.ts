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
      // An order that filled in parts has its whole filled size beside the price of its last part.
      const { id, side, symbol, fill_price: price, size } = fill;
      const at = price === undefined ? '' : ` at ${quantity(price)}`;
      return { key: `fill@${id}`, says: `Filled: ${side} ${quantity(size)} ${symbol}${at}`, facts: { fill } };
    }),
  template: `
# [fills]                      # an alert for every fill
`,
  docs: 'an order fills',
});
