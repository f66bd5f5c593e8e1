/**
 * The engine alone, without store or service: book updates of 20 changed levels against resting orders, armed triggers
 * that are never touched, and a walk of a deep book.
 */

import { defaultPolicy, plans } from '../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../src/exchange/engine/exchange.ts';
import { BusyBook } from './busy-book.ts';
import { type Figure, median, millisecondsOf } from './measure.ts';
import { limitOrder, stopOrder } from './orders.ts';

const samples = 5;
const updates = 200_000;

/** Events per second, microseconds per update, microseconds per walk. */
export async function engine(): Promise<Figure[]> {
  const resting = median(repeat(() => updateSeconds({ orders: 1_000, triggers: 0 })));
  const indexed = median(repeat(() => updateSeconds({ orders: 10_000, triggers: 10_000 })));
  const walk = median(repeat(walkMicroseconds));
  return [
    {
      isQuoted: true,
      name: 'book updates of 20 levels, 1,000 resting orders',
      value: updates / resting,
      unit: 'events/s',
      target: { atLeast: 300_000 },
    },
    {
      isQuoted: true,
      name: 'a book update among 10,000 triggers and 10,000 orders it misses',
      value: (indexed / updates) * 1e6,
      unit: 'us',
      target: { atMost: 5 },
    },
    { isQuoted: true, name: 'quote that walks a 1,000-level book', value: walk, unit: 'us', target: { atMost: 10 } },
  ];
}

function repeat(sample: () => number): number[] {
  sample();
  return Array.from({ length: samples }, sample);
}

/** Seconds to play the updates, with bids resting below the changing levels and stops armed below those. */
function updateSeconds({ orders, triggers }: { orders: number; triggers: number }): number {
  const book = new BusyBook(updates, 40);
  const exchange = new Exchange(book, emptyState(1, book.start));
  exchange.advance(book.start);
  const accounts = Array.from({ length: Math.max(1, orders / 1_000) }, () => openAccount(exchange));
  for (let number = 0; number < orders; number++) {
    place(exchange, limitOrder(accounts[number % accounts.length]!, 'buy', 0.001, 90_000 - number * 0.1));
  }
  for (let number = 0; number < triggers; number++) {
    place(exchange, stopOrder(accounts[number % accounts.length]!, 'sell', 0.001, 85_000 - number * 0.1));
  }
  exchange.takeChanges();
  return millisecondsOf(() => exchange.advance(book.end)) / 1000;
}

function walkMicroseconds(): number {
  const walks = 2_000;
  const book = new BusyBook(1, 1_000);
  const exchange = new Exchange(book, emptyState(1, book.start));
  exchange.advance(book.end);
  const size = book.depth * 0.999;
  const ms = millisecondsOf(() => {
    for (let number = 0; number < walks; number++)
      exchange.quote('binance|BTCUSDT', { side: 'buy', size: Number(size.toFixed(3)) });
  });
  return (ms / walks) * 1000;
}

function openAccount(exchange: Exchange): string {
  const opened = exchange.execute({
    kind: 'open_account',
    owner: 'local',
    environment: 'live',
    name: 'bench',
    plan: plans.none,
    startingBalance: 100_000_000,
  });
  if (!opened.ok || !opened.account) throw new Error('no account');
  const policy = defaultPolicy();
  Object.assign(policy.limits, {
    maxRestingOrders: 1e6,
    tradesPerMinute: 1e9,
    tradesPerHour: 1e9,
    tradesPerDay: 1e9,
    maxPositionValueUsd: 1e9,
  });
  exchange.execute({ kind: 'set_policy', accountId: opened.account.id, policy });
  return opened.account.id;
}

function place(exchange: Exchange, command: Parameters<Exchange['execute']>[0]): void {
  const outcome = exchange.execute(command);
  if (!outcome.ok) throw new Error(outcome.message);
}
