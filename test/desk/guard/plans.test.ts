import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  aimOf,
  dropUnseen,
  type KeptPlan,
  keepPlan,
  keepUnseen,
  readPlans,
  seenPlans,
} from '../../../src/desk/guard/plans.ts';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import { followedBy } from '../../../src/desk/guard/rules.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import { btc, judged, position, view } from './views.ts';

const plan: KeptPlan = {
  position_id: 'pos_1',
  symbol: 'BTC',
  text: '1/3@1R 1/3@2R be rest trail 1%',
  size: 9,
  targets: [3, 3],
  breakEven: true,
  trail: { unit: 'percent', amount: 1 },
};
const exit = (more: Partial<Order>) =>
  ({ ...{ id: 'ord', target_position_id: 'pos_1', side: 'sell', symbol: 'BTC', market_id: btc }, ...more }) as Order;
const target = (id: string) =>
  exit({ id, mode: 'take_profit', type: 'take_profit' as never, size: 3, trigger_price: 120 });
const stop = (size: number) =>
  exit({ id: 'stop', mode: 'stop_market', type: 'stop_market' as never, size, trigger_price: 90 });
const both = [target('t1'), target('t2')];

test('nothing moves before a target has filled: neither its order nor the size alone says so', () => {
  assert.equal(aimOf(plan, position({ size: 9 }), both), undefined);
  // Canceled by hand, the position is still whole.
  assert.equal(aimOf(plan, position({ size: 9 }), [target('t2')]), undefined);
  // A part was closed by hand, both targets still work.
  assert.equal(aimOf(plan, position({ size: 6 }), both), undefined);
});

test('after the first target, the stop goes to the entry; after the last one, it trails', () => {
  assert.deepEqual(aimOf(plan, position({ size: 6 }), [target('t2')]), { breakEven: true, trail: undefined });
  assert.deepEqual(aimOf(plan, position({ size: 3 }), []), { breakEven: true, trail: plan.trail });
  const only = { ...plan, breakEven: false, targets: [] };
  assert.deepEqual(aimOf(only, position({ size: 9 }), []), { breakEven: false, trail: plan.trail });
});

test('a position that has grown since the plan was made is left alone', () => {
  assert.equal(aimOf(plan, position({ size: 10 }), [target('t2')]), undefined);
});

test('a plan whose outcome was unknown counts from when its targets were seen, and an earlier one until then', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-plans-'));
  const file = join(folder, 'plans');
  try {
    const earlier = { ...plan, text: 'rest trail 2%', targets: [] };
    keepPlan(file, 'pos_1', earlier);
    keepUnseen(file, { ...plan, unseen: [120, 130] });
    const [first, second] = [target('t1'), { ...target('t2'), trigger_price: 130 }];
    for (const working of [[], [first], [second], [first, target('t3')], [first, { ...second, size: 4 }]]) {
      assert.deepEqual(seenPlans(file, working), [earlier]);
    }
    assert.deepEqual(seenPlans(file, [second, first]), [plan]);
    assert.deepEqual(readPlans(file), [plan]);
    keepUnseen(file, { ...earlier, unseen: [1] });
    dropUnseen(file, 'pos_1');
    assert.deepEqual(readPlans(file), [plan]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const rules = parseRules('[plans]\n', 'rules');
const seen = (size: number, mark: number, working: Order[]) =>
  view({ positions: [position({ size })], working, marks: new Map([[btc, mark]]), plans: [plan] });

test('the stop moves to the entry, and then behind the best mark, only closer', () => {
  const [first] = followedBy(rules, seen(6, 110, [target('t2'), stop(6)]), {});
  assert.equal(first!.wanted, 100);
  assert.deepEqual(first!.move!.operations, [{ kind: 'modify', order_id: 'stop', price: 100 }]);
  const [last] = followedBy(rules, seen(3, 120, [stop(3)]), { pos_1: 150 });
  assert.equal(last!.wanted, 148.5);
  assert.equal(last!.isCrossed, true);
  const [later] = followedBy(rules, seen(3, 120, [stop(3)]), {});
  assert.deepEqual(later!.move!.operations, [{ kind: 'modify', order_id: 'stop', price: 118.8 }]);
  // The entry is closer than the trail.
  assert.equal(followedBy(rules, seen(3, 100.5, [stop(3)]), {})[0]!.wanted, 100);
});

test('a mark beyond the stop that could not be placed in time closes the position, once', () => {
  const below = seen(6, 99, [target('t2'), stop(6)]);
  assert.deepEqual(judged('[plans]\n', below, below).says, [['BTC is at 99, beyond the stop of its plan at 100'], []]);
  assert.deepEqual(judged('[plans]\n', seen(6, 101, [target('t2'), stop(6)])).says, [[]], 'not reached');
  assert.deepEqual(judged('[plans]\n', seen(9, 99, [...both, stop(9)])).says, [[]], 'no target has filled');
});

test('without the rule nothing is done, and a plan takes precedence over a trail', () => {
  const now = seen(6, 110, [target('t2'), stop(6)]);
  assert.deepEqual(followedBy(parseRules('[max-trades]\ntrades = 3\n', 'rules'), now, {}), []);
  const trails = parseRules('[trail]\nby = "2%"\n[plans]\n', 'rules');
  assert.deepEqual(
    followedBy(trails, now, {}).map(({ wanted }) => wanted),
    [100],
  );
  // Before its first target, its position is trailed like any other.
  assert.deepEqual(
    followedBy(trails, seen(9, 110, [...both, stop(9)]), {}).map(({ wanted }) => wanted),
    [107.8],
  );
});

test('a plan is on disk, one for a position; a damaged file has none', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-plans-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'acc.plans');
  assert.deepEqual(readPlans(file), []);
  keepPlan(file, 'pos_1', plan);
  keepPlan(file, 'pos_2', { ...plan, position_id: 'pos_2' });
  keepPlan(file, 'pos_1', { ...plan, text: 'other' });
  assert.deepEqual(
    readPlans(file).map(({ position_id, text }) => [position_id, text]),
    [
      ['pos_2', plan.text],
      ['pos_1', 'other'],
    ],
  );
  keepPlan(file, 'pos_2', null);
  assert.equal(readPlans(file).length, 1);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      writeFileSync(file, text);
      assert.ok(Array.isArray(readPlans(file)));
    }),
  );
});
