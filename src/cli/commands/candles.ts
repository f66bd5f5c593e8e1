import { type CandleEvent, intervals, maxHistoryPage } from '../../contract/streams.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure, usageFailure } from '../failure/failure.ts';
import { defineCommand, type InputOf } from '../grammar/spec.ts';
import type { Time } from '../grammar/values.ts';
import { listOf, type Result } from '../output/result.ts';
import { marketHost } from '../reading/streaming.ts';
import { resolveMarket } from '../resolve/market.ts';
import { candleColumns, candleFields } from '../views/stream-view.ts';

const usualLimit = 100;

export const command = defineCommand({
  summary: 'List candles of a market, oldest first',
  description:
    'The last candle may still be forming. --from and --to select candles by opening time, given as a time or as a duration before now. With --from and without --limit, lists all candles from that time.',
  args: [{ name: 'market', kind: 'market', summary: 'id, coin or symbol' }],
  options: {
    interval: { value: 'LENGTH', choices: intervals, summary: 'length of a candle (default 1m)' },
    from: { value: 'TIME', kind: 'time', summary: 'first opening time, or a duration before now, such as 2h' },
    to: { value: 'TIME', kind: 'time', summary: 'last opening time, or a duration before now (default now)' },
    limit: { value: 'N', kind: 'count', summary: 'only the newest N candles (default 100)' },
  },
  examples: [
    ['perp candles BTC', 'the last 100 minutes'],
    ['perp candles BTC --interval 5m --from 6h -o csv > btc.csv', 'six hours, for a spreadsheet'],
    ['perp candles ETH --interval 1h --limit 24', 'a day'],
  ],
});

type Input = InputOf<typeof command>;

export async function run(context: Context, input: Input): Promise<Result> {
  const market = await resolveMarket(context, input.market);
  const transport = await marketHost(context);
  const { MarketFollower } = await import('../../client/streams/market-follower.ts');
  const follower = new MarketFollower({
    transport,
    onState: (state) => {
      if (state.kind === 'reconnecting') context.note(`The stream does not answer: ${state.reason}. Trying again.`);
    },
  });
  try {
    const ask = <T>(request: Promise<unknown>) => within(context, request) as Promise<T>;
    const candles = await context.during('Reading candles', () => collect(follower, ask, market, input));
    return listOf(candles, {
      fields: candleFields,
      columns: candleColumns,
      empty: 'No candles in this range; a market has none before its first trade.',
    });
  } finally {
    follower.close();
  }
}

type Follower = InstanceType<typeof import('../../client/streams/market-follower.ts').MarketFollower>;

/** Reads pages backward until there are enough candles, or no older ones. */
async function collect(
  follower: Follower,
  ask: <T>(request: Promise<unknown>) => Promise<T>,
  { provider, coin }: { provider: string; coin: string },
  { interval = '1m', from, to, limit = from === undefined ? usualLimit : Number.POSITIVE_INFINITY }: Input,
): Promise<CandleEvent[]> {
  const now = await ask<number>(follower.request('ping'));
  const startTime = from === undefined ? undefined : timeOf(from, now);
  let endTime = to === undefined ? now : timeOf(to, now);
  if (startTime !== undefined && startTime > endTime) throw usageFailure('--from is after --to.');
  let candles: CandleEvent[] = [];
  while (candles.length < limit) {
    const wanted = Math.min(maxHistoryPage, limit - candles.length);
    const payload = { provider, symbol: coin, interval, limit: wanted, startTime, endTime };
    const page = await ask<CandleEvent[]>(follower.request('candles.history', payload));
    const older = page.filter(({ openTime }) => openTime <= endTime).sort((a, b) => a.openTime - b.openTime);
    if (older.length === 0) break;
    candles = [...older, ...candles];
    endTime = older[0]!.openTime - 1;
  }
  return candles;
}

/** A duration counts back from now. */
function timeOf(time: Time, now: number): number {
  return 'at' in time ? time.at : now - time.inMs;
}

/** The answer, or a failure if it takes too long or Ctrl-C comes first. */
async function within({ signal, settings }: Context, request: Promise<unknown>): Promise<unknown> {
  const late = AbortSignal.timeout(settings.timeoutMs);
  const over = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(lateFailure()), { once: true });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([request, over]);
}

function lateFailure(): Failure {
  return new Failure({
    exit: exitCodes.unavailable,
    code: 'unavailable',
    message: 'The market-data stream did not answer in time.',
    hint: 'Use --timeout to wait longer.',
    retryable: true,
  });
}
