import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { tradingDayStart } from '../../../src/base/terms/day.ts';
import { type AnyRuleKind, alertAndLock, count, dayKey, defineRule } from '../../../src/desk/guard/rule.ts';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import { conditionOf, consequenceOf, needsOf, type RuleKind, ruleKinds } from '../../../src/desk/guard/rules.ts';
import type { GuardView } from '../../../src/desk/guard/view.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import { account, at, btc, closed, judged, position, view } from './views.ts';

const root = resolve(import.meta.dirname, '../../..');

test('docs/guard.md says of each kind of rule how often it fires', () => {
  const text = readFileSync(resolve(root, 'docs/guard.md'), 'utf8');
  const item = text.split(/^- /m).find((each) => /again once it has been false for a minute/.test(each)) ?? '';
  const said = [...item.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  assert.deepEqual(said.sort(), Object.keys(ruleKinds).sort());
});

test('the example of each kind is a rule of that kind, with a condition and a consequence', () => {
  for (const [name, { template }] of Object.entries<AnyRuleKind>(ruleKinds)) {
    const [rule, ...others] = parseRules(template.replaceAll(/^# /gm, ''), 'guard.toml').rules;
    assert.equal(rule?.kind, name);
    assert.deepEqual(others, []);
    assert.ok(conditionOf(rule).length > 5 && consequenceOf(rule).length > 4, name);
  }
});

/** For each kind, what is seen one after the other until its example fires. A new kind says here when it does. */
const untilItFires: Readonly<Record<RuleKind, readonly Partial<GuardView>[]>> = {
  'daily-stop': [{}, { account: account({}, { equity: 98_000 }) }],
  'max-trades': [{ positions: numbered(9, position) }, { positions: numbered(10, position) }],
  'max-losses': [2, 3].map((count) => ({ closed: numbered(count, ({ id }) => closed(id, -1)) })),
  'no-trade': [{}, { time: at('2026-06-12T20:30:00Z') }],
  'flatten-before': [{}, { time: at('2026-06-10T20:55:00Z') }],
  breach: [2_000, 4_000].map((size) => ({ positions: [position({ size })] })),
  trail: [100, 98.4].map((mark) => ({ positions: [position()], marks: new Map([[btc, mark]]) })),
  plans: [120, 110].map((mark) => ({
    positions: [position({ size: 3 })],
    marks: new Map([[btc, mark]]),
    plans: [
      {
        ...{ position_id: 'pos_1', symbol: 'BTC', text: '', size: 9, targets: [3, 3], breakEven: true },
        trail: { unit: 'percent', amount: 1 },
      },
    ],
  })),
  price: [99_999, 100_000].map((mark) => ({ marks: new Map([[btc, mark]]) })),
  fills: [{}, { fills: [{ id: 'ord_7', side: 'buy', symbol: 'BTC', size: 1, fill_price: 100 } as Order] }],
  heartbeat: [59_999, 60_000].map((ms) => ({ silences: new Map([['/run/user/1000/bot.alive', ms]]) })),
};

test('the example of each kind fires when it should and not before, says why, and those of a day once a day', () => {
  for (const [name, views] of Object.entries(untilItFires)) {
    const kind: AnyRuleKind = ruleKinds[name as RuleKind];
    const text = kind.template.replaceAll(/^# /gm, '');
    const seen = views.map((one) => view(one));
    const { says, state } = judged(text, ...seen, seen.at(-1)!);
    assert.deepEqual(
      says.map(({ length }) => length),
      [...seen.map((_, nth) => (nth === seen.length - 1 ? 1 : 0)), 0],
      name,
    );
    const [rule] = parseRules(text, 'guard.toml').rules;
    for (const sentence of [...says.flat(), conditionOf(rule!), consequenceOf(rule!)])
      assert.doesNotMatch(sentence, /undefined|NaN|null|object/, name);
    const day = tradingDayStart(seen.at(-1)!.time);
    assert.equal(state.tasks[0]!.key === dayKey(rule!, day), kind.isDaily, `${name}: isDaily`);
  }
});

test('what was never read is not none: a rule that needs it waits, and the first fills that are read are not new', () => {
  const unread = (more: Partial<GuardView>, part: 'positions' | 'closed' | 'fills') =>
    view({ ...more, counts: { ...view().counts, [part]: false } });
  for (const [name, kind] of Object.entries<AnyRuleKind>(ruleKinds)) {
    const rules = kind.template.replaceAll(/^# /gm, '');
    const fired = untilItFires[name as RuleKind].at(-1)!;
    for (const part of ['positions', 'closed', 'fills'] as const)
      if ((kind.needs as readonly string[]).includes(part))
        assert.deepEqual(judged(rules, unread(fired, part)).says, [[]], `${name} without ${part}`);
  }
  const read = view(untilItFires.fills.at(-1));
  const { says, state } = judged('[fills]\n', unread({}, 'fills'), read, unread({}, 'fills'), read);
  assert.deepEqual([says.flat(), state.fills], [[], ['ord_7']]);
});

function numbered<One>(count: number, make: (more: { id: string }) => One): One[] {
  return Array.from({ length: count }, (_, nth) => make({ id: `pos_${nth}` }));
}

test('the guard reads what some rule needs, and nothing else', () => {
  const needs = (text: string) => [...needsOf(parseRules(text, 'guard.toml'))].sort();
  assert.deepEqual(needs('[flatten-before]\ntimes = "16:55"\n'), []);
  assert.deepEqual(needs('[max-losses]\nlosses = 3\n[max-trades]\ntrades = 3\n'), ['closed', 'positions']);
  assert.deepEqual(needs('[trail]\nby = "1%"\n[daily-stop]\nloss = "1%"\n'), ['equity', 'marks', 'stops']);
});

test('a rule that reads what it does not need does not compile', () => {
  const parts = {
    fields: { most: count },
    steps: null,
    isDaily: false,
    condition: () => '',
    consequence: alertAndLock,
    template: '',
    docs: '',
  };
  const said = [];
  // @ts-expect-error: without the need, the guard would not read closed positions, and the rule would never fire.
  said.push(defineRule({ ...parts, needs: [], judge: (_, { closed }) => closed }));
  said.push(
    defineRule({ ...parts, needs: ['closed'], judge: (rule, { closed }) => (closed.length > rule.most ? [] : []) }),
  );
  // @ts-expect-error: it would follow nothing, because nobody says which positions.
  said.push(defineRule({ ...parts, needs: ['marks', 'stops'], judge: () => [] }));
  // @ts-expect-error: stops follow marks, which the guard would not read.
  said.push(defineRule({ ...parts, needs: ['stops'], judge: () => [], follow: () => [] }));
  // @ts-expect-error: it would move stops that the guard does not read.
  said.push(defineRule({ ...parts, needs: [], judge: () => [], follow: () => [] }));
  // @ts-expect-error: a field that the rule does not have.
  said.push(defineRule({ ...parts, needs: [], judge: ({ least }) => least }));
  assert.deepEqual(
    said.map(({ needs }) => needs.length),
    [0, 1, 2, 1, 0, 0],
  );
});
