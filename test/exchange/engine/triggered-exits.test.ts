import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command, OpenState, PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import type { Order, Position } from '../../../src/exchange/engine/model.ts';
import { test, trial } from '../../tiers.ts';
import { Chance } from './chance.ts';
import { asSeen } from './random-practice.ts';
import { Scenario } from './scenario.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

/** A book of one level a side. */
const thin = (time: number, mid: number, depth: number) => ({
  time,
  bids: [[mid - 1, depth]] as Level[],
  asks: [[mid + 1, depth]] as Level[],
});

const triggered: ScriptedEvent[] = [
  thin(0, 1_000, 100),
  thin(1, 1_020, 3),
  thin(2, 1_021, 2),
  thin(3, 1_019, 100),
  thin(4, 1_018, 100),
];
const takeProfit: Partial<PlaceOrder> = { mode: 'take_profit', triggerPrice: 1_020 };

test('a take-profit beside another one is not canceled by its own partial fill', () => {
  const scenario = new Scenario(triggered).to(0);
  scenario.place('buy', 10, { takeProfitPrice: 1_050 });
  const own = scenario.place('sell', 10, takeProfit);
  scenario.to(1);
  assert.deepEqual(
    [scenario.fillsOf(own), scenario.record(own).status, scenario.position()!.size],
    [[3], 'pending', 7],
  );
  scenario.to(4);
  assert.deepEqual([scenario.fillsOf(own), scenario.position()], [[3, 2, 5], undefined]);
});

test('a take-profit larger than its position keeps its size at its own fill, and closes what is added meanwhile', () => {
  const scenario = new Scenario(triggered).to(0);
  scenario.place('buy', 10);
  const own = scenario.place('sell', 20, takeProfit);
  scenario.to(1);
  assert.equal(scenario.record(own).size, 17);
  scenario.place('buy', 3);
  scenario.to(4);
  assert.deepEqual([scenario.fillsOf(own), scenario.position()], [[3, 2, 8], undefined]);
});

test('when something else reduces the position, exits that still wait are cut before one that has triggered', () => {
  const scenario = new Scenario(triggered).to(0);
  scenario.place('buy', 10);
  const waiting = scenario.place('sell', 6, { ...takeProfit, triggerPrice: 1_060 });
  const own = scenario.place('sell', 4, takeProfit);
  scenario.to(1);
  scenario.place('sell', 3, { reduceOnly: true, limitPrice: 1_017, marketableLimitAcknowledged: true });
  scenario.to(3);
  assert.deepEqual(scenario.fillsOf(own), [3, 1]);
  assert.equal(scenario.record(own).status, 'filled');
  const { status, size } = scenario.record(waiting);
  assert.deepEqual([status, size], ['resting', scenario.position()!.size]);
});

/** Books of one to three thin levels, whose mid wanders fast enough to trigger exits. */
function thinBooks(chance: Chance, count: number): ScriptedEvent[] {
  let mid = 1_000;
  return Array.from({ length: count }, (_, time) => {
    mid += chance.between(-6, 6);
    const side = (sign: 1 | -1): Level[] =>
      Array.from({ length: chance.between(1, 3) }, (_, at) => [mid + sign * (at + 1), chance.between(1, 5)] as const);
    return { time: time * 100, bids: side(-1), asks: side(1) };
  });
}

