import { quantity, stretch, usd } from '../../../base/text/format.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { draftTwap } from '../../../desk/preview/strategy-draft.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { accountId, checkAccountOf } from '../../../desk/resolve/account.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { canceledAftermath, strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/write-figures.ts';
import { type CreateTwapOrderRequest, TwapOrder } from '../../../wire/contract/strategies.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { strategyArgs, termOptions } from '../../console/grammar/spec.ts';
import { fieldsOf, line, listOf, type Result, recordOf, sideCell } from '../../console/output/result.ts';
import { twapBlocks, twapColumns } from '../../console/views/strategy-view.ts';
import { type StrategyFacts, strategyPreview } from '../preview/order-preview.ts';
import { extentOptions, firstOf, listed } from '../reading/lists.ts';
import { write } from '../writes/write.ts';

const place = defineCommand({
  summary: 'Work an order over time, evenly (TWAP) or by volume (VWAP)',
  args: strategyArgs,
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
  async run(console, input) {
    const drafted = await draftTwap(console, input, console.person.isInteractive);
    const { body, market } = drafted;
    const request = { body };
    return write(console, 'createTwapOrder', request, {
      preview: () => strategyPreview(console, drafted, factsOf(body, market.symbol)),
      check: () => checkFloors(console, drafted),
      question: `Start ${body.strategy ?? 'twap'} ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: async ({ data }) => {
        const after = await strategyAftermath(console, data, data.filled_size === 0);
        return recordOf(withMarketFigures(console, data, after), () => twapBlocks(data));
      },
    });
  },
});

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

const list = defineCommand({
  summary: 'List TWAP and VWAP orders',
  options: {
    status: {
      value: 'STATUS',
      choices: ['active', 'completed', 'canceled'],
      summary: 'only orders with this status (default active)',
    },
    ...extentOptions,
  },
  examples: [
    ['perp twap list', 'active ones'],
    ['perp twap list --status completed --limit 10', 'the last ten'],
    ['perp twap list --all', 'active and ended ones'],
  ],
  async run(console, input) {
    const account_id = await accountId(console);
    if (input.all && input.status === undefined) return view(everyTwap(console, account_id), '');
    const status = input.status ?? 'active';
    if (status !== 'active')
      return view(listed(console, 'listActiveTwapOrders', { account_id, status }, input), status);
    const { data } = await console.call('listActiveTwapOrders', { query: { account_id } });
    const known = data.map((twap) => [twap.id, `${twap.side} ${twap.total_size} ${twap.symbol ?? ''}`] as const);
    remember(console, 'twap', known);
    return view(firstOf(console, data, input), status);
  },
});

/** The active ones, then those that have ended. */
async function* everyTwap(console: Console, account_id: string): AsyncGenerator<TwapOrder> {
  for (const status of ['active', 'completed', 'canceled'])
    yield* listed(console, 'listActiveTwapOrders', { account_id, status }, { limit: undefined, all: true });
}

function view(rows: readonly TwapOrder[] | AsyncIterable<TwapOrder>, status: string): Result {
  return listOf(rows, {
    fields: fieldsOf(TwapOrder),
    columns: twapColumns,
    empty: status === '' ? 'No TWAP orders yet.' : `No ${status} TWAP orders.`,
  });
}

const show = defineCommand({
  summary: 'Show one TWAP or VWAP order',
  args: [{ name: 'id', kind: 'twap', summary: 'TWAP id' }],
  examples: [['perp twap show twap_7', 'its progress']],
  async run(console, input) {
    const data = await found(console, input.id);
    return recordOf(data, () => twapBlocks(data));
  },
});

async function found(console: Console, id: string): Promise<TwapOrder> {
  const look = () => console.call('getTwapOrder', { path: { twap_order_id: id } });
  return (await called(console, 'twap', id, look)).data;
}

const cancel = defineCommand({
  summary: 'Cancel a TWAP or VWAP order; fills are kept',
  args: [{ name: 'id', kind: 'twap', summary: 'TWAP id' }],
  examples: [['perp twap cancel twap_7', 'no further slices']],
  async run(console, input) {
    beginAftermath(console);
    await checkAccountOf(console, () => found(console, input.id));
    const request = { path: { twap_order_id: input.id } };
    return write(console, 'cancelTwapOrder', request, {
      question: `Stop ${input.id}?`,
      send: (keyed) => called(console, 'twap', input.id, () => console.call('cancelTwapOrder', keyed)),
      done: async ({ data }) => {
        const after = await canceledAftermath(console, data.account_id, (order) => order.twap_order_id === data.id);
        return recordOf(withMarketFigures(console, data, after), () => twapBlocks(data));
      },
    });
  },
});

export const commands = { place, list, show, cancel };
