import { type ExitCode, exitCodes } from '../../../base/failure/failure.ts';
import { quantity, usd } from '../../../base/text/format.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { draftLadder } from '../../../desk/preview/strategy-draft.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { accountId, checkAccountOf } from '../../../desk/resolve/account.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { canceledAftermath, strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/write-figures.ts';
import { type CreateScaledOrderRequest, ScaledOrder } from '../../../wire/contract/strategies.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { strategyArgs, termOptions } from '../../console/grammar/spec.ts';
import { fieldsOf, line, listOf, recordOf, sideCell } from '../../console/output/result.ts';
import { scaledBlocks, scaledColumns } from '../../console/views/strategy-view.ts';
import { type StrategyFacts, strategyPreview } from '../preview/order-preview.ts';
import { extentOptions, listed, seen } from '../reading/lists.ts';
import { write } from '../writes/write.ts';

const place = defineCommand({
  summary: 'Place a ladder of limit orders between two prices',
  args: strategyArgs,
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
  async run(console, input) {
    const drafted = await draftLadder(console, input, console.person.isInteractive);
    const { body, market, notional } = drafted;
    const request = { body };
    return write(console, 'createScaledOrder', request, {
      preview: async () => strategyPreview(console, drafted, factsOf(body, market.symbol, await notional())),
      check: () => checkFloors(console, drafted),
      question: `Place ${body.rung_count} rungs: ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: async ({ data }) => {
        const record = withMarketFigures(console, data, await strategyAftermath(console, data, isIdle(data)));
        return recordOf(record, () => scaledBlocks(data), exitOf(data));
      },
    });
  },
});

/** A ladder without some of its rungs is an incomplete write. */
function exitOf({ status, rungs }: ScaledOrder): ExitCode | undefined {
  if (status === 'rejected') return exitCodes.rejected;
  return rungs.some(({ reject_reason: reason }) => reason !== undefined) ? exitCodes.incomplete : undefined;
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

const list = defineCommand({
  summary: 'List ladders, newest first',
  options: extentOptions,
  examples: [['perp scaled list', 'the last 50']],
  async run(console, input) {
    const ladders = listed(console, 'listScaledOrders', { account_id: await accountId(console) }, input);
    const rows = seen(ladders, (some) => {
      const known = some.map(
        (ladder) => [ladder.id, `${ladder.side} ${ladder.total_size} ${ladder.symbol ?? ''}`] as const,
      );
      remember(console, 'scaled', known);
    });
    return listOf(rows, { fields: fieldsOf(ScaledOrder), columns: scaledColumns, empty: 'No ladders yet.' });
  },
});

const show = defineCommand({
  summary: 'Show one ladder and its rungs',
  args: [{ name: 'id', kind: 'scaled', summary: 'ladder id' }],
  examples: [['perp scaled show scaled_3', 'with every rung']],
  async run(console, input) {
    const data = await found(console, input.id);
    return recordOf(data, () => scaledBlocks(data));
  },
});

async function found(console: Console, id: string): Promise<ScaledOrder> {
  const look = () => console.call('getScaledOrder', { path: { scaled_order_id: id } });
  return (await called(console, 'scaled', id, look)).data;
}

const cancel = defineCommand({
  summary: 'Cancel the working rungs of a ladder; fills are kept',
  args: [{ name: 'id', kind: 'scaled', summary: 'ladder id' }],
  examples: [['perp scaled cancel scaled_3', 'cancel all of its working rungs']],
  async run(console, input) {
    beginAftermath(console);
    await checkAccountOf(console, () => found(console, input.id));
    const request = { path: { scaled_order_id: input.id } };
    return write(console, 'cancelScaledOrder', request, {
      question: `Cancel the working rungs of ${input.id}?`,
      send: (keyed) => called(console, 'scaled', input.id, () => console.call('cancelScaledOrder', keyed)),
      done: async ({ data }) => {
        const after = await canceledAftermath(console, data.account_id, (order) => order.scaled_order_id === data.id);
        return recordOf(withMarketFigures(console, data, after), () => scaledBlocks(data));
      },
    });
  },
});

export const commands = { place, list, show, cancel };
