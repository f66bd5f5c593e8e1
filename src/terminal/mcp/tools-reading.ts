import { usageFailure } from '../../base/failure/failure.ts';
import { counted, quantity, word } from '../../base/text/format.ts';
import { actingOf, actingText } from '../../desk/account/acting.ts';
import { withoutLastPart } from '../../desk/account/means.ts';
import { riskOfOrder } from '../../desk/preview/floor-check.ts';
import { wholeOrder } from '../../desk/reading/account-changes.ts';
import { readCandles } from '../../desk/reading/candle-history.ts';
import { parseCondition } from '../../desk/reading/condition.ts';
import { type Prospect, prospectsOf, recentCopies, recentPolicy, twapsBefore } from '../../desk/reading/prospects.ts';
import { waitFor } from '../../desk/reading/wait.ts';
import { accountId, accountRisk, allAccounts } from '../../desk/resolve/account.ts';
import { openPositions, resolveOrder, workingOrders } from '../../desk/resolve/holdings.ts';
import { allMarkets, resolveMarket } from '../../desk/resolve/market.ts';
import { fetchQuote, markOf, marksOf } from '../../desk/resolve/quote.ts';
import { nearestFloor } from '../../desk/risk/breach.ts';
import { accountComputed } from '../../desk/risk/outlook.ts';
import type { Order } from '../../wire/contract/orders.ts';
import {
  array,
  boolean,
  choice,
  closed,
  integer,
  nullable,
  number,
  object,
  optional,
  string,
} from '../../wire/contract/schema.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { intervals } from '../../wire/contract/streams.ts';
import type { Console } from '../console/console.ts';
import { defineTool, type Tool } from './agent-console.ts';
import { outside } from './foreign-text.ts';
import {
  AccountShape,
  closedShown,
  money,
  OrderShape,
  orderShown,
  PositionShape,
  positionShown,
  sized,
  timeOf,
} from './shapes.ts';

/** The account that a tool is about. */
export const accountField = { account: optional(string()) };

/** The market that a tool is about. */
export const marketField = string('Exact symbol: BTC.');

const limit = optional(integer(undefined, { minimum: 1, maximum: 100 }));
const defaultLimit = 20;

/** The one market of this name. A name with a character that only looks like a Latin letter doesn't match. */
export function marketNamed(console: Console, name: string) {
  if (!/^[\x21-\x7e]{1,40}$/.test(name)) {
    throw usageFailure(
      'That is not the name of a market: names have only ASCII letters, digits and signs, and no spaces. Nothing was sent.',
      'Use list_markets, and copy the symbol.',
    );
  }
  return resolveMarket(console, name);
}

/** All account data needed to value its positions and orders. */
export async function standing(console: Console): Promise<Prospect> {
  const id = await accountId(console);
  const account = accountRisk(console);
  account.catch(() => {});
  const [positions, working, twaps, policy, copies] = await Promise.all([
    openPositions(console),
    workingOrders(console, id),
    twapsBefore(console, id),
    recentPolicy(console, id),
    recentCopies(console),
  ]);
  const holdings = { positions, working, twaps, policy };
  const acting = actingOf(id, { twaps, working, copies });
  return { ...holdings, acting, ...(await prospectsOf(console, account, holdings)) };
}

/** The maximum number of orders whose risk one answer computes: each needs its own quotes. */
const maxJudged = 20;

/** The prices at which orders and TWAPs are valued. */
async function valuingOf(console: Console, orders: readonly Order[], twaps: readonly TwapOrder[] = []) {
  const unpriced = orders.filter(
    ({ limit_price, trigger_price, fill_price }) => (fill_price ?? limit_price ?? trigger_price) === undefined,
  );
  const ids = new Set([...unpriced, ...twaps].map(({ market_id }) => market_id));
  const judging = orders
    .slice(0, maxJudged)
    .map(async (order) => [order.id, await riskOfOrder(console, order).catch(() => undefined)] as const);
  const [account, marks, risks] = await Promise.all([
    accountRisk(console),
    marksOf(console, ids),
    Promise.all(judging).then((known) => new Map(known)),
  ]);
  const room = nearestFloor(account.risk)?.room;
  return { priceOf: (marketId: string) => marks.get(marketId)?.price, riskOf: (id: string) => risks.get(id), room };
}

