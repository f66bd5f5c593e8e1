import type { CreateScaledOrderRequest, ScaledOrder } from '../../../contract/strategies.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { beginOrder, resolveTerms } from '../../../desk/preview/order-plan.ts';
import { positionIn } from '../../../desk/resolve/holdings.ts';
import { resolvePrice } from '../../../desk/resolve/price.ts';
import { quoteOnce } from '../../../desk/resolve/quote.ts';
import { resolveSize } from '../../../desk/resolve/size.ts';
import type { Price } from '../../../desk/values/prices.ts';
import { strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { exitCodes } from '../../../ground/failure/failure.ts';
import { quantity, usd } from '../../../ground/text/format.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf, termOptions } from '../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { type StrategyFacts, strategyPreview } from '../../preview/order-preview.ts';
import { scaledBlocks } from '../../views/strategy-view.ts';
import { sideCell } from '../../views/tones.ts';
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

type Input = InputOf<typeof command>;

export async function run(console: Console, input: Input): Promise<Result> {
  const { market, account_id: account } = await beginOrder(console, input, console.isInteractive);
  const position =
    input.size.unit === 'percent' && input.reduceOnly ? await positionIn(console, market.market_id) : undefined;
  const price = (given: Price, label: string) =>
    resolvePrice(console, given, { label, marketId: market.market_id, side: input.side, isLimit: true });
  const from = await price(input.from, '--from');
  const to = await price(input.to, '--to');
  const rungs = rungsOf({ ...input, from, to });
  const body: CreateScaledOrderRequest = {
    account_id: account,
    market_id: market.market_id,
    side: input.side,
    size: await resolveSize(console, input.size, { market, side: input.side, rungs, position }),
    start_price: from,
    end_price: to,
    rung_count: input.rungs,
    distribution: input.distribution ?? 'flat',
    ...(await resolveTerms(console, market.market_id, input)),
    reduce_only: input.reduceOnly || undefined,
    marketable_limit_acknowledged: input.crossOk || undefined,
  };
  const { account_id, market_id, side, size, leverage, margin_mode, reduce_only } = body;
  const limit_price = meanPrice(rungs);
  const terms = { account_id, market_id, side, size, leverage, margin_mode, reduce_only };
  const traded = { type: 'limit', limit_price, ...terms } as const;
  return write(
    console,
    'createScaledOrder',
    { body },
    {
      preview: async () => {
        const facts = await factsOf(console, body, rungs, market.symbol);
        return strategyPreview(console, traded, market, { ...facts, force: input.force });
      },
      check: () => checkFloors(console, traded, market, input),
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

/** The prices and size weights of the rungs (simulation 7). */
function rungsOf({
  from,
  to,
  rungs,
  distribution,
}: Omit<Input, 'from' | 'to'> & { from: number; to: number }): { price: number; weight: number }[] {
  const weight = { flat: () => 1, ascending: (at: number) => at + 1, descending: (at: number) => rungs - at };
  return Array.from({ length: rungs }, (_, at) => ({
    price: rungs === 1 ? from : (from * (rungs - 1 - at) + to * at) / (rungs - 1),
    weight: weight[distribution ?? 'flat'](at),
  }));
}

/** The average price at which all rungs fill. */
function meanPrice(rungs: readonly { price: number; weight: number }[]): number {
  const parts = rungs.reduce((sum, { weight }) => sum + weight, 0);
  return rungs.reduce((sum, { price, weight }) => sum + price * weight, 0) / parts;
}

async function factsOf(
  console: Console,
  body: CreateScaledOrderRequest,
  rungs: readonly { price: number; weight: number }[],
  symbol: string,
): Promise<StrategyFacts> {
  const quote = await quoteOnce(console, body.market_id);
  const meets = body.side === 'buy' ? quote.ask : quote.bid;
  // A rung that crosses fills against the book, at a better price than its own.
  const better = body.side === 'buy' ? Math.min : Math.max;
  const parts = rungs.reduce((sum, { weight }) => sum + weight, 0);
  const weightedPrice = rungs.reduce((sum, { price, weight }) => sum + better(price, meets ?? price) * weight, 0);
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
      ['notional', `about ${usd((body.size * weightedPrice) / parts)} USD`],
      ['leverage', `${quantity(body.leverage)}x ${body.margin_mode}`],
    ],
  };
}
