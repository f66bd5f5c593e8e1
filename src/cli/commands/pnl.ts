import type { Context } from '../context/context.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Result } from '../output/result.ts';

export const command = defineCommand({
  summary: 'Show the results of your trading by day, market and side, net of fees and carry',
  description:
    "Money counts on the day on which it was booked, a round trip (a position from flat to flat) on the day on which it ended. Days are the challenge's: they start at midnight in New York. In the simulation, every figure comes from the ledger and is exact. On a host, figures come from your fills, of which perp keeps a local copy, and approximate ones are marked. R is the result divided by the risk to the first order's stop.",
  options: {
    from: { value: 'TIME', kind: 'time', summary: 'first moment, or a duration before now, such as 7d' },
    to: { value: 'TIME', kind: 'time', summary: 'last moment, or a duration before now (default now)' },
    by: {
      value: 'GROUP',
      choices: ['day', 'market', 'side', 'tag'],
      summary: 'only a table: by day, market, side or tag',
    },
    market: { value: 'MARKET', kind: 'market', summary: 'only this market; leaves out equity' },
    tag: { value: 'TAG', summary: 'only trips with this tag in your journal; leaves out equity' },
    markdown: { summary: 'with --by: print a Markdown table' },
    excursions: { summary: 'also read candles for the maximum adverse excursion; takes longer' },
  },
  examples: [
    ['perp pnl', 'everything so far'],
    ['perp pnl --from 7d --by market', 'the results of each market in a week'],
    ['perp pnl --by day -o csv > days.csv', 'by day, for a spreadsheet'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { showPnl } = await import('../history/show-pnl.ts');
  return showPnl(context, input);
}
