import { type ExitCode, exitCodes } from '../../../base/failure/failure.ts';
import { quantity, stretch, usd } from '../../../base/text/format.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { draftLadder, draftTwap, type StrategyDraft } from '../../../desk/preview/strategy-draft.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { accountId, checkAccountOf } from '../../../desk/resolve/account.ts';
import { remember } from '../../../desk/resolve/remembered.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { canceledAftermath, strategyAftermath } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/write-figures.ts';
import { ScaledOrder, TwapOrder } from '../../../wire/contract/strategies.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { termOptions } from '../../console/grammar/spec.ts';
import { type Block, type Column, fieldsOf, listOf, recordOf } from '../../console/output/result.ts';
import { scaledBlocks, scaledColumns, twapBlocks, twapColumns } from '../../console/views/strategy-view.ts';
import { type StrategyFacts, strategyPreview } from '../preview/order-preview.ts';
import { extentOptions, firstOf, listed, seen } from '../reading/lists.ts';
import { write } from '../writes/write.ts';

/** An order that is worked in parts: its words, its operations, and its views. */
interface Strategy<Parent> {
  readonly kind: 'twap' | 'scaled';
  readonly id: readonly [summary: string, example: string];
  readonly show: readonly [summary: string, does: string];
  readonly cancel: readonly [summary: string, does: string, question: string];
  readonly creates: 'createTwapOrder' | 'createScaledOrder';
  readonly gets: 'getTwapOrder' | 'getScaledOrder';
  readonly cancels: 'cancelTwapOrder' | 'cancelScaledOrder';
  readonly view: { readonly fields: readonly string[]; readonly columns: readonly Column<Parent>[] };
  readonly blocks: (parent: Parent) => Block[];
}

/** What a new strategy says before and after it is sent; whether it has neither filled nor changed exits. */
interface Placing<Parent> {
  readonly question: string;
  facts(): StrategyFacts | Promise<StrategyFacts>;
  isIdle(parent: Parent): boolean;
  exitOf?(parent: Parent): ExitCode | undefined;
}

/** The commands of a strategy, and the parts of those that are its own. */
function strategyOf<Parent extends TwapOrder | ScaledOrder>(strategy: Strategy<Parent>) {
  const { kind, show, cancel, creates, gets, cancels, view, blocks } = strategy;
  const field = `${kind}_order_id` as const;
  const [summary, example] = strategy.id;
  const args = [{ name: 'id', kind, summary }] as const;
  const found = (console: Console, id: string) =>
    called(console, kind, id, () => console.call(gets, { path: { [field]: id } } as never));
  return {
    show: defineCommand({
      summary: show[0],
      args,
      examples: [[`perp ${kind} show ${example}`, show[1]]],
      async run(console, { id }) {
        const { data } = await found(console, id);
        return recordOf(data, () => blocks(data as Parent));
      },
    }),
    cancel: defineCommand({
      summary: cancel[0],
      args,
      examples: [[`perp ${kind} cancel ${example}`, cancel[1]]],
      async run(console, { id }) {
        beginAftermath(console);
        await checkAccountOf(console, async () => (await found(console, id)).data);
        return write(console, cancels, { path: { [field]: id } } as never, {
          question: `${cancel[2]} ${id}?`,
          send: (keyed) => called(console, kind, id, () => console.call(cancels, keyed)),
          done: async ({ data }) => {
            const after = await canceledAftermath(console, data.account_id, (order) => order[field] === data.id);
            return recordOf(withMarketFigures(console, data, after), () => blocks(data as Parent));
          },
        });
      },
    }),
    /** Places one as drafted. */
    placed: (console: Console, drafted: StrategyDraft<object>, { question, facts, isIdle, exitOf }: Placing<Parent>) =>
      write(console, creates, { body: drafted.body } as never, {
        preview: async () => strategyPreview(console, drafted, await facts()),
        check: () => checkFloors(console, drafted),
        question,
        done: async (answer) => {
          const data = answer.data as Parent;
          const record = withMarketFigures(console, data, await strategyAftermath(console, data, isIdle(data)));
          return recordOf(record, () => blocks(data), exitOf?.(data));
        },
      }),
    list: (rows: readonly Parent[] | AsyncIterable<Parent>, empty: string) => listOf(rows, { ...view, empty }),
    /** Completion offers these. */
    remember: (console: Console, parents: readonly Parent[]) =>
      remember(
        console,
        kind,
        parents.map(({ id, side, total_size, symbol }) => [id, `${side} ${total_size} ${symbol ?? ''}`] as const),
      ),
  };
}

const args = [
  { name: 'market', kind: 'market', summary: 'id, coin or symbol' },
  { name: 'side', choices: ['buy', 'sell'], summary: 'order side' },
  {
    name: 'size',
    kind: 'size',
    summary: 'total: base asset (0.5), notional (5000usd) or share of the position (50%)',
  },
] as const;

const placeOptions = {
  'reduce-only': { summary: 'only make a position smaller' },
  ...termOptions,
  force: { summary: 'place it even if its worst case would breach a floor' },
} as const;

const twaps = strategyOf<TwapOrder>({
  kind: 'twap',
  id: ['TWAP id', 'twap_7'],
  show: ['Show one TWAP or VWAP order', 'its progress'],
  cancel: ['Cancel a TWAP or VWAP order; fills are kept', 'no further slices', 'Stop'],
  creates: 'createTwapOrder',
  gets: 'getTwapOrder',
  cancels: 'cancelTwapOrder',
  view: { fields: fieldsOf(TwapOrder), columns: twapColumns },
  blocks: twapBlocks,
});

