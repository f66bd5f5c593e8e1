import assert from 'node:assert/strict';
import { coverOf } from '../../../src/desk/account/means.ts';
import type { Command, OpenState } from '../../../src/exchange/engine/commands.ts';
import { plans, type Rates } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import type { MarketDefinition, Order, Position } from '../../../src/exchange/engine/model.ts';
import { presentOrder, presentPosition } from '../../../src/service/present/presenters.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { randomPractice } from '../../exchange/engine/random-practice.ts';
import { merged, randomScript } from '../../exchange/engine/random-script.ts';
import { definition, type ScriptedEvent, ScriptedSource } from '../../exchange/engine/scripted-source.ts';

const start = Date.parse('2024-08-08T03:00:00Z');
const markets: MarketDefinition[] = [definition(), definition({ marketId: 'bybit|OTHER', provider: 'bybit' })];
const rates: Rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 30 } };

/** What the histories went through: a trial that meets none of it proves nothing. */
export interface Met {
  positions: number;
  partly: number;
  crashes: number;
  stopped: number;
}

/**
 * One random history: commands of every kind on two moving markets. After each of them, the cover of every position, as
 * perp shows it from the answers of the service, is what the records of the exchange say. At the end, each market
 * crashes, and then rises, through every stop: what is left of a position then is what perp has shown as uncovered.
 */
export function coverHistory(seed: number, met: Met): void {
  const chance = new Chance(seed);
  const script = merged(...markets.map(({ marketId }) => randomScript(chance, marketId, 50))).map((event) => ({
    ...event,
    time: start + event.time * 10,
  }));
  const exchange = new Exchange(new ScriptedSource(script, markets), emptyState(seed, start), rates);
  for (let account = 0; account < 3; account++) openAccount(exchange, chance);
  const end = script.at(-1)!.time;
  while (exchange.time < end) {
    exchange.advance(Math.min(end, exchange.time + chance.pick([0, 1, 100, 500, 2_000])));
    const quote = exchange.quote(markets[0]!.marketId);
    const near = quote.ok && quote.mid !== null ? Math.round(quote.mid / 2) : 1_000;
    exchange.execute(randomPractice(chance, { open: exchange.openState(), markets, near }));
    checkShown(exchange, met);
  }
  const settled = exchange.openState();
  for (const { marketId } of markets) {
    for (const price of [500, 2_000]) checkCrash(settled, marketId, price, met);
  }
}

function openAccount(exchange: Exchange, chance: Chance): void {
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'somebody',
    environment: 'live',
    name: 'none',
    plan: plans.none,
    startingBalance: chance.pick([4_000, 10_000, 30_000]),
  });
  assert.ok(opened.ok);
  const { id, policy } = opened.account!;
  const limits = { ...policy.limits, tradesPerMinute: 10_000, executionDelayMaxMs: chance.pick([0, 300]) };
  exchange.execute({ kind: 'set_policy', accountId: id, policy: { ...policy, slippageMaxBps: 500, limits } });
}

/** The uncovered size of a position as perp shows it. */
function shownUncovered(open: OpenState, position: Position, exchange: Exchange, leftOut?: (order: Order) => boolean) {
  const market = markets.find(({ marketId }) => marketId === position.marketId)!;
  const orders = open.orders.filter((order) => order.accountId === position.accountId && leftOut?.(order) !== true);
  const wireOrders = orders.map((order) => {
    const of = markets.find(({ marketId }) => marketId === order.marketId)!;
    return JSON.parse(JSON.stringify(presentOrder(order, of)));
  });
  const wire = presentPosition(position, market, exchange.liquidationPrice(position.id));
  const { covered, uncovered } = coverOf(JSON.parse(JSON.stringify(wire)), wireOrders);
  assert.equal(covered + uncovered, position.size);
  return uncovered;
}

function checkShown(exchange: Exchange, met: Met): void {
  const open = exchange.openState();
  for (const position of open.positions) {
    const liquidation = exchange.liquidationPrice(position.id);
    const truth = position.size - Math.min(position.size, stopped(open.orders, position, liquidation));
    assert.equal(shownUncovered(open, position, exchange), truth, `uncovered size of ${position.id}`);
    met.positions += 1;
    if (truth > 0 && truth < position.size) met.partly += 1;
  }
}