/** Everything that an account may do to a position and its exits, on thin books, at any moment. */
function command(chance: Chance, scenario: Scenario, open: OpenState, mid: number): Command {
  const [position] = open.positions;
  const side = chance.pick(['buy', 'sell'] as const);
  const enter = { marketableLimitAcknowledged: true, limitPrice: mid + chance.between(-2, 2) };
  const sign = side === 'buy' ? 1 : -1;
  const legs = {
    takeProfitPrice: chance.pick([null, enter.limitPrice + sign * chance.between(2, 9)]),
    stopLossPrice: chance.pick([null, enter.limitPrice - sign * chance.between(2, 9)]),
    replaceOverlappingExits: chance.chance(0.1),
  };
  if (position === undefined || chance.chance(0.2)) {
    return scenario.order(side, chance.between(3, 20), { ...enter, ...legs });
  }
  const exit = position.direction === 'long' ? 'sell' : 'buy';
  const add = exit === 'sell' ? 'buy' : 'sell';
  const up = exit === 'sell' ? 1 : -1;
  return chance.pick([
    () => scenario.order(add, chance.between(1, 6), enter),
    () => scenario.order(exit, chance.between(1, 4), { ...enter, reduceOnly: true }),
    () =>
      scenario.order(exit, chance.between(1, 2 * position.size), {
        mode: 'take_profit',
        triggerPrice: mid + up * chance.between(1, 8),
      }),
    () => batch(chance, open, position, mid - up * chance.between(1, 8)),
  ])();
}

function batch(chance: Chance, { orders }: OpenState, position: Position, price: number): Command {
  const working = orders.filter((one) => one.exitGroup !== null && one.targetPositionId === position.id);
  const size = chance.between(1, position.size);
  const executionType = chance.pick(['market', 'limit'] as const);
  const place = { kind: 'place', executionType, price, size, ocoPairWithOperationIndex: null } as const;
  const seen = { expectedPositionSize: position.size, expectedOrders: asSeen(working) };
  return { kind: 'replace_exits', positionId: position.id, ...seen, operations: [{ ...place, group: 'sl' }] };
}

/** A triggered exit that works, and what its sibling has filled. */
interface Watched {
  readonly order: Order;
  readonly siblingFilled: number;
}

/**
 * Fails if a triggered exit loses size, or ends, by anything but a fill, its sibling's fill, or the end of its
 * position.
 */
class Law {
  private readonly watched = new Map<string, Watched>();
  seen = 0;

  check(scenario: Scenario): void {
    for (const [id, { order: was, siblingFilled }] of this.watched) {
      const order = scenario.orders.get(id)!;
      const sibling = filledBySibling(scenario, was) - siblingFilled;
      if (order.settledAt === null) {
        const size = was.size - (order.filledSize - was.filledSize) - sibling;
        assert.ok(order.size >= size, `${id} was cut from ${was.size} to ${order.size}`);
      } else if (order.status !== 'filled' && sibling === 0 && !/^replaced by/.test(order.rejectReason ?? '')) {
        const position = scenario.positions.get(order.targetPositionId!)!;
        assert.equal(position.status, 'closed', `${id} ended (${order.rejectReason}) with ${position.size} open`);
      }
      this.seen += 1;
    }
    this.watched.clear();
    for (const order of scenario.exchange.openState().orders) {
      if (order.exitGroup === null || order.triggeredAt === null) continue;
      this.watched.set(order.id, { order, siblingFilled: filledBySibling(scenario, order) });
    }
  }
}

function filledBySibling(scenario: Scenario, { ocoSiblingOrderId: id }: Order): number {
  return id === null ? 0 : scenario.orders.get(id)!.filledSize;
}

trial('on thin books, a triggered exit ends filled, or with its position', () => {
  let seen = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const chance = new Chance(seed);
      const script = thinBooks(chance, 100);
      const scenario = new Scenario(script, {
        policy: (policy) => void Object.assign(policy, { slippageMaxBps: 1_000 }),
      });
      const law = new Law();
      for (const event of script) {
        scenario.to(event.time);
        law.check(scenario);
        const quote = scenario.exchange.quote(scenario.source.definitions[0]!.marketId);
        if (!quote.ok || quote.mid === null) continue;
        scenario.execute(command(chance, scenario, scenario.exchange.openState(), Math.round(quote.mid / 2)));
        law.check(scenario);
      }
      seen += law.seen;
    }),
    { numRuns: process.env.PERP_LONG ? 5_000 : 6, endOnFailure: true },
  );
  assert.ok(seen > 100, `${seen} states of triggered exits`);
});
