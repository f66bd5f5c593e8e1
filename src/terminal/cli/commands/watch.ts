import { intervals } from '../../../wire/contract/streams.ts';
import { defineCommand } from '../../console/console.ts';

export const command = defineCommand({
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
