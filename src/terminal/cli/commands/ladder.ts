import { defineCommand } from '../../console/console.ts';

export const command = defineCommand({
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
