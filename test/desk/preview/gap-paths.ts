import { judged } from '../../../src/desk/preview/judged.ts';
import { closingAfter, type Prospect } from '../../../src/desk/preview/prospect.ts';
import { accountLater } from '../../../src/desk/risk/outlook.ts';
import type { PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import type { Side } from '../../../src/exchange/engine/model.ts';
import { presentQuote } from '../../../src/service/handlers/markets.ts';
import { presentAccount } from '../../../src/service/present/account.ts';
import type { CreateOrderRequest, Order } from '../../../src/wire/contract/orders.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { plainOrder, type Scenario } from '../../exchange/engine/scenario.ts';
import type { ScriptedEvent } from '../../exchange/engine/scripted-source.ts';
import { begin, bookAt, commandsFor, lookAt, movedAt, randomMarket, type TrialMarket } from '../risk/paths.ts';

/** What became of orders with a stop whose worst case was told, and of what was told about carry and copies. */
export interface GapTally {
  told: number;
  /** Closed by the stop behind a gap. */
  gapped: number;
  /** USD that they lost together, and that was told. */
  lost: number;
  worst: number;
  /** Those that lost more than told, or took the account with them. */
  more: string[];
}

export function newGapTally(): GapTally {
  return { told: 0, gapped: 0, lost: 0, worst: 0, more: [] };
}

/** USD: rounding of money to its 8 decimals, many times. */
const tolerance = 0.01;

const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

function equityOf(scenario: Scenario): number {
  return presentAccount(scenario.account(), scenario.exchange.risk(scenario.accountId)).risk!.equity!;
}

/**
 * A random account gets an order with a stop, whose market then moves against it: half a tick at a time up to its stop,
 * and over it by a gap within the allowance, into a book half as deep as before.
 */
export function tryGap(seed: number, tally: GapTally): void {
  const chance = new Chance(seed);
  const markets = Array.from({ length: chance.between(1, 2) }, (_, at) => randomMarket(chance, at));
  const portfolio = commandsFor(chance, markets);
  const before = begin(markets, portfolio, []).to(movedAt);
  const seen = lookAt(before, markets);
  if (seen === undefined) return;
  const market = markets[0]!;
  const order = randomEntry(chance, market, seen.standing.positions);
  const gap = { bps: chance.between(0, 60), walks: 2, from: 'setting' } as const;
  const quoteOf = (asked: { side: Side; size: number }) => {
    const quote = before.exchange.quote(order.market_id, { ...asked, accountId: before.accountId });
    return quote.ok ? wire(presentQuote(market.definition, quote)) : undefined;
  };
  const { marks, standing } = seen;
  const quote = quoteOf(order);
  if (quote === undefined || quote.fillable === false) return;
  const known = { ...standing, order: { ...order, account_id: before.accountId }, quote, marks, gap } as never;
  const closing = closingAfter({ ...order, account_id: before.accountId }, known);
  const found = judged({
    ...(known as Prospect),
    market: { ...quote, ...ofMarket(market) } as never,
    exitQuote: closing && quoteOf(closing),
  });
  const { worst, breach, after } = found;
  const isOpening = after !== undefined && after !== null && after.size > 0 === (order.side === 'buy');
  if (worst?.at !== 'stop' || breach !== undefined || !isOpening) return;
  if (seen.standing.working.some((one) => isApart(one, order, gap.bps))) return;
  const { lost, isClosed, hasFailed } = happened(chance, { market, markets, portfolio, order, gap: gap.bps, before });
  if (lost === undefined) return;
  tally.told += 1;
  tally.lost += lost;
  tally.worst += worst.loss;
  if (isClosed) tally.gapped += 1;
  if (hasFailed || lost > worst.loss + tolerance)
    tally.more.push(
      `seed ${seed}: told ${worst.loss} at ${worst.price}, lost ${lost}${hasFailed ? ' and failed' : ''}: ${order.type} ${order.side} ${order.size} stop ${order.stop_loss_price}, gap ${gap.bps}, beside ${worst.beside}`,
    );
}

/**
 * Whether another order may open something of its own in the gap: a chase that follows, or one that waits behind the
 * stop.
 */
function isApart(
  { mode, market_id, reduce_only, limit_price: limit, trigger_price: waitsAt = limit }: Order,
  { stop_loss_price: stop, ...order }: ReturnType<typeof randomEntry>,
  bps: number,
): boolean {
  if (mode === 'chase') return true;
  if (market_id !== order.market_id || reduce_only || waitsAt === undefined) return false;
  const beyond = ((order.side === 'buy' ? stop - waitsAt : waitsAt - stop) / stop) * 1e4;
  return beyond >= 0 && beyond <= bps;
}

function ofMarket({ definition: { priceDecimals, sizeDecimals, tick } }: TrialMarket) {
  return { size_decimals: sizeDecimals, tick_size: tick! / 10 ** priceDecimals, max_leverage: 50, category: 'crypto' };
}

function randomEntry(
  chance: Chance,
  { definition: one, mark }: TrialMarket,
  held: readonly { market_id: string; leverage: number; margin_mode: 'cross' | 'isolated' }[],
) {
  const own = held.find(({ market_id }) => market_id === one.marketId);
  const side = chance.pick(['buy', 'sell'] as const);
  const sign = side === 'buy' ? -1 : 1;
  const price = (share: number) => Number(`${Math.round((mark / 2) * (1 + share))}e-${one.priceDecimals}`);
  const usd = chance.between(2_000, 60_000);
  const size = Number(
    `${Math.max(1, Math.round((usd / (mark / 2 / 10 ** one.priceDecimals)) * 10 ** one.sizeDecimals))}e-${one.sizeDecimals}`,
  );
  const waits = chance.chance(0.4) ? sign * (chance.between(2, 20) / 1_000) : 0;
  return {
    type: waits === 0 ? 'market' : 'limit',
    market_id: one.marketId,
    side,
    size,
    leverage: own?.leverage ?? chance.between(2, 8),
    margin_mode: own?.margin_mode ?? chance.pick(['cross', 'isolated'] as const),
    limit_price: waits === 0 ? undefined : price(waits),
    stop_loss_price: price(waits + sign * (chance.between(4, 40) / 1_000)),
    replace_overlapping_exits: true,
  } satisfies Omit<CreateOrderRequest, 'account_id'>;
}

interface Trial {
  readonly market: TrialMarket;
  readonly markets: readonly TrialMarket[];
  readonly portfolio: ReturnType<typeof commandsFor>;
  readonly order: ReturnType<typeof randomEntry>;
  readonly gap: number;
  readonly before: Scenario;
}

/** How far equity falls at most until nothing of the side of the order is open. */
function happened(chance: Chance, { market, markets, portfolio, order, gap, before }: Trial) {
  const { priceDecimals } = market.definition;
  const sign = order.side === 'buy' ? -1 : 1;
  const half = (price: number) => price * 2 * 10 ** priceDecimals;
  const stop = half(order.stop_loss_price);
  const steps = Math.max(0, Math.ceil(Math.abs(stop - market.mark)) - 1);
  const script: ScriptedEvent[] = [];
  for (let step = 1; step <= steps; step++) script.push(bookAt(market, market.mark + sign * step, movedAt + step));
  // Over the stop, at most as far beyond it as the allowance says.
  const beyond = Math.floor((stop * gap * chance.between(0, 100)) / 100 / 1e4);
  const over = sign < 0 ? Math.max(Math.ceil(stop - beyond), 10) : Math.floor(stop + beyond);
  const thin = {
    ...market,
    levels: market.levels.map(([away, lots]) => [away, Math.max(1, Math.ceil(lots / 2))] as const),
  };
  script.push(bookAt(thin as TrialMarket, over, movedAt + steps + 1));
  const end = movedAt + steps + 2;
  const scenario = begin(markets, portfolio, script);
  const placed = scenario.execute({
    ...plainOrder,
    accountId: scenario.accountId,
    ...{ marketId: order.market_id, mode: order.type, side: order.side, size: order.size },
    ...{ leverage: order.leverage, marginMode: order.margin_mode, limitPrice: order.limit_price ?? null },
    ...{ stopLossPrice: order.stop_loss_price, replaceOverlappingExits: true },
  } as PlaceOrder);
  if (!placed.ok) return { lost: undefined, isClosed: false, hasFailed: false };
  const start = equityOf(before);
  let lost = start - equityOf(scenario);
  let isClosed = false;
  for (let time = movedAt + 1; time <= end && !isClosed; time++) {
    lost = Math.max(lost, start - equityOf(scenario.to(time)));
    if (scenario.account().status === 'failed') break;
    const hasFilled = scenario.record(placed.order!).filledSize > 0;
    isClosed = hasFilled && scenario.position(order.market_id) === undefined;
  }
  return { lost, isClosed, hasFailed: scenario.account().status === 'failed' };
}

const hourMs = 3_600_000;

/** What hours of carry at unchanged marks take, told and happened, USD; undefined without a position. */
export function tryCarry(seed: number): { told: number; paid: number; room: number; left: number } | undefined {
  const chance = new Chance(seed);
  const markets = Array.from({ length: chance.between(1, 3) }, (_, at) => randomMarket(chance, at));
  const held = commandsFor(chance, markets).filter((one) => 'mode' in one && one.mode === 'market');
  const within = chance.between(1, 30) * hourMs;
  const minutes = Array.from({ length: Math.ceil((within + hourMs) / 60_000) }, (_, at) => movedAt + (at + 1) * 60_000);
  const still = minutes.flatMap((time) => markets.map((one) => bookAt(one, one.mark, time)));
  const scenario = begin(markets, held, still, { carry: 3 });
  const seen = lookAt(scenario, markets);
  if (seen === undefined || seen.standing.positions.length === 0) return undefined;
  const marks = new Map([...seen.marks].map(([id, mark]) => [id, { ...mark, category: 'crypto' }]));
  const later = accountLater(seen.standing.account as never, seen.standing.positions, marks, within)!;
  const start = equityOf(scenario);
  scenario.to(movedAt + within);
  const { risk } = wire(presentAccount(scenario.account(), scenario.exchange.risk(scenario.accountId)));
  return {
    told: later.ahead.carry,
    paid: start - risk!.equity!,
    room: later.account.risk!.max_drawdown_room!,
    left: risk!.max_drawdown_room!,
  };
}
