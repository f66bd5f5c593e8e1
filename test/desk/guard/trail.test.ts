import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import { followedBy } from '../../../src/desk/guard/rules.ts';
import { btc, judged, position, stop, view } from './views.ts';

const rules = parseRules('[trail]\nby = "10%"\n', 'guard.toml');
const markedAt = (mark: number) => ({ marks: new Map([[btc, mark]]) });

test('a position without a stop gets one at a distance from the best mark', () => {
  const [long] = followedBy(rules, view({ positions: [position()], ...markedAt(105) }), { pos_1: 110 });
  assert.equal(long!.best, 110);
  assert.deepEqual(long!.move!.operations, [
    { kind: 'place', group: 'sl', execution_type: 'market', price: 99, size: 1 },
  ]);
  const short = position({ side: 'short' });
  const [other] = followedBy(rules, view({ positions: [short], ...markedAt(95) }), { pos_1: 90 });
  assert.equal(other!.wanted, 99);
});

test('a stop only moves closer, and by at least a tenth of the distance', () => {
  const at = (price: number, mark: number) =>
    followedBy(rules, view({ positions: [position()], working: [stop(price)], ...markedAt(mark) }), {})[0]!.move;
  assert.equal(at(90, 100), undefined);
  assert.equal(at(95, 100), undefined);
  assert.equal(at(89.5, 100), undefined);
  assert.deepEqual(at(88, 100)!.operations, [{ kind: 'modify', order_id: 'ord_1', price: 90 }]);
  assert.deepEqual(at(88, 100)!.expected_orders, [{ order_id: 'ord_1', execution_type: 'market', price: 88, size: 1 }]);
});

test('the part of a position without a stop gets one, in addition to existing stops', () => {
  const seen = view({ positions: [position({ size: 3 })], working: [stop(95)] });
  assert.deepEqual(followedBy(rules, seen, {})[0]!.move!.operations, [
    { kind: 'place', group: 'sl', execution_type: 'market', price: 90, size: 2 },
  ]);
});

test('a take-profit is not a stop: it is neither moved nor counted', () => {
  const target = stop(120, { id: 'ord_2', mode: 'take_profit', type: 'take_profit' });
  const [one] = followedBy(rules, view({ positions: [position()], working: [target] }), {});
  const kept = { order_id: 'ord_2', execution_type: 'market', price: 120, size: 1 };
  assert.deepEqual(one!.move!.expected_orders, [kept]);
  assert.deepEqual(one!.move!.operations, [
    { kind: 'place', group: 'sl', execution_type: 'market', price: 90, size: 1 },
  ]);
});

test('a stop between two steps is rounded toward the price; without a known step it is not rounded', () => {
  const wanted = (side: 'long' | 'short', mark: number, ticks = new Map([[btc, 0.1]])) =>
    followedBy(rules, view({ positions: [position({ side })], ticks, ...markedAt(mark) }), {})[0]!.wanted;
  assert.deepEqual([wanted('long', 100.05), wanted('long', 100.4)], [90.1, 90.4]);
  assert.deepEqual([wanted('short', 100.05), wanted('short', 100)], [110, 110]);
  assert.equal(wanted('long', 100.05, new Map()), 90.045);
});

test('a rule for a market takes precedence over one for all', () => {
  const both = parseRules('[[trail]]\nby = "10%"\n[[trail]]\nmarket = "BTC"\nby = 5\n', 'guard.toml');
  assert.equal(followedBy(both, view({ positions: [position()] }), {})[0]!.wanted, 95);
});

test('a mark beyond the trailing stop closes the position, once', () => {
  const seen = (mark: number) => view({ positions: [position()], ...markedAt(mark) });
  const { says, state } = judged('[trail]\nby = "10%"\n', seen(100), seen(110), seen(99), seen(98));
  assert.deepEqual(says, [[], [], ['BTC is at 99, beyond its trailing stop at 99'], []]);
  assert.deepEqual(state.tasks[0]!.steps, [{ nth: 0, kind: 'close', positions: ['pos_1'] }]);
});

test('whatever the marks do, the stop is on the grid and never moves away', () => {
  const side = fc.constantFrom<'long' | 'short'>('long', 'short');
  const marks = fc.array(
    fc.integer({ min: 500, max: 2_000 }).map((units) => units / 10),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(side, marks, (held, path) => {
      const best: Record<string, number> = {};
      let before: number | undefined;
      for (const mark of path) {
        const [one] = followedBy(rules, view({ positions: [position({ side: held })], ...markedAt(mark) }), best);
        best.pos_1 = one!.best;
        if (before !== undefined) assert.ok(held === 'long' ? one!.wanted >= before : one!.wanted <= before);
        assert.ok(Math.abs(one!.wanted * 10 - Math.round(one!.wanted * 10)) < 1e-6);
        before = one!.wanted;
      }
    }),
    { numRuns: 50 },
  );
});
