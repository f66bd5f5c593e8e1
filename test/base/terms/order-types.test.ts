import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { describe } from 'node:test';
import { type Expression, type Node, parseSync, Visitor } from 'oxc-parser';
import { orderModes, orderTypes, recordedType } from '../../../src/base/terms/order-types.ts';
import { it, trial } from '../../tiers.ts';

const source = resolve(import.meta.dirname, '../../../src');
const table = 'base/terms/order-types.ts';
const modes: ReadonlySet<string> = new Set(orderModes);
/** Names of other things, too: there, what is compared has to be called a type or a mode. */
const alsoOthers = new Set(['market', 'limit', 'liquidation']);

describe('the table of order kinds', () => {
  it('records a chase as a limit, a conditional as a stop, and any other as itself', () => {
    assert.equal(recordedType('chase', false), 'limit');
    assert.equal(recordedType('conditional', false), 'stop_market');
    assert.equal(recordedType('conditional', true), 'stop_limit');
    for (const type of orderTypes) assert.equal(recordedType(type, true), type);
  });

  trial('is the only place that compares the type or mode of an order with a name', () => {
    const files = globSync(`${source}/**/*.ts`).filter((file) => relative(source, file) !== table);
    assert.deepEqual(files.flatMap(comparisonsIn), []);
  });

  it('and the test sees such comparisons, however they are written', () => {
    const seen = [
      "order.mode === 'chase'",
      "'limit' !== type",
      "(order.type ?? 'market') === 'market'",
      "const is = (word) => word === 'take_profit'",
      "switch (order.type) { case 'limit': }",
      "['stop_market', 'x'].includes(mode)",
      "new Set(['stop_market']).has(mode)",
      "order.mode.startsWith('stop')",
      '/^(stop|take)/.test(order.mode)',
      "const names = { stop_market: 'stop', take_profit: 'target' }",
      "const types = ['market', 'limit', 'stop_market']",
      "new Map([['stop_market', 'stop']])",
      "order['mode'] === 'limit'",
      "operation.execution_type !== 'limit'",
    ];
    for (const text of seen) assert.equal(comparisonsOf('x.ts', text).length, 1, text);
    const others = [
      "kind === 'market'",
      "line.kind !== 'limit'",
      "place({ type: 'market' })",
      "text.startsWith('stop')",
      "choice(['market', 'limit'])",
    ];
    for (const text of others) assert.deepEqual(comparisonsOf('x.ts', text), [], text);
  });
});

function comparisonsIn(file: string): string[] {
  const name = relative(source, file).replaceAll('\\', '/');
  // What a venue calls its trades is no order of ours.
  return /^(?:exchange\/markets|venues)\//.test(name) ? [] : comparisonsOf(name, readFileSync(file, 'utf8'));
}

/** Where a source compares the type or mode of an order with the name of one. */
function comparisonsOf(name: string, text: string): string[] {
  if (!/\b(?:stop|take|market|limit|chase|conditional|liquidation|close_out)/.test(text)) return [];
  const { program, errors } = parseSync(name, text);
  assert.deepEqual(errors, [], name);
  const found = new Set<string>();
  /** Of the maps that are made here. */
  const entries = new Set<Node>();
  const report = ({ start, end }: Node) =>
    found.add(`${name}:${text.slice(0, start).split('\n').length}  ${text.slice(start, end)}`);
  new Visitor({
    BinaryExpression(node) {
      if (!/^[!=]==?$/.test(node.operator)) return;
      const { left, right } = node;
      if (isNamed(left as Expression, right) || isNamed(right, left as Expression)) report(node);
    },
    SwitchStatement(node) {
      if (node.cases.some(({ test }) => test !== null && isNamed(test, node.discriminant))) report(node);
    },
    CallExpression(node) {
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const [first] = given;
      const asked = callee.property.name;
      const isOf = (one: Node, other: Node) =>
        isKind(one as Expression) && hasModes(text.slice(other.start, other.end));
      const isPart = /^(?:startsWith|endsWith|includes|match)$/.test(asked);
      if (first !== undefined && isPart && isOf(callee.object, first)) report(node);
      if (first !== undefined && /^(?:test|includes|has)$/.test(asked) && isOf(first, callee.object)) report(node);
    },
    ArrayExpression(node) {
      const named = node.elements
        .map((one) => (one?.type === 'Literal' ? `${one.value}` : ''))
        .filter((one) => modes.has(one));
      const isEntry = entries.has(node);
      if (named.some((one) => !alsoOthers.has(one)) && (isEntry || named.length > 1)) report(node);
    },
    NewExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'Map' || first?.type !== 'ArrayExpression') return;
      for (const one of first.elements) if (one !== null) entries.add(one);
    },
    ObjectExpression(node) {
      const keys = node.properties.flatMap((one) =>
        one.type === 'Property' && one.key.type === 'Identifier' ? [one.key.name] : [],
      );
      if (keys.filter((key) => modes.has(key) && !alsoOthers.has(key)).length > 1) report(node);
    },
  }).visit(program);
  return [...found];
}

/** Whether one side is the name of a mode, and the other what has a mode. */
function isNamed(one: Expression, other: Expression): boolean {
  if (one.type !== 'Literal' || typeof one.value !== 'string' || !modes.has(one.value)) return false;
  return !alsoOthers.has(one.value) || isKind(other);
}

/** Whether an expression is called a type or a mode. */
function isKind(node: Expression): boolean {
  if (node.type === 'ParenthesizedExpression') return isKind(node.expression);
  if (node.type === 'LogicalExpression') return isKind(node.left);
  if (node.type === 'ChainExpression') return isKind(node.expression);
  if (node.type === 'MemberExpression') return isKind(node.property as Expression);
  const name = node.type === 'Identifier' ? node.name : node.type === 'Literal' ? `${node.value}` : '';
  return /^(type|mode|order_?type|execution_?type|execution)$/i.test(name);
}

/** A list or pattern that names modes, or the beginnings of their names. */
function hasModes(text: string): boolean {
  return /\b(?:stop|take|chase|conditional|close_out)|'_?(?:market|limit)/.test(text);
}
