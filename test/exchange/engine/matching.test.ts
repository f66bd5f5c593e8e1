import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command } from '../../../src/exchange/engine/commands.ts';
import type { Lots, Order, Price } from '../../../src/exchange/engine/model.ts';
import { test, trial } from '../../tiers.ts';
import { Chance } from './chance.ts';
import { NaiveExchange } from './naive-exchange.ts';
import { randomCommand } from './random-commands.ts';
import { randomScript } from './random-script.ts';
import { Scenario, type ScenarioOptions } from './scenario.ts';
import { definition, ScriptedSource } from './scripted-source.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const runs = { numRuns: process.env.PERP_LONG ? 3000 : 10 };
/** Rules that depend only on the book. */
const unlimited: ScenarioOptions = {
  startingBalance: 1e12,
  policy: (policy) => {
    policy.slippageMaxBps = 100_000;
    policy.marketOrderMaximumBpsByProvider = {};
    Object.assign(policy.limits, {
      tradesPerMinute: 1e9,
      tradesPerHour: 1e9,
      tradesPerDay: 1e9,
      maxPositionValueUsd: 1e12,
      minOrderNotionalUsd: 0,
      maxRestingOrders: 1e9,
      maxBookStalenessMs: 1e12,
    });
  },
};

/** Trades at random, event by event, and runs a check after each step. */
function trade(seed: number, look: (step: Round) => void): void {
  const chance = new Chance(seed);
  const source = new ScriptedSource(randomScript(chance, definition().marketId, 120));
  const scenario = new Scenario(source, { ...unlimited, at: -1 });
  const accountIds = [scenario.accountId, scenario.openAccount(unlimited)];
  let played = 0;
  for (const time of new Set(source.events.map((event) => event.time))) {
    scenario.to(time);
    const events: ScriptedSource['events'] = [];
    while (played < source.events.length && source.events[played]!.time === time) events.push(source.events[played++]!);
    look({ scenario, events, command: null, order: null });
    for (let count = chance.between(0, 3); count > 0; count -= 1) {
      const orderIds = scenario.exchange.openState().orders.map(({ id }) => id);
      const command = randomCommand(chance, { now: time, accountIds, markets: [definition()], orderIds, near: 1000 });
      if (command.kind === 'place_order' && command.timeInForce === 'gtd') command.timeInForce = null;
      const outcome = scenario.execute(command);
      look({ scenario, events: [], command, order: outcome.order ?? null });
    }
  }
}

interface Round {
  scenario: Scenario;
  events: ScriptedSource['events'];
  command: Command | null;
  order: Order | null;
}

trial('the fast engine and the naive one agree on every fill, queue and consumed level', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const naive = new NaiveExchange();
      const numbers = new Map<string, number>();
      trade(seed, ({ scenario, events, command, order }) => {
        for (const event of events) naive.event(event);
        if (command !== null) {
          if (command.kind === 'place_order') numbers.set(order!.id, numbers.size + 1);
          naive.command('orderId' in command ? { ...command, orderId: String(numbers.get(command.orderId)) } : command);
        }
        assert.deepEqual(summaryOf(scenario, numbers), naive.summary());
      });
    }),
    runs,
  );
});

/** The engine's state in the form of the naive exchange. */
function summaryOf(scenario: Scenario, numbers: ReadonlyMap<string, number>): string[] {
  const { orders, positions, consumption } = scenario.exchange.openState();
  const resting = orders.map(
    (order) =>
      `${numbers.get(order.id)}: ${order.side} ${order.size} at ${order.limitPrice}, ${order.queueAhead} ahead`,
  );
  const held = positions.map(
    ({ accountId, direction, size }) => `${accountId} holds ${direction === 'long' ? size : -size}`,
  );
  const taken = consumption.map(
    ({ accountId, bookSide, price, consumed }) => `${accountId} ${bookSide} ${price} took ${consumed}`,
  );
  const fills = scenario.fills().map((fill) => {
    const number = numbers.get(fill.partialOfOrderId ?? fill.id);
    return `${number} ${fill.side} ${fill.size} within ${fill.limitPrice ?? (fill.side === 'buy' ? Infinity : 0)}`;
  });
  return [...resting.sort(), ...held.sort(), ...taken.sort(), ...fills];
}

