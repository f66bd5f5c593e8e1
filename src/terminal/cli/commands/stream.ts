import { timeOfDay } from '../../../base/text/format.ts';
import { followAccounts } from '../../../desk/reading/account-changes.ts';
import {
  accountHost,
  byProvider,
  marketHost,
  stateReporter,
  streamRefusal,
  untilAnotherRun,
} from '../../../desk/reading/streams.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { type AccountFrame, type Channel, intervals, type MarketStreamEvent } from '../../../wire/contract/streams.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import type { OptionSpec } from '../../console/grammar/spec.ts';
import type { Result } from '../../console/output/result.ts';
import { type EndInput, stream } from '../../console/streaming.ts';
import {
  accountView,
  bookView,
  candleView,
  type EventView,
  type PrintedFrame,
  statsView,
  tickView,
  tradeView,
} from '../../console/views/stream-view.ts';

/** Options that end a stream. */
const endOptions = {
  'max-events': { value: 'N', kind: 'count', summary: 'stop after N events' },
  for: { value: 'DURATION', kind: 'duration', summary: 'stop after this time, such as 30s or 10m' },
  'idle-timeout': {
    value: 'DURATION',
    kind: 'duration',
    summary: 'exit 7 if no event arrives within this time',
  },
} as const satisfies Record<string, OptionSpec>;

const ticks = marketStream('ticks', 'ticks', tickView, 'Print the last price, midpoint and mark as they change');

const books = marketStream('books', 'books', bookView, 'Print the best 50 levels of the book as they change');

const trades = marketStream('trades', 'trades', tradeView, 'Print every trade');

const candles = defineCommand({
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
  run(console, input) {
    const chosen = input.interval ?? [];
    return streamMarkets(console, input, candleView, {
      channel: 'candles',
      intervals: chosen.length > 0 ? [...new Set(chosen)] : ['1m'],
      historyLimit: input.history ?? 0,
    });
  },
});

const stats = marketStream('stats', 'marketStats', statsView, 'Print mark, 24-hour change and volume as they change');

const account = defineCommand({
  summary: 'Print account changes: orders, fills, positions, balances',
  description:
    'Starts with a snapshot of each account, which is one event. After a lost connection, the stream resumes where it stopped and prints nothing twice. --account selects one account.',
  options: endOptions,
  examples: [
    ['perp stream account --for 2s', 'changes in the next two seconds'],
    ['perp stream account --max-events 1 -o ndjson', 'the first snapshot'],
  ],
  run(console, input) {
    return stream(console, input, { view: accountView, subject: 'account' }, async ({ tell, fail, table }) => {
      const wanted = console.settings.account;
      const isWanted = (frame: AccountFrame): frame is PrintedFrame =>
        'account_id' in frame && (wanted === undefined || frame.account_id === wanted);
      const forget = untilAnotherRun(console, fail);
      const stop = await followAccounts(console, await accountHost(console), {
        onFrame: (frame) => {
          if (isWanted(frame)) tell(frame);
          else if (frame.type === 'error') console.note(frame.message);
        },
        onState: stateReporter(console, 'account', table, fail),
        onEnd: fail,
      });
      return () => {
        forget();
        stop();
      };
    });
  },
});

/** Prints a channel of markets until the stream ends. */
async function streamMarkets(
  console: Console,
  input: EndInput & { market: readonly string[] },
  view: EventView,
  { channel, ...payload }: { channel: Channel; intervals?: readonly string[]; historyLimit?: number },
): Promise<Result> {
  const markets = await Promise.all(input.market.map((text) => resolveMarket(console, text)));
  return stream(console, input, { view, subject: 'market' }, async ({ tell, fail, table }) => {
    const transport = await marketHost(console);
    const { MarketFollower } = await import('../../../wire/client/streams/market-follower.ts');
    const follower = new MarketFollower({
      transport,
      onState: stateReporter(console, 'market', table, fail),
      onRun: (run) => console.memory.tookRun(run),
    });
    for (const { provider, symbols } of byProvider(markets)) {
      // A subscription to trades starts with past trades; after a lost connection, the same replay delivers the missing
      // ones.
      let isTold = channel !== 'trades';
      follower.subscribe(
        channel,
        { symbols, providers: [provider], ...payload },
        {
          events: (events: MarketStreamEvent[]) => {
            if (isTold) events.forEach(tell);
          },
          live: () => {
            isTold = true;
          },
          refused: ({ message }) => fail(streamRefusal(message)),
          gap: ({ channel: what, symbol, from, to }) =>
            console.note(
              `The ${what} of ${provider}|${symbol} between ${timeOfDay(from)} and ${timeOfDay(to)} are missing.`,
            ),
        },
      );
    }
    const forget = untilAnotherRun(console, fail);
    return () => {
      forget();
      follower.close();
    };
  });
}

/** The command that prints one channel of market data; `word` is its last word. */
function marketStream(word: string, channel: Channel, view: EventView, summary: string) {
  return defineCommand({
    summary,
    args: [{ name: 'market', kind: 'market', repeat: true, summary: 'id, coin or symbol' }],
    options: endOptions,
    examples: [
      [`perp stream ${word} BTC ETH --for 2s`, 'two markets, for two seconds'],
      [`perp stream ${word} BTC --max-events 1 -o ndjson`, 'one JSON line'],
    ],
    run: (console, input) => streamMarkets(console, input, view, { channel }),
  });
}

export const commands = { ticks, books, trades, candles, stats, account };
