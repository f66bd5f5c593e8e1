import { defineCommand } from '../../console/console.ts';

export const command = defineCommand({
  summary: 'Practice on a past market in a separate simulation',
  description:
    'Opens a private simulation on the live screen, with a new account: it does not change your other simulations or send anything. Press space to run the market, at --speed. M bookmarks a moment; R goes back to it, with the account and market as they were. q ends with a report (:leave keeps the practice for perp practice --continue): rules kept and broken, R, mistakes, and the result compared with doing nothing. --blind hides market and date until then. Without a terminal, or with --plain, reads one command per line (write help).',
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
      summary: 'number of consecutive trading days (default 1; all of a tape)',
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
    continue: { summary: 'continue the practice that you left last (:leave)' },
    plain: { summary: 'print lines, for screen readers and scripts: one command per line' },
  },
  examples: [
    ['perp practice random --blind', 'any market, any day'],
    ['perp practice 2026-03-05 --from 14:30 --speed 10', 'a day of the synthetic market, ten times as fast'],
    ['perp practice day.jsonl.gz --from b1', 'a recorded day, starting at a bookmark'],
    ['perp practice --continue', 'the one you left'],
    ['perp practice 2026-03-05 --days 5 --plain --json', 'commands from standard input, the report as JSON'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { practice } = await import('../../screen/practice/run-practice.ts');
    return practice(console, input);
  },
});
