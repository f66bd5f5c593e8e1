import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import type { Result } from '../../output/result.ts';
import { endOptions, streamMarkets } from '../../reading/streaming.ts';
import { tickView } from '../../views/stream-view.ts';

export const command = defineCommand({
  summary: 'Print the last price, midpoint and mark as they change',
  args: [{ name: 'market', kind: 'market', repeat: true, summary: 'id, coin or symbol' }],
  options: endOptions,
  examples: [
    ['perp stream ticks BTC ETH --for 2s', 'two markets, for two seconds'],
    ['perp stream ticks BTC --max-events 1 -o ndjson', 'one JSON line'],
  ],
});

export function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return streamMarkets(console, input, tickView, { channel: 'ticks' });
}
