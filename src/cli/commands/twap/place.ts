import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf, termOptions } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf, sideCell } from '../../../console/output/result.ts';
import { twapBlocks } from '../../../console/views/strategy-view.ts';
import type { CreateTwapOrderRequest } from '../../../contract/strategies.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { draftTwap } from '../../../desk/preview/strategy-draft.ts';
import { strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { quantity, stretch, usd } from '../../../ground/text/format.ts';
import { type StrategyFacts, strategyPreview } from '../../preview/order-preview.ts';
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

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { body, market, order } = await draftTwap(console, input, console.isInteractive);
  return write(
    console,
    'createTwapOrder',
    { body },
    {
      preview: () => strategyPreview(console, order, market, { ...factsOf(body, market.symbol), force: input.force }),
      check: () => checkFloors(console, order, market, input),
      question: `Start ${body.strategy ?? 'twap'} ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: async ({ data }) => {
        const after = await strategyAftermath(console, data, data.filled_size === 0);
        return recordOf(withMarketFigures(console, data, after), () => twapBlocks(data));
      },
    },
  );
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