const getAccount = defineTool({
  name: 'get_account',
  description:
    'Balance, equity, both floors with the room above them, the terms of your mandate, and the marks at which the account fails. Call it first.',
  changes: false,
  input: closed({ ...accountField }),
  output: { details: AccountShape },
  async run(console, _, call) {
    const account = await accountRisk(console);
    const [seen, all] = await Promise.all([standing(console), allAccounts(console)]);
    const { policy } = seen;
    const { risk } = account;
    const { breach_prices, breach_move_pct } = accountComputed(seen.positions, seen.marks, seen.outlook);
    return {
      summary: `Account ${account.id} is ${word(account.status)}, with ${counted(seen.positions.length, 'open position')} and ${seen.working === undefined ? 'an unknown number of working orders' : counted(seen.working.length, 'working order')}.`,
      details: {
        id: account.id,
        name: outside(account.name),
        status: account.status,
        stage: account.stage,
        balance_usd: account.balance,
        equity_usd: risk?.equity ?? null,
        available_balance_usd: risk?.available_balance ?? null,
        margin_used_usd: risk?.margin_used ?? null,
        gross_exposure_usd: risk?.gross_exposure ?? null,
        daily_loss_floor_usd: risk?.daily_loss_floor ?? null,
        max_drawdown_floor_usd: risk?.max_drawdown_floor ?? null,
        remaining_profit_usd: risk?.remaining_profit ?? null,
        breach_prices,
        breach_move_pct,
        acts_without_you: seen.acting,
        open_positions: seen.positions.length,
        working_orders: seen.working?.length ?? null,
        trading_blocked: policy === undefined ? null : policy.manual_trading_blocked,
        only_reducing: policy === undefined ? null : policy.opening_exposure_restricted || policy.restriction !== null,
      },
      mandate_terms: call.terms ?? null,
      accounts: all.map(({ id, name, status }) => ({ id, name: outside(name), status })),
    };
  },
});

const listPositions = defineTool({
  name: 'list_positions',
  description: 'Open positions with risk, stop, and the mark at which each alone ends the account; or closed ones.',
  changes: false,
  input: closed({ ...accountField, status: optional(choice(['open', 'closed'])), limit }),
  output: { positions: array(PositionShape) },
  async run(console, { status, limit: rows = defaultLimit }) {
    if (status === 'closed') {
      const query = { account_id: await accountId(console), status: 'closed', limit: rows } as const;
      const { data } = await console.call('listOpenPositions', { query });
      return { summary: `${data.length} closed positions, newest first.`, positions: data.map(closedShown) };
    }
    const seen = await standing(console);
    const positions = seen.positions.map((position) => positionShown(position, seen));
    return {
      summary: [
        positions.length === 0 ? 'No open positions.' : `${counted(positions.length, 'open position')}.`,
        ...seen.acting.map((one) => `${actingText(one)}.`),
      ].join(' '),
      positions,
    };
  },
});

const listOrders = defineTool({
  name: 'list_orders',
  description:
    'The current state of orders, from the service: all working ones, the newest of any status, or one by its id or client order id. An order that is not listed as filled is not filled.',
  changes: false,
  input: closed({
    ...accountField,
    order: optional(string('Order id, or the idempotency_key it was placed under.')),
    status: optional(choice(['working', 'any'])),
    limit,
  }),
  output: { orders: array(OrderShape) },
  async run(console, { order, status = 'working', limit: rows = defaultLimit }) {
    if (order !== undefined) {
      const found = await resolveOrder(console, order);
      const { priceOf, riskOf } = await valuingOf(console, [found]);
      const { order: whole } = await wholeOrder(console, found);
      const orders = [orderShown(whole, { mark: priceOf(found.market_id), risk: riskOf(found.id) })];
      return { summary: `Order ${found.id} is ${word(found.status)}.`, orders };
    }
    const account_id = await accountId(console);
    const query = status === 'working' ? { account_id, status } : { account_id, limit: rows };
    const [{ data }, running] = await Promise.all([
      console.call('listOrders', { query }),
      twapsBefore(console, account_id),
    ]);
    const { priceOf, riskOf, room } = await valuingOf(console, data, running);
    const twaps = running.map(({ id, market_id, side, total_size, filled_size, status: is }) => {
      const mark = priceOf(market_id);
      return {
        id,
        market_id,
        side,
        status: is,
        size: sized(total_size, mark, room),
        filled: sized(filled_size, mark, room),
      };
    });
    return {
      summary: `${status === 'working' ? counted(data.length, 'working order') : `${counted(data.length, 'order')}, newest first`}.`,
      orders: data.map((one) =>
        orderShown(withoutLastPart(one), { mark: priceOf(one.market_id), risk: riskOf(one.id) }),
      ),
      twaps,
    };
  },
});

const listFills = defineTool({
  name: 'list_fills',
  description: 'Executions of the account, newest first: the only proof that something was traded.',
  changes: false,
  input: closed({ ...accountField, limit }),
  output: { fills: array(OrderShape) },
  async run(console, { limit: rows = defaultLimit }) {
    const { data } = await console.call('listFills', { query: { account_id: await accountId(console), limit: rows } });
    const fills = data.map((one) => orderShown(one));
    return { summary: `${fills.length} fills, newest first.`, fills };
  },
});

