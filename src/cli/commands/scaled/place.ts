import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf, termOptions } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf, sideCell } from '../../../console/output/result.ts';
import { scaledBlocks } from '../../../console/views/strategy-view.ts';
import type { CreateScaledOrderRequest, ScaledOrder } from '../../../contract/strategies.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { draftLadder } from '../../../desk/preview/strategy-draft.ts';
import { strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { exitCodes } from '../../../ground/failure/failure.ts';
import { quantity, usd } from '../../../ground/text/format.ts';
import { type StrategyFacts, strategyPreview } from '../../preview/order-preview.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Place a ladder of limit orders between two prices',
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
    from: { value: 'PRICE', kind: 'price', required: true, summary: 'price of the first rung' },
    to: { value: 'PRICE', kind: 'price', required: true, summary: 'price of the last rung' },
    rungs: { value: 'N', kind: 'count', maximum: 10, required: true, summary: 'number of rungs, 2 to 10' },
    distribution: {
      value: 'SHAPE',
      choices: ['flat', 'ascending', 'descending'],
      summary: 'sizes from the first to the last rung (default flat)',
    },
    'reduce-only': { summary: 'only make a position smaller' },
    'cross-ok': { summary: 'let rungs that cross the book fill as taker' },
    ...termOptions,
    force: { summary: 'place it even if its worst case would breach a floor' },
  },
  examples: [
    ['perp scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5', 'five equal bids'],
    ['perp scaled place BTC sell 5000usd --from 155000 --to 160000 --rungs 4', '5,000 USD in total'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { body, market, order, notional } = await draftLadder(console, input, console.isInteractive);
  return write(
    console,
    'createScaledOrder',
    { body },
    {
      preview: async () => {
        const facts = factsOf(body, market.symbol, await notional());
        return strategyPreview(console, order, market, { ...facts, force: input.force });
      },
      check: () => checkFloors(console, order, market, input),
      question: `Place ${body.rung_count} rungs: ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: async ({ data }) => {
        const record = withMarketFigures(console, data, await strategyAftermath(console, data, isIdle(data)));
        return recordOf(record, () => scaledBlocks(data), data.status === 'rejected' ? exitCodes.rejected : undefined);
      },
    },
  );
}

/** Whether rungs have neither filled nor become exits. */
function isIdle({ reduce_only: reduces, rungs }: ScaledOrder): boolean {
  return reduces === false && rungs.every(({ liquidity_role: role }) => role === undefined);
}

function factsOf(body: CreateScaledOrderRequest, symbol: string, notional: number): StrategyFacts {
  const step = (body.end_price - body.start_price) / (body.rung_count - 1);
  return {
    title: line(
      { text: 'Ladder', tone: 'strong' },
      '  ',
      sideCell(body.side),
      ` ${quantity(body.size)} ${symbol} in ${body.rung_count} rungs, ${body.distribution}`,
    ),
    rows: [
      ['from', quantity(body.start_price)],
      ['to', quantity(body.end_price)],
      ['step', quantity(Number(step.toPrecision(9)))],
      ['notional', `about ${usd(notional)} USD`],
      ['leverage', `${quantity(body.leverage)}x ${body.margin_mode}`],
    ],
  };
}