/**
 * The lots of the position's stops, from the records of the exchange: its exits, and other reductions on its market,
 * unless a limit rests past the mark, or a liquidation comes first.
 */
function stopped(
  orders: readonly Order[],
  { id, accountId, marketId, direction }: Position,
  liquidation: number | null,
): number {
  const sign = direction === 'long' ? 1 : -1;
  const market = markets.find((one) => one.marketId === marketId)!;
  const isIdle = ({ type, limitPrice, triggerPrice, triggeredAt }: Order) => {
    const from = triggerPrice ?? limitPrice! / 10 ** market.priceDecimals;
    if (liquidation !== null && sign * (from - liquidation) <= 0) return true;
    return (
      type === 'stop_limit' && (triggeredAt !== null || sign * (limitPrice! / 10 ** market.priceDecimals - from) >= 0)
    );
  };
  let lots = 0;
  for (const order of orders) {
    if (order.accountId !== accountId || order.marketId !== marketId || isIdle(order)) continue;
    if (order.exitGroup !== null) {
      if (order.exitGroup === 'sl' && order.targetPositionId === id) lots += order.size;
      continue;
    }
    const reduces = order.reduceOnly && order.side === (direction === 'long' ? 'sell' : 'buy');
    const away = direction === 'long' ? 'below' : 'above';
    const ownMark = order.triggerMarketId === null || order.triggerMarketId === marketId;
    const isStop =
      order.mode === 'stop_market' ||
      order.mode === 'stop_limit' ||
      (order.mode === 'conditional' && ownMark && order.triggerDirection === away);
    if (reduces && isStop) lots += order.size;
  }
  return lots;
}

/**
 * Sends one market through every stop of one direction, in accounts that nothing liquidates and without orders that
 * open positions. Limit stops are left out, because a limit does not fill beyond its price.
 */
function checkCrash(settled: OpenState, marketId: string, price: number, met: Met): void {
  const open = structuredClone(settled);
  for (const account of open.accounts) account.balance = 10n ** 20n;
  for (const position of open.positions) {
    position.marginMode = 'cross';
    position.isolatedMarginExtra = 0n;
  }
  const isRising = price > 1_000;
  const isLimit = (order: Order) => order.reduceOnly && order.type === 'stop_limit';
  const opens = (order: Order) => !order.reduceOnly || order.twapOrderId !== null;
  const books: ScriptedEvent[] = [0, 1, 2, 3, 4, 5].map((at) => ({
    time: open.time + 1 + at * 200,
    market: marketId,
    bids: [[price, 1_000_000]],
    asks: [[price + 1, 1_000_000]],
  }));
  const calm = markets
    .filter((market) => market.marketId !== marketId)
    .map(
      (market): ScriptedEvent => ({ time: open.time, market: market.marketId, bids: [[1_000, 9]], asks: [[1_001, 9]] }),
    );
  const exchange = new Exchange(new ScriptedSource([...calm, ...books], markets), open, rates);
  const commands: Command[] = [
    ...open.copyGroups.map(
      ({ id }): Command => ({ kind: 'disable_copy_group', owner: 'somebody', environment: 'live', configId: id }),
    ),
    ...open.twaps.map(({ id }): Command => ({ kind: 'cancel_twap', twapOrderId: id })),
    ...open.orders
      .filter((order) => opens(order) || isLimit(order))
      .map(({ id }): Command => ({ kind: 'cancel_order', orderId: id })),
  ];
  for (const command of commands) exchange.execute(command);
  const before = exchange.openState();
  // A reduction that is under way goes on in the crash, whatever protects the position.
  const underWay = new Set(
    before.orders
      .filter(({ status, type }) => status === 'pending' && !type.startsWith('stop'))
      .map((order) => order.accountId),
  );
  const exposed = before.positions
    .filter(
      (one) => one.marketId === marketId && (one.direction === 'short') === isRising && !underWay.has(one.accountId),
    )
    .map((position) => ({ position: { ...position }, uncovered: shownUncovered(before, position, exchange, isLimit) }));
  exchange.advance(open.time + 2_000);
  const after = exchange.openState();
  for (const { position, uncovered } of exposed) {
    const left = after.positions.find(({ id }) => id === position.id)?.size ?? 0;
    assert.equal(left, uncovered, `${position.direction} ${position.size} in ${marketId} at ${price}, ${position.id}`);
    met.crashes += 1;
    if (left < position.size) met.stopped += 1;
  }
}