const listMarkets = defineTool({
  name: 'list_markets',
  description: 'Markets with their exact symbols, lots, ticks and largest leverage.',
  changes: false,
  input: closed({ search: optional(string('Part of a symbol.', { maxLength: 40 })), limit }),
  output: { markets: array(object({ symbol: string(), max_leverage: number() })) },
  async run(console, { search = '', limit: rows = defaultLimit }) {
    const wanted = search.toLowerCase();
    const all = (await allMarkets(console)).filter((one) =>
      [one.symbol, one.coin, one.market_id].some((name) => name.toLowerCase().includes(wanted)),
    );
    const markets = all.slice(0, rows).map((one) => ({
      market_id: one.market_id,
      symbol: one.symbol,
      lot_base: one.size_step ?? 10 ** -one.size_decimals,
      min_size_base: one.min_size ?? null,
      min_notional_usd: one.min_notional ?? null,
      tick_size: one.tick_size ?? null,
      max_leverage: one.max_leverage,
      category: one.category ?? null,
      trading_enabled: one.trading_enabled ?? null,
      only_reducing: one.reduce_only ?? false,
    }));
    return { summary: `${markets.length} of ${all.length} markets.`, markets };
  },
});

const getQuote = defineTool({
  name: 'get_quote',
  description: 'Best bid and ask, the mark, and what an order of a size would fill at now.',
  changes: false,
  input: closed({
    market: marketField,
    side: optional(choice(['buy', 'sell'])),
    size_base: optional(number(undefined, { exclusiveMinimum: 0 })),
  }),
  output: { quote: object({ bid: nullable(number()), ask: nullable(number()) }) },
  async run(console, { market: name, side, size_base: size }) {
    if ((side === undefined) !== (size === undefined)) throw usageFailure('side and size_base go together.');
    const market = await marketNamed(console, name);
    const account = size === undefined ? undefined : await accountId(console);
    const quote = await fetchQuote(console, market.market_id, { side, size, account });
    const mark = markOf(quote)?.price ?? null;
    return {
      summary: `${market.symbol}: bid ${shown(quote.bid)}, ask ${shown(quote.ask)} at ${timeOf(quote.time)}.`,
      quote: {
        market_id: market.market_id,
        bid: quote.bid,
        ask: quote.ask,
        mid: quote.mid,
        mark,
        time: timeOf(quote.time),
        ...(size !== undefined && {
          side,
          size: sized(size, quote.estimated_fill_price ?? mark, undefined),
          fillable: quote.fillable ?? null,
          fill_price: quote.estimated_fill_price ?? null,
          worst_price: quote.worst_price ?? null,
          fee_usd: money(quote.estimated_fee),
        }),
      },
    };
  },
});

function shown(price: number | null): string {
  return price === null ? 'none' : quantity(price);
}

const getCandles = defineTool({
  name: 'get_candles',
  description: 'Past candles of a market, oldest first; the last may still be forming.',
  changes: false,
  input: closed({ market: marketField, interval: optional(choice(intervals, 'Default 1m.')), limit }),
  output: { candles: array(array({})) },
  async run(console, { market: name, interval = '1m', limit: rows = defaultLimit }) {
    const market = await marketNamed(console, name);
    const read = await readCandles(console, market, { interval, limit: rows }, true);
    return {
      summary: `${read.length} candles of ${market.symbol}, ${interval} each.`,
      columns: ['open_time', 'open', 'high', 'low', 'close', 'volume_base'],
      candles: read.map(({ openTime, open, high, low, close, volume }) => [
        timeOf(openTime) ?? '',
        ...[open, high, low, close, volume].map(Number),
      ]),
    };
  },
});

const longestWaitSeconds = 60;

const waitForTool = defineTool({
  name: 'wait_for',
  description:
    "Waits until a condition is true, at most a minute, instead of asking again and again: 'BTC < 95000', 'flat', 'order ID filled', 'order ID ended'.",
  changes: false,
  waits: true,
  input: closed({
    ...accountField,
    condition: string(undefined, { maxLength: 200 }),
    seconds: optional(number(undefined, { exclusiveMinimum: 0 })),
  }),
  output: { met: boolean() },
  async run(console, { condition: text, seconds = 30 }) {
    if (seconds > longestWaitSeconds) throw usageFailure(`seconds must be at most ${longestWaitSeconds}.`);
    const condition = parseCondition(text);
    if (condition.kind === 'price') await marketNamed(console, condition.market);
    const late = AbortSignal.timeout(seconds * 1_000);
    try {
      const met = await waitFor(console, condition, AbortSignal.any([console.signal, late]));
      return { summary: 'The condition is true.', met: true, at: timeOf(met.at) ?? null, price: met.price ?? null };
    } catch (error) {
      if (!late.aborted || console.signal.aborted) throw error;
      return { summary: `The condition was not true within ${seconds} s.`, met: false };
    }
  },
});

/** The tools that only read. */
export const readingTools: readonly Tool[] = [
  getAccount,
  listPositions,
  listOrders,
  listFills,
  listMarkets,
  getQuote,
  getCandles,
  waitForTool,
];
