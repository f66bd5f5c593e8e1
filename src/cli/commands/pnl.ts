import type { Context } from '../context/context.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Result } from '../output/result.ts';

export const command = defineCommand({
  summary: 'Show what came of your trading: by day, market and side, net of fees and carry',
  description:
    "Money counts on the day on which it was booked, a round trip (a position from flat to flat) on the day on which it ended. Days are the challenge's: they turn at midnight in New York. In the simulation, every figure comes from the ledger and is exact. On a host it comes from your fills, kept in a local copy; what is approximate is said. R is the result over what the stop of the first order risked.",
  options: {
    from: { value: 'TIME', kind: 'time', summary: 'first moment, or a duration before now, such as 7d' },
    to: { value: 'TIME', kind: 'time', summary: 'last moment, or a duration before now (default now)' },
    by: {
      value: 'GROUP',
      choices: ['day', 'market', 'side', 'tag'],
      summary: 'only a table: by day, market, side or tag',
    },
    market: { value: 'MARKET', kind: 'market', summary: 'only this market; then without equity' },
    tag: { value: 'TAG', summary: 'only trips with this tag of your journal; then without equity' },
    markdown: { summary: 'with --by: print a Markdown table' },
    excursions: { summary: 'also read candles for the largest run against you; takes longer' },
  },
  examples: [
    ['perp pnl', 'everything so far'],
    ['perp pnl --from 7d --by market', 'what each market brought in a week'],
    ['perp pnl --by day -o csv > days.csv', 'the days, for a spreadsheet'],
  ],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { showPnl } = await import('../history/show-pnl.ts');
  return showPnl(context, input);
}
