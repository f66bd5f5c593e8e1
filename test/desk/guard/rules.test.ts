import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { count } from '../../../src/desk/guard/fields.ts';
import { type AnyRuleKind, alertAndLock, defineRule } from '../../../src/desk/guard/rule.ts';
import { parseRules } from '../../../src/desk/guard/rule-file.ts';
import { conditionOf, consequenceOf, needsOf, ruleKinds } from '../../../src/desk/guard/rules.ts';
import { readMarkdown } from '../../docs/markdown.ts';

const root = resolve(import.meta.dirname, '../../..');

test('docs/guard.md has a row for each kind of rule, as its table says it', () => {
  const { tables } = readMarkdown(readFileSync(resolve(root, 'docs/guard.md'), 'utf8'));
  const written = tables.filter(({ columns }) => columns[0] === 'rule' && columns[1] === 'fires when');
  const expected = Object.entries<AnyRuleKind>(ruleKinds).map(([name, { fields, docs, steps }]) => {
    const parts = Object.entries(fields).sort(
      ([, one], [, other]) => Number(one.optional ?? 0) - Number(other.optional ?? 0),
    );
    const named = parts.map(([field]) => `\`${field}\``).join(', ');
    return [`\`[${name}]\` ${named}`.trim(), docs, (steps ?? []).join(', ')];
  });
  assert.deepEqual(
    written.flatMap(({ rows }) => rows),
    expected,
  );
});

test('the example of each kind is a rule of that kind, with a condition and a consequence', () => {
  for (const [name, { template }] of Object.entries<AnyRuleKind>(ruleKinds)) {
    const [rule, ...others] = parseRules(template.replaceAll(/^# /gm, ''), 'guard.toml').rules;
    assert.equal(rule?.kind, name);
    assert.deepEqual(others, []);
    assert.ok(conditionOf(rule).length > 5 && consequenceOf(rule).length > 4, name);
  }
});

test('the guard reads what some rule needs, and nothing else', () => {
  const needs = (text: string) => [...needsOf(parseRules(text, 'guard.toml'))].sort();
  assert.deepEqual(needs('[flatten-before]\ntimes = "16:55"\n'), []);
  assert.deepEqual(needs('[max-losses]\nlosses = 3\n[max-trades]\ntrades = 3\n'), ['closed']);
  assert.deepEqual(needs('[trail]\nby = "1%"\n[daily-stop]\nloss = "1%"\n'), ['equity', 'marks', 'working']);
});

test('a rule that reads what it does not need does not compile', () => {
  const parts = {
    fields: { most: count },
    steps: null,
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
  // @ts-expect-error: a field that the rule does not have.
  said.push(defineRule({ ...parts, needs: [], judge: ({ least }) => least }));
  assert.deepEqual(
    said.map(({ needs }) => needs.length),
    [0, 1, 0],
  );
});
