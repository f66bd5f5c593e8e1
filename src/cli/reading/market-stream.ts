import type { Channel, MarketStreamEvent } from '../../contract/streams.ts';
import { byProvider, marketHost, stateReporter, streamRefusal } from '../../desk/reading/streams.ts';
import { resolveMarket } from '../../desk/resolve/market.ts';
import { timeOfDay } from '../../ground/text/format.ts';
import type { Console } from '../console/console.ts';
import type { Result } from '../output/result.ts';
import type { EventView } from '../views/stream-view.ts';
import { type EndInput, stream } from './streaming.ts';

/** Prints a channel of markets until the stream ends. */
export async function streamMarkets(
  console: Console,
  input: EndInput & { market: readonly string[] },
  view: EventView,
  { channel, ...payload }: { channel: Channel; intervals?: readonly string[]; historyLimit?: number },
): Promise<Result> {
  const markets = await Promise.all(input.market.map((text) => resolveMarket(console, text)));
  return stream(console, input, { view, subject: 'market' }, async ({ tell, fail, table }) => {
    const transport = await marketHost(console);
    const { MarketFollower } = await import('../../client/streams/market-follower.ts');
    const follower = new MarketFollower({ transport, onState: stateReporter(console, 'market', table, fail) });
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
    return () => follower.close();
  });
}
