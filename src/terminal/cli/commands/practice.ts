import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../console/grammar/spec.ts';
import type { Result } from '../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Practice on a past market in a separate simulation',
  description:
    'A private simulation on the live screen, with a new account: nothing that you do there changes your other simulations, and nothing is sent anywhere. The market goes on when you press space, at --speed. M bookmarks a moment, R goes back to it with account and market as then. q ends it with a report (or :leave keeps it for perp practice --continue): rules kept and broken, R, mistakes, and the result against doing nothing. --blind hides market and date until then. Without a terminal, or with --plain, reads one command per line (write help).',
  args: [
    {
      name: 'what',
      kind: 'file',
      optional: true,
      summary: 'a tape, a date of the synthetic market (2026-03-05), or random',
    },
  ],
  options: {
    market: { value: 'MARKET', repeat: true, summary: 'market to practice on: an id, a coin or a symbol' },
    from: { value: 'PLACE', summary: 'start at a bookmark, or at a time in UTC: 14:30, or 2026-03-05 14:30' },
    days: {
      value: 'N',
      kind: 'count',
      maximum: 30,
      summary: 'trading days, one after the other (default 1; all of a tape)',
    },
    seed: { value: 'N', kind: 'count', maximum: 999_999_999, summary: 'seed of the synthetic market' },
    blind: { summary: 'hide market, date and price level until the end' },
    plan: {
      value: 'PLAN',
      choices: ['select', 'prime', 'none'],
      summary: 'challenge plan of the account (default select)',
    },
    balance: { value: 'USD', kind: 'positive', summary: 'starting balance (default 100000)' },
    'max-risk': { value: 'USD', kind: 'positive', summary: 'largest risk of a trade (default 1% of the balance)' },
    continue: { summary: 'go on with the practice that was left last (:leave), as it was' },
    plain: { summary: 'in lines, for screen readers and scripts: one command per line' },
  },
  examples: [
    ['perp practice random --blind', 'any market, any day'],
    ['perp practice 2026-03-05 --from 14:30 --speed 10', 'a day of the synthetic market, ten times as fast'],
    ['perp practice day.jsonl.gz --from b1', 'a recorded day, from a bookmark on'],
    ['perp practice --continue', 'the one that was left'],
    ['perp practice 2026-03-05 --days 5 --plain --json', 'commands from standard input, the report as JSON'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { practice } = await import('../../screen/practice/run-practice.ts');
  return practice(console, input);
}