trial('an account never fills more than was displayed, added and printed', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const shown = { bids: new Map<Price, Lots>(), asks: new Map<Price, Lots>() };
      const offered = { buy: 0, sell: 0 };
      trade(seed, ({ scenario, events }) => {
        for (const event of events) {
          if (event.kind === 'print') {
            offered[event.side === 'buy' ? 'sell' : 'buy'] += event.size;
            continue;
          }
          if (!('bids' in event)) continue;
          for (const side of ['bids', 'asks'] as const) {
            const before = new Map(shown[side]);
            if (event.kind === 'book') shown[side].clear();
            for (let at = 0; at < event[side].length; at += 2) shown[side].set(event[side][at]!, event[side][at + 1]!);
            for (const [price, size] of shown[side]) {
              offered[side === 'asks' ? 'buy' : 'sell'] += Math.max(0, size - (before.get(price) ?? 0));
            }
          }
        }
        for (const side of ['buy', 'sell'] as const) {
          const filled = scenario
            .fills()
            .filter((fill) => fill.side === side && fill.accountId === scenario.accountId)
            .reduce((sum, fill) => sum + fill.size, 0);
          assert.ok(filled <= offered[side], `${filled} lots ${side} of ${offered[side]} offered`);
        }
      });
    }),
    runs,
  );
});

trial('a reduction never adds to a position or flips it', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const signed = new Map<string, number>();
      let seen = 0;
      trade(seed, ({ scenario }) => {
        const fills = scenario.fills();
        for (const fill of fills.slice(seen)) {
          const before = signed.get(fill.accountId) ?? 0;
          const after = before + (fill.side === 'buy' ? fill.size : -fill.size);
          if (fill.reduceOnly) {
            assert.ok(Math.abs(after) < Math.abs(before) && (after === 0 || Math.sign(after) === Math.sign(before)));
          }
          signed.set(fill.accountId, after);
        }
        seen = fills.length;
      });
    }),
    runs,
  );
});

test('money is conserved to the last unit, and records add up', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      let last: Scenario | null = null;
      trade(seed, ({ scenario }) => {
        const { accounts } = scenario.exchange.openState();
        for (const { id, balance } of accounts) assert.equal(balance, scenario.balance(id));
        last = scenario;
      });
      assertRecordsAddUp(last!);
    }),
    { numRuns: runs.numRuns / 2 },
  );
});

function assertRecordsAddUp(scenario: Scenario): void {
  const sum = (amounts: (bigint | null)[]): bigint => amounts.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
  const fills = scenario.fills();
  const positions = [...scenario.positions.values()];
  assert.equal(sum(fills.map(({ realizedPnl }) => realizedPnl)), sum(positions.map(({ realizedPnl }) => realizedPnl)));
  assert.equal(sum(fills.map(({ fee }) => fee)), sum(positions.map(({ fees }) => fees)));
  const deposits = scenario.ledger.filter(({ kind }) => kind === 'deposit').map(({ amount }) => amount);
  const gains = sum(positions.map(({ realizedPnl }) => realizedPnl)) - sum(positions.map(({ fees }) => fees));
  assert.equal(sum(scenario.exchange.openState().accounts.map(({ balance }) => balance)), sum(deposits) + gains);
  for (const order of scenario.orders.values()) {
    if (order.partialOfOrderId !== null) continue;
    const filled = scenario.fillsOf(order).reduce((all, one) => all + one, 0);
    assert.equal(order.filledSize, filled, `${order.id} equals the sum of its executions`);
    if (order.status === 'filled') assert.equal(filled, order.initialSize);
    else if (order.status !== 'rejected') assert.equal(order.size + filled, order.initialSize);
  }
}
