import { defineCommand } from '../../console/console.ts';
import { periodOptions } from '../../console/grammar/option-groups.ts';

export const command = defineCommand({
  summary: 'Show results by day, market and side, net of fees and carry',
  description:
    'Fees, carry and realized PnL count on the day they are booked; a round trip (a position from flat to flat) counts on the day it ends. Days are challenge days, which start at midnight in New York. In the simulation, every figure comes from the ledger and is exact. On a host, figures come from your fills, which perp caches locally; approximate figures are marked. R is the result divided by what the stops lose, fees included, when they first cover the position.',
  options: {
    ...periodOptions,
    by: {
      value: 'GROUP',
      choices: ['day', 'market', 'side', 'tag'],
      summary: 'print only the table of this group',
    },
    market: { value: 'MARKET', kind: 'market', summary: 'only this market; omits equity' },
    tag: { value: 'TAG', summary: 'only trips with this tag in your journal; omits equity' },
    markdown: { summary: 'with --by: print a Markdown table' },
    stats: {
      summary: 'daily returns, Sharpe ratio, win rate and R with intervals; reads candles',
    },
    excursions: { summary: 'also read candles for the maximum adverse excursion (slower)' },
  },
  examples: [
    ['perp pnl', 'all results so far'],
    ['perp pnl --from 7d --by market', 'the results of each market in a week'],
    ['perp pnl --by day -o csv > days.csv', 'by day, for a spreadsheet'],
  ],
  async run(console, input) {
    const { showPnl } = await import('../history/show-pnl.ts');
    return showPnl(console, input);
  },
});
