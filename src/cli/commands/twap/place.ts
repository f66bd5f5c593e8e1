import type { CreateTwapOrderRequest } from '../../../contract/strategies.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { beginOrder, resolveTerms } from '../../../desk/preview/order-plan.ts';
import { positionIn } from '../../../desk/resolve/holdings.ts';
import { maybePrice } from '../../../desk/resolve/price.ts';
import { quoteOnce } from '../../../desk/resolve/quote.ts';
import { resolveSize } from '../../../desk/resolve/size.ts';
import type { Price } from '../../../desk/values/prices.ts';
import { strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { exitCodes, Failure, usageFailure } from '../../../ground/failure/failure.ts';
import { marketName, quantity, stretch, usd } from '../../../ground/text/format.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf, termOptions } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { type StrategyFacts, strategyPreview } from '../../preview/order-preview.ts';
import { twapBlocks } from '../../views/strategy-view.ts';
import { sideCell } from '../../views/tones.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Work an order over time, in even slices (TWAP) or by volume (VWAP)',
  args: [
    { name: 'market', kind: 'market', summary: 'id, coin or symbol' },
    { name: 'side', choices: ['buy', 'sell'], summary: 'order side' },
    {
      name: 'size',
      kind: 'size',
      summary: 'total: base asset (0.5), notional (5000usd) or share of the position (50%)',
    },
  ],
  options: {
    duration: { value: 'TIME', kind: 'duration', required: true, summary: 'total time: 5m to 24h, in whole minutes' },
    strategy: { value: 'NAME', choices: ['twap', 'vwap'], summary: 'how slices are sized (default twap)' },
    interval: {
      value: 'TIME',
      kind: 'duration',
      summary: 'time between slices, from 30s to half the duration (default 30s)',
    },
    randomize: { summary: 'vary the size and time of the slices' },
    'max-price': { value: 'PRICE', kind: 'price', summary: 'end the order if the mark is above this price' },
    'min-price': { value: 'PRICE', kind: 'price', summary: 'end the order if the mark is below this price' },
    'trigger-price': { value: 'PRICE', kind: 'price', summary: 'start the order when the mark crosses this price' },
    'reduce-only': { summary: 'only make a position smaller' },
    ...termOptions,
    'expected-price': { value: 'PRICE', kind: 'price', summary: 'price you saw (default: the current mid)' },
    force: { summary: 'place it even if its worst case would breach a floor' },
  },
  examples: [
    ['perp twap place BTC buy 0.5 --duration 30m', 'a slice every 30 seconds'],
    ['perp twap place BTC sell 100% --reduce-only --duration 10m --strategy vwap', 'close the position by volume'],
  ],
});

type Input = InputOf<typeof command>;

export async function run(console: Console, input: Input): Promise<Result> {
  const { market, account_id: account } = await beginOrder(console, input, console.isInteractive);
  const price = (given: Price | undefined, label: string, side = input.side) =>
    maybePrice(console, given, { label, marketId: market.market_id, side });
  const expected_price =
    (await price(input.expectedPrice, '--expected-price')) ?? (await quoteOnce(console, market.market_id)).mid;
  if (expected_price === null) {
    throw new Failure({
      exit: exitCodes.unavailable,
      code: 'no_price',
      message: `${marketName(market.market_id, market.symbol)} currently has no price to use as --expected-price.`,
      hint: 'Try again in a moment, or give --expected-price.',
      retryable: true,
    });
  }
  const position =
    input.size.unit === 'percent' && input.reduceOnly ? await positionIn(console, market.market_id) : undefined;
  const body: CreateTwapOrderRequest = {
    account_id: account,
    market_id: market.market_id,
    strategy: input.strategy,
    side: input.side,
    size: await resolveSize(console, input.size, { market, side: input.side, position }),
    expected_price,
    ...(await resolveTerms(console, market.market_id, input)),
    duration_minutes: whole(input.duration, 60_000, '--duration', 'minutes'),
    slice_interval_seconds:
      input.interval === undefined ? undefined : whole(input.interval, 1000, '--interval', 'seconds'),
    randomize: input.randomize || undefined,
    reduce_only: input.reduceOnly || undefined,
    trigger_price: await price(input.triggerPrice, '--trigger-price'),
    // Rounded inward: the order never works at a mark outside the requested limits.
    max_price: await price(input.maxPrice, '--max-price', 'buy'),
    min_price: await price(input.minPrice, '--min-price', 'sell'),
  };
  const { account_id, market_id, side, size, leverage, margin_mode, reduce_only } = body;
  const traded = { type: 'market', account_id, market_id, side, size, leverage, margin_mode, reduce_only } as const;
  return write(
    console,
    'createTwapOrder',
    { body },
    {
      preview: () => strategyPreview(console, traded, market, { ...factsOf(body, market.symbol), force: input.force }),
      check: () => checkFloors(console, traded, market, input),
      question: `Start ${body.strategy ?? 'twap'} ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: async ({ data }) => {
        const after = await strategyAftermath(console, data, data.filled_size === 0);
        return recordOf(withMarketFigures(console, data, after), () => twapBlocks(data));
      },
    },
  );
}

function whole(ms: number, unitMs: number, flag: string, units: string): number {
  if (ms % unitMs === 0) return ms / unitMs;
  throw usageFailure(`${flag} is ${stretch(ms)}; it must be in whole ${units}.`);
}

function factsOf(body: CreateTwapOrderRequest, symbol: string): StrategyFacts {
  const interval = (body.slice_interval_seconds ?? 30) * 1000;
  const slices = Math.max(2, Math.floor((body.duration_minutes * 60_000) / interval));
  return {
    title: line(
      { text: (body.strategy ?? 'twap').toUpperCase(), tone: 'strong' },
      '  ',
      sideCell(body.side),
      ` ${quantity(body.size)} ${symbol} over ${stretch(body.duration_minutes * 60_000)}`,
    ),
    rows: [
      [
        'slices',
        `${slices}, one every ${stretch(interval)}, about ${quantity(Number((body.size / slices).toPrecision(3)))} ${symbol} each`,
      ],
      ['notional', `about ${usd(body.size * body.expected_price)} USD at ${quantity(body.expected_price)}`],
      ['leverage', `${quantity(body.leverage)}x ${body.margin_mode}`],
    ],
  };
}