const placeTwap = defineCommand({
  summary: 'Work an order over time, evenly (TWAP) or by volume (VWAP)',
  args,
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
    'reduce-only': placeOptions['reduce-only'],
    ...termOptions,
    'expected-price': { value: 'PRICE', kind: 'price', summary: 'price you saw (default: the current mid)' },
    force: placeOptions.force,
  },
  examples: [
    ['perp twap place BTC buy 0.5 --duration 30m', 'a slice every 30 seconds'],
    ['perp twap place BTC sell 100% --reduce-only --duration 10m --strategy vwap', 'close the position by volume'],
  ],
  async run(console, input) {
    const drafted = await draftTwap(console, input, console.person.isInteractive);
    const { strategy = 'twap', side, size, ...body } = drafted.body;
    const { symbol } = drafted.market;
    const interval = (body.slice_interval_seconds ?? 30) * 1000;
    const durationMs = body.duration_minutes * 60_000;
    const slices = Math.max(2, Math.floor(durationMs / interval));
    const each = quantity(Number((size / slices).toPrecision(3)));
    return twaps.placed(console, drafted, {
      question: `Start ${strategy} ${side} ${quantity(size)} ${symbol}?`,
      facts: () => ({
        title: strategy.toUpperCase(),
        how: `over ${stretch(durationMs)}`,
        rows: [['slices', `${slices}, one every ${stretch(interval)}, about ${each} ${symbol} each`]],
        notional: `${usd(size * body.expected_price)} USD at ${quantity(body.expected_price)}`,
      }),
      isIdle: ({ filled_size: filled }) => filled === 0,
    });
  },
});

const listTwaps = defineCommand({
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
    if (input.all && input.status === undefined)
      return twaps.list(everyTwap(console, account_id), 'No TWAP orders yet.');
    const { status = 'active' } = input;
    const empty = `No ${status} TWAP orders.`;
    if (status !== 'active')
      return twaps.list(listed(console, 'listActiveTwapOrders', { account_id, status }, input), empty);
    const { data } = await console.call('listActiveTwapOrders', { query: { account_id } });
    twaps.remember(console, data);
    return twaps.list(firstOf(console, data, input), empty);
  },
});

/** The active ones, then those that have ended. */
async function* everyTwap(console: Console, account_id: string): AsyncGenerator<TwapOrder> {
  for (const status of ['active', 'completed', 'canceled'])
    yield* listed(console, 'listActiveTwapOrders', { account_id, status }, { limit: undefined, all: true });
}

const ladders = strategyOf<ScaledOrder>({
  kind: 'scaled',
  id: ['ladder id', 'scaled_3'],
  show: ['Show one ladder and its rungs', 'with every rung'],
  cancel: [
    'Cancel the working rungs of a ladder; fills are kept',
    'cancel all of its working rungs',
    'Cancel the working rungs of',
  ],
  creates: 'createScaledOrder',
  gets: 'getScaledOrder',
  cancels: 'cancelScaledOrder',
  view: { fields: fieldsOf(ScaledOrder), columns: scaledColumns },
  blocks: scaledBlocks,
});

const placeLadder = defineCommand({
  summary: 'Place a ladder of limit orders between two prices',
  args,
  options: {
    from: { value: 'PRICE', kind: 'price', required: true, summary: 'price of the first rung' },
    to: { value: 'PRICE', kind: 'price', required: true, summary: 'price of the last rung' },
    rungs: { value: 'N', kind: 'count', maximum: 10, required: true, summary: 'number of rungs, 2 to 10' },
    distribution: {
      value: 'SHAPE',
      choices: ['flat', 'ascending', 'descending'],
      summary: 'sizes from the first to the last rung (default flat)',
    },
    'reduce-only': placeOptions['reduce-only'],
    'cross-ok': { summary: 'let rungs that cross the book fill as taker' },
    ...termOptions,
    force: placeOptions.force,
  },
  examples: [
    ['perp scaled place BTC buy 0.5 --from 61000 --to 60000 --rungs 5', 'five equal bids'],
    ['perp scaled place BTC sell 5000usd --from 155000 --to 160000 --rungs 4', '5,000 USD in total'],
  ],
  async run(console, input) {
    const drafted = await draftLadder(console, input, console.person.isInteractive);
    const { rung_count: count, start_price: from, end_price: to, distribution, side, size } = drafted.body;
    return ladders.placed(console, drafted, {
      question: `Place ${count} rungs: ${side} ${quantity(size)} ${drafted.market.symbol}?`,
      facts: async () => ({
        title: 'Ladder',
        how: `in ${count} rungs, ${distribution}`,
        rows: [
          ['from', quantity(from)],
          ['to', quantity(to)],
          ['step', quantity(Number(((to - from) / (count - 1)).toPrecision(9)))],
        ],
        notional: `${usd(await drafted.notional())} USD`,
      }),
      isIdle: ({ reduce_only: reduces, rungs }) =>
        reduces === false && rungs.every(({ liquidity_role: role }) => role === undefined),
      // A ladder without some of its rungs is an incomplete write.
      exitOf({ status, rungs }) {
        if (status === 'rejected') return exitCodes.rejected;
        return rungs.some(({ reject_reason: reason }) => reason !== undefined) ? exitCodes.incomplete : undefined;
      },
    });
  },
});

const listLadders = defineCommand({
  summary: 'List ladders, newest first',
  options: extentOptions,
  examples: [['perp scaled list', 'the last 50']],
  async run(console, input) {
    const rows = listed(console, 'listScaledOrders', { account_id: await accountId(console) }, input);
    return ladders.list(
      seen(rows, (some) => ladders.remember(console, some)),
      'No ladders yet.',
    );
  },
});

export const words = {
  twap: { place: placeTwap, list: listTwaps, show: twaps.show, cancel: twaps.cancel },
  scaled: { place: placeLadder, list: listLadders, show: ladders.show, cancel: ladders.cancel },
};
