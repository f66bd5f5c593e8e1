import { type PlanName, planRules } from '../../../base/terms/plans.ts';
import { defineCommand } from '../../console/console.ts';

export const command = defineCommand({
  summary: 'Show your chance to pass and the risk per trade that fits it',
  description:
    'Draws 10,000 futures from your round trips, including losses inside trips, overlaps, fees, carry, both floors and New York midnights. Open positions end at their stops or targets as in a fair game. Each chance has a 90% interval that reflects the length of your record, from 250 resamples. No record shows whether you will keep trading the same way.',
  options: {
    plan: {
      value: 'PLAN',
      choices: [...(Object.keys(planRules) as PlanName[]), 'own'],
      summary: "count from the start of this plan, or of the account's",
    },
    from: { value: 'FILE', kind: 'file', summary: 'trades from a CSV: a column r, or one number in each line' },
    'win-rate': { value: 'PERCENT', summary: 'assume a trader who wins this often, such as 45%' },
    reward: { value: 'R', kind: 'positive', summary: 'with --win-rate: gain of a winning trade, in R' },
    risk: { value: 'RISK', summary: 'risk of a trade: 0.5% of equity or 200usd (default: that of your trips)' },
    'max-failure': {
      value: 'PERCENT',
      summary: 'also find the largest risk that fails at most this often (default 5%)',
    },
    'trades-per-day': { value: 'N', kind: 'positive', summary: "trade at this pace instead of your record's" },
    days: { value: 'N', kind: 'count', maximum: 1000, summary: 'trading days ahead (default 90)' },
    seed: { value: 'N', kind: 'count', maximum: 999_999_999, summary: 'seed of the draws (default 1)' },
  },
  examples: [
    ['perp odds', 'from here'],
    ['perp odds --plan select --risk 0.5%', 'from the start of a plan'],
    ['perp odds --win-rate 45% --reward 1.8 --plan select', 'of an assumed trader'],
  ],
  async run(console, input) {
    const { showOdds } = await import('../history/show-odds.ts');
    return showOdds(console, input);
  },
});
