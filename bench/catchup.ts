/**
 * Time that passed while nobody used the simulation: 24 hours of one synthetic market with 100 resting orders in the
 * visible book, and 30 days with orders that the market never touches.
 */

import type { Command, PlaceTwap } from '../src/exchange/engine/commands.ts';
import { plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import type { Plan, Side } from '../src/exchange/engine/model.ts';
import { syntheticSource } from '../src/exchange/markets/synthetic/synthetic-source.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';
import { limitOrder, stopOrder } from './orders.ts';

const start = Date.UTC(2026, 10, 2, 12);
const hourMs = 3_600_000;
const samples = 5;

/** Seconds to catch up; the goals are one second each. */
export async function catchup(): Promise<Figure[]> {
  return [
    figure('24 h of BTC, 100 orders resting from the touch to 5 % below', 24, 0.0002, 1),
    figure('24 h of BTC, 100 orders resting 20 % away', 24, 0.2, 1),
    figure('30 days of BTC, 100 orders resting 45 % away', 30 * 24, 0.45, 1),
    {
      isQuoted: true,
      name: 'catch-up: 24 h of five markets, 50 triggers, 20 TWAPs, 10 positions under challenge rules',
      value: median(repeat(() => catchUpSeconds(withEverything(), 24))),
      unit: 's',
      target: { atMost: 3 },
    },
  ];
}

function figure(name: string, hours: number, distance: number, atMost: number): Figure {
  const seconds = repeat(() => catchUpSeconds(withRestingOrders(100, distance), hours));
  return { isQuoted: true, name: `catch-up: ${name}`, value: median(seconds), unit: 's', target: { atMost } };
}

function repeat(sample: () => number): number[] {
  sample();
  return Array.from({ length: samples }, sample);
}

function catchUpSeconds(exchange: Exchange, hours: number): number {
  return millisecondsOf(() => exchange.advance(start + hours * hourMs)) / 1000;
}

/** An exchange whose one account has `count` small bids spread below the mid, the first `distance` of it away. */
function withRestingOrders(count: number, distance: number): Exchange {
  const exchange = new Exchange(syntheticSource({ seed: 1 }), emptyState(1, start));
  exchange.advance(start);
  const accountId = openAccount(exchange, plans.none);
  const quote = exchange.quote('binance|BTCUSDT', {});
  if (!quote.ok) throw new Error(quote.message);
  const mid = quote.mid! / 20;
  for (let number = 0; number < count; number++) {
    const price = Math.round(mid * (1 - distance - number * 0.0005));
    const placed = exchange.execute(limitOrder(accountId, 'buy', 0.001, price));
    if (!placed.ok) throw new Error(placed.message);
  }
  exchange.takeChanges();
  return exchange;
}

/** Two challenge accounts, each with a position, five stops and two day-long TWAPs on each of five markets. */
function withEverything(): Exchange {
  const source = syntheticSource({ seed: 1 });
  const exchange = new Exchange(source, emptyState(1, start));
  exchange.advance(start);
  for (const side of ['buy', 'sell'] as const) {
    const accountId = openAccount(exchange, plans.select);
    for (const [marketId, size] of fiveMarkets) {
      const quote = exchange.quote(marketId, {});
      if (!quote.ok) throw new Error(quote.message);
      const definition = source.definitions.find((one) => one.marketId === marketId)!;
      const mid = quote.mid! / 2 / 10 ** definition.priceDecimals;
      place(exchange, { ...limitOrder(accountId, side, size, 0), marketId, mode: 'market', limitPrice: null });
      for (let number = 1; number <= 5; number++) {
        const trigger = mid * (side === 'buy' ? 1 + number * 0.03 : 1 - number * 0.03);
        place(exchange, { ...stopOrder(accountId, side, size, trigger), marketId });
      }
      for (let number = 0; number < 2; number++)
        place(exchange, dayLongTwap(accountId, marketId, side, size * 2880, mid));
    }
  }
  exchange.takeChanges();
  return exchange;
}

const fiveMarkets: readonly [marketId: string, size: number][] = [
  ['binance|BTCUSDT', 0.001],
  ['binance|ETHUSDT', 0.01],
  ['binance|SOLUSDT', 0.1],
  ['binance|XRPUSDT', 10],
  ['hyperliquid|xyz:GOLD', 0.01],
];

function openAccount(exchange: Exchange, plan: Plan): string {
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'bench',
    plan,
    startingBalance: 10_000_000,
  });
  if (!opened.ok || !opened.account) throw new Error('no account');
  return opened.account.id;
}

function place(exchange: Exchange, command: Command): void {
  const outcome = exchange.execute(command);
  if (!outcome.ok) throw new Error(outcome.message);
}

function dayLongTwap(accountId: string, marketId: string, side: Side, size: number, expectedPrice: number): PlaceTwap {
  return {
    kind: 'place_twap',
    accountId,
    marketId,
    strategy: 'twap',
    side,
    size,
    expectedPrice,
    leverage: 1,
    marginMode: 'cross',
    durationMinutes: 1440,
    sliceIntervalSeconds: 30,
    randomize: false,
    reduceOnly: false,
    triggerPrice: null,
    maxPrice: null,
    minPrice: null,
  };
}
