import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import type { Result } from '../../output/result.ts';
import { endOptions, streamMarkets } from '../../reading/streaming.ts';
import { tradeView } from '../../views/stream-view.ts';

export const command = defineCommand({
  summary: 'Print every trade',
  args: [{ name: 'market', kind: 'market', repeat: true, summary: 'id, coin or symbol' }],
  options: endOptions,
  examples: [
    ['perp stream trades BTC ETH --for 2s', 'two markets, for two seconds'],
    ['perp stream trades BTC --max-events 1 -o ndjson', 'one JSON line'],
  ],
});

export function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return streamMarkets(console, input, tradeView, { channel: 'trades' });
}
