/**
 * Time that passed while nobody looked: 24 hours of one synthetic market with 100 resting orders in the visible book,
 * and 30 days with nothing that the market touches.
 */

import { plans } from '../src/engine/defaults.ts';
import { Exchange, emptyState } from '../src/engine/exchange.ts';
import { syntheticSource } from '../src/markets/synthetic.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';
import { limitOrder } from './orders.ts';

const start = Date.UTC(2026, 10, 2, 12);
const hourMs = 3_600_000;
const samples = 5;

/** Seconds of catching up; the budgets are one second each. */
export async function catchup(): Promise<Figure[]> {
  return [
    figure('24 h of BTC, 100 orders resting from the touch to 5 % below', 24, 0.0002, 1),
    figure('24 h of BTC, 100 orders resting 20 % away', 24, 0.2, 1),
    figure('30 days of BTC, 100 orders resting 45 % away', 30 * 24, 0.45, 1),
  ];
}

function figure(name: string, hours: number, distance: number, atMost: number): Figure {
  const times: number[] = [];
  for (let sample = -1; sample < samples; sample++) {
    const exchange = withRestingOrders(100, distance);
    const ms = millisecondsOf(() => exchange.advance(start + hours * hourMs));
    if (sample >= 0) times.push(ms);
  }
  return { name: `catch-up: ${name}`, value: median(times) / 1000, unit: 's', target: { atMost } };
}

/** An exchange whose one account has `count` small bids spread below the mid, the first `distance` of it away. */
function withRestingOrders(count: number, distance: number): Exchange {
  const exchange = new Exchange(syntheticSource({ seed: 1 }), emptyState(1, start));
  exchange.advance(start);
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'bench',
    plan: plans.none,
    startingBalance: 10_000_000,
  });
  if (!opened.ok || !opened.account) throw new Error('no account');
  const quote = exchange.quote('binance|BTCUSDT', {});
  if (!quote.ok) throw new Error(quote.message);
  const mid = quote.mid! / 20;
  for (let number = 0; number < count; number++) {
    const price = Math.round(mid * (1 - distance - number * 0.0005));
    const placed = exchange.execute(limitOrder(opened.account.id, 'buy', 0.001, price));
    if (!placed.ok) throw new Error(placed.message);
  }
  exchange.takeChanges();
  return exchange;
}
