import { usageFailure } from '../../../base/failure/failure.ts';
import { intervals } from '../../../wire/contract/streams.ts';
import { defineCommand } from '../../console/console.ts';

const watch = defineCommand({
  summary: 'Watch everything on one live screen',
  description:
    'Shows accounts with their floors, positions with stops and targets, orders, and for one market the book, a candle chart and your fills. Press ? for the keys and q to quit; trading keys work only after t, and show the order and ask unless armed; L shows the price ladder. Also shows markets with a position or an order. Without a terminal, or with --json, prints a line per second while values change.',
  args: [
    {
      name: 'market',
      kind: 'market',
      repeat: true,
      optional: true,
      summary: 'markets to watch (default: BTC, ETH, SOL)',
    },
  ],
  options: {
    interval: { value: 'LENGTH', choices: intervals, summary: 'length of a candle (default: the last one, else 1m)' },
    for: { value: 'DURATION', kind: 'duration', summary: 'stop after this time, such as 30s or 10m' },
  },
  examples: [
    ['perp watch', 'all accounts and the default markets'],
    ['perp watch BTC ETH --interval 5m', 'two markets, five-minute candles'],
    ['perp watch --for 3s -o ndjson', 'equity, floors and positions as JSON lines'],
  ],
  async run(console, input) {
    const { openScreen } = await import('../../screen/open-screen.ts');
    return openScreen(console, {
      markets: input.market ?? [],
      interval: input.interval,
      forMs: input.for,
      isRemembered: true,
    });
  },
});

const ladder = defineCommand({
  summary: "Trade on a market's price ladder",
  description:
    'Shows prices in the middle, bids on the left and asks on the right, with your orders, the trades, and the lines of your position: entry, break-even, stop, target, liquidation, breach. It is the live screen of perp watch with trading keys on: i and o buy and sell at the cursor, which stays at its price. Each key shows its order and asks, unless the keys are armed. Press ? for the keys and q to quit. Without a terminal, or with --json, prints the lines of perp watch.',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: {
    for: { value: 'DURATION', kind: 'duration', summary: 'stop after this time, such as 30s or 10m' },
  },
  examples: [
    ['perp ladder BTC', 'the ladder of BTC'],
    ['perp ladder BTC --for 2s -o ndjson', 'the account and its mark as JSON lines'],
  ],
  async run(console, { market, for: forMs }) {
    const { openScreen } = await import('../../screen/open-screen.ts');
    return openScreen(console, { markets: [market], interval: '1m', forMs, ladder: 'whole' });
  },
});

const tour = defineCommand({
  summary: 'Learn perp and its words in ten minutes',
  description:
    'Explains challenge, floor, breach, stop, R, bracket and carry on the live screen as they appear, and waits until you have done each step. It runs in a separate simulation; your accounts, simulations and settings are neither used nor changed. Leave with q; the next perp tour continues there, and its market is paused until then. Without a terminal of at least 80 x 24, or with --plain, it prints lines and uses commands instead of keys.',
  options: {
    plain: { summary: 'in lines, for screen readers and pipes' },
    restart: { summary: 'begin again, with a new account' },
  },
  examples: [
    ['perp tour', 'begin or continue'],
    ['perp tour --plain', 'as lines'],
  ],
  changesMore: true,
  async run(console, { plain, restart }) {
    const { dryRun, output } = console.settings;
    if (dryRun) throw usageFailure("The tour can't be combined with --dry-run.", 'Omit --dry-run.');
    if (output !== 'table') throw usageFailure('The tour prints text for people.', 'Omit --json and -o.');
    const { takeTour } = await import('../../screen/tour/take-tour.ts');
    return takeTour(console, { isPlain: plain, isRestarted: restart });
  },
});

const practice = defineCommand({
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

export const words = { watch, ladder, tour, practice };
