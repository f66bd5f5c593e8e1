import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../../src/wire/contract/operations.ts';
import { bodyIssues } from '../../../src/wire/contract/request.ts';

const tp = (pair?: number) => ({
  kind: 'place',
  group: 'tp',
  price: 120,
  size: 1,
  oco_pair_with_operation_index: pair,
});
const sl = (pair?: number) => ({ kind: 'place', group: 'sl', price: 80, size: 1, oco_pair_with_operation_index: pair });
const cancel = (id = 'ord_1') => ({ kind: 'cancel', order_id: id });
const modify = (id: string) => ({ kind: 'modify', order_id: id, price: 100 });

const issuesOf = (...batch: object[]) =>
  bodyIssues(operations.replacePositionExitOrders, {
    expected_position_size: 1,
    expected_orders: [],
    operations: batch,
  }).map(({ field, issue }) => `${field} ${issue}`);
const at = (index: number) => `operations[${index}].oco_pair_with_operation_index`;

describe('OCO pairs of an exit batch', () => {
  const cases: readonly [name: string, batch: object[], issues: string[]][] = [
    ['none', [tp(), sl()], []],
    ['a pair named once', [tp(1), sl()], []],
    ['a pair named by its second leg', [tp(), sl(0)], []],
    ['a mutual pair', [tp(1), sl(0)], []],
    ['a forward reference over others', [tp(2), cancel(), sl()], []],
    ['two pairs', [tp(1), sl(0), sl(3), tp(2)], []],
    ['two pairs, crossed', [tp(2), tp(3), sl(0), sl(1)], []],
    ['itself', [tp(0), sl()], [`${at(0)} must name another operation, not its own`]],
    ['the same group', [tp(1), tp()], [`${at(0)} must name a leg of the other group; operations[1] is tp too`]],
    ['out of range', [tp(2), sl()], [`${at(0)} must name one of the 2 operations, counted from 0`]],
    [
      'what places nothing',
      [tp(1), cancel()],
      [`${at(0)} must name an operation that places a leg; operations[1] does not`],
    ],
    [
      'a third leg',
      [tp(1), sl(), tp(1)],
      [`${at(2)} must not make a third leg; operations[1] pairs with operations[0]`],
    ],
    [
      'a third leg after a mutual pair',
      [tp(1), sl(0), tp(1)],
      [`${at(2)} must not make a third leg; operations[1] pairs with operations[0]`],
    ],
    [
      'a third leg before a mutual pair',
      [tp(2), tp(2), sl(1)],
      [
        `${at(1)} must not make a third leg; operations[2] pairs with operations[0]`,
        `${at(2)} must not make a third leg; operations[2] pairs with operations[0]`,
      ],
    ],
    ['a chain', [tp(1), sl(2), tp()], [`${at(1)} must not make a third leg; operations[1] pairs with operations[0]`]],
    ['a negative index', [tp(-1), sl()], [`${at(0)} must be at least 0`]],
    ['a fractional index', [tp(0.5), sl()], [`${at(0)} must be an integer`]],
  ];
  for (const [name, batch, issues] of cases) {
    it(`${issues.length > 0 ? 'refuse' : 'allow'} ${name}`, () => assert.deepEqual(issuesOf(...batch), issues));
  }
});

describe('an order of an exit batch', () => {
  it('is changed once', () => {
    assert.deepEqual(issuesOf(cancel('a'), modify('b')), []);
    assert.deepEqual(issuesOf(cancel('a'), modify('b'), modify('a')), [
      'operations[2].order_id is already changed by operations[0]',
    ]);
  });
});
