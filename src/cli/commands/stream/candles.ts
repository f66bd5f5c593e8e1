import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';
import { endOptions, streamMarkets } from '../../../console/streaming.ts';
import { candleView } from '../../../console/views/stream-view.ts';
import { intervals } from '../../../contract/streams.ts';

export const command = defineCommand({
  summary: 'Print candles as they form, and again when they close',
  description: 'After a lost connection, missing candles are filled in. perp candles lists past candles.',
  args: [{ name: 'market', kind: 'market', repeat: true, summary: 'id, coin or symbol' }],
  options: {
    interval: { value: 'LENGTH', choices: intervals, repeat: true, summary: 'length of a candle (default 1m)' },
    history: {
      value: 'N',
      kind: 'count',
      maximum: 1000,
      summary: 'number of closed candles to start with (default 0)',
    },
    ...endOptions,
  },
  examples: [
    ['perp stream candles BTC --interval 1s --for 2s', 'one candle per second'],
    ['perp stream candles BTC --interval 1m --interval 5m --history 10 --max-events 10', 'two candle lengths'],
  ],
});

export function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const chosen = input.interval ?? [];
  return streamMarkets(console, input, candleView, {
    channel: 'candles',
    intervals: chosen.length > 0 ? [...new Set(chosen)] : ['1m'],
    historyLimit: input.history ?? 0,
  });
}
