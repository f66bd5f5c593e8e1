import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { bodyIssues } from '../../../src/wire/contract/request.ts';
import {
  array,
  boolean,
  choice,
  closed,
  defaulted,
  integer,
  literal,
  nullable,
  number,
  object,
  optional,
  positive,
  record,
  type Schema,
  string,
  union,
} from '../../../src/wire/contract/schema.ts';
import { simulationOperations } from '../../../src/wire/contract/simulation.ts';
import { validate, withDefaults } from '../../../src/wire/contract/validate.ts';
import { anyBody, anyValue, mutantsOf } from './arbitrary.ts';

const issueOf = (schema: Schema, value: unknown) => validate(schema, value, 'x').map(({ issue }) => issue);

describe('a value gets an issue that says what is wrong with it', () => {
  const cases: readonly [name: string, schema: Schema, value: unknown, issue: string][] = [
    ['a number for text', string(), 7, 'must be a string'],
    ['null for text', string(), null, 'must be a string'],
    ['an empty text', string('', { minLength: 1 }), '', 'must not be empty'],
    ['a long text', string('', { maxLength: 3 }), 'abcd', 'must have at most 3 characters'],
    ['half a character', string(), '\ud83d', 'must be well-formed Unicode, without lone surrogates'],
    ['a control character', string(), 'a\u001b[31m', 'must not contain control characters'],
    ['a delete character', string(), 'a\u007f', 'must not contain control characters'],
    ['text for a number', number(), '1', 'must be a number'],
    ['an overflowing number', number(), JSON.parse('1e400'), 'must be a finite number'],
    ['not a number', number(), Number.NaN, 'must be a finite number'],
    ['zero for a positive number', positive(), 0, 'must be greater than 0'],
    ['too little', number('', { minimum: 0 }), -0.1, 'must be at least 0'],
    ['a fraction', integer(), 1.5, 'must be an integer'],
    ['a number that is too large', number(), 1.1e15, 'must be between -1000000000000000 and 1000000000000000'],
    ['the same below zero', number(), -1e305, 'must be between -1000000000000000 and 1000000000000000'],
    ['an integer that is too large', integer(), 2 ** 53, 'must be between -1000000000000000 and 1000000000000000'],
    ['too few minutes', integer('', { minimum: 5 }), 4, 'must be at least 5'],
    ['too many minutes', integer('', { maximum: 1440 }), 1441, 'must be at most 1440'],
    ['a word for a truth', boolean(), 'true', 'must be true or false'],
    ['a wrong word', choice(['cross', 'isolated']), 'none', 'must be one of cross, isolated'],
    ['a mistyped word', choice(['cross', 'isolated']), 'corss', 'must be one of cross, isolated; did you mean cross?'],
    ['the only word', choice(['working']), 'open', 'must be working'],
    ['another literal', literal(true), false, 'must be true'],
    ['a list for an object', object({}), [], 'must be an object'],
    ['an object for a list', array(string()), {}, 'must be a list'],
    ['a short list', array(string(), undefined, { minItems: 1 }), [], 'must have at least 1 item'],
    ['a long list', array(string(), undefined, { maxItems: 2 }), ['a', 'b', 'c'], 'must have at most 2 items'],
    ['a word for a nullable number', nullable(number()), 'x', 'must be a number or null'],
    ['a word for a nullable bound number', nullable(positive()), 'x', 'must be a number or null'],
    ['zero for a nullable positive number', nullable(positive()), 0, 'must be greater than 0'],
    ['neither of two types', union(number(), string()), true, 'must be a number or a string'],
    [
      'an empty object',
      closed({ a: optional(string()), b: optional(string()) }, { minProperties: 1 }),
      {},
      'must have at least one of a, b',
    ],
  ];
  for (const [name, schema, value, issue] of cases) {
    it(`${name}: ${issue}`, () => assert.deepEqual(issueOf(schema, value), [issue]));
  }

  it('counts characters, not UTF-16 units', () => {
    assert.deepEqual(issueOf(string('', { maxLength: 3 }), '😀😀😀'), []);
    assert.deepEqual(issueOf(string('', { maxLength: 3 }), '😀😀😀😀'), ['must have at most 3 characters']);
  });

  it('accepts null if null is allowed', () => {
    for (const schema of [nullable(number()), nullable(positive()), nullable(object({ a: string() }))]) {
      assert.deepEqual(validate(schema, null), []);
    }
  });
});

describe('every invalid field is reported by its wire name', () => {
  const Batch = closed({
    size: positive(),
    side: choice(['buy', 'sell']),
    reduce_only: defaulted(boolean(), false),
    operations: array(
      union(
        closed({ kind: literal('cancel'), order_id: string() }),
        closed({ kind: literal('place'), price: positive(), size: optional(positive()) }),
      ),
    ),
    parameters: record(number()),
  });
  const fields = (value: unknown) =>
    Object.fromEntries(validate(Batch, value).map(({ field, issue }) => [field, issue]));
  const valid = { size: 1, side: 'buy', operations: [], parameters: {} };

  it('all of them at once', () => {
    assert.deepEqual(
      fields({ size: 0, side: 'up', operations: [{ kind: 'place', price: '1' }], parameters: { a: 'b' } }),
      {
        size: 'must be greater than 0',
        side: 'must be one of buy, sell',
        'operations[0].price': 'must be a number',
        'parameters.a': 'must be a number',
      },
    );
  });

  it('missing ones', () => {
    assert.deepEqual(fields({ operations: [{ kind: 'cancel' }] }), {
      size: 'is required',
      side: 'is required',
      parameters: 'is required',
      'operations[0].order_id': 'is required',
    });
  });

  it('an undefined property is missing, as in JSON', () => {
    assert.deepEqual(fields({ ...valid, size: undefined }), { size: 'is required' });
    assert.deepEqual(fields({ ...valid, surplus: undefined }), {});
  });

  it('the whole value is the body', () => {
    assert.deepEqual(validate(Batch, null), [{ field: 'body', issue: 'must be an object' }]);
  });

  it('unknown ones, with what was probably meant', () => {
    assert.deepEqual(fields({ ...valid, reduceonly: true, reduce: true, sise: 1, wholly_unlike: 1 }), {
      reduceonly: 'is not a known field; did you mean reduce_only?',
      reduce: 'is not a known field; did you mean reduce_only?',
      sise: 'is not a known field; did you mean size?',
      wholly_unlike: 'is not a known field',
    });
  });

  it('unknown ones with the names of JavaScript’s own properties', () => {
    const value = JSON.parse(
      '{"size":1,"side":"buy","operations":[],"parameters":{},"__proto__":1,"constructor":2,"toString":3}',
    );
    assert.deepEqual(
      validate(Batch, value).map(({ field }) => field),
      ['__proto__', 'constructor', 'toString'],
    );
    assert.deepEqual(validate(closed({ toString: string() }), {}), [{ field: 'toString', issue: 'is required' }]);
  });

  it('a union is validated by the branch that its kind selects', () => {
    assert.deepEqual(
      fields({
        ...valid,
        operations: [{ kind: 'cancel', order_id: 'a', price: 1 }, { kind: 'plaec' }, {}, 7, { kind: 7 }],
      }),
      {
        'operations[0].price': 'is not a known field',
        'operations[1].kind': 'must be one of cancel, place; did you mean place?',
        'operations[2].kind': 'is required',
        'operations[3]': 'must be an object',
        'operations[4].kind': 'must be one of cancel, place',
      },
    );
  });

  it('an enabled copy group needs a follower, a disabled one does not', () => {
    const group = (enabled: unknown) => ({
      groups: [{ enabled, source_account_id: 'a', targets: [] }],
      deleted_config_ids: [],
    });
    const issues = (enabled: unknown) => validate(operations.saveCopyTradingConfigurations.body, group(enabled));
    assert.deepEqual(issues(true), [{ field: 'groups[0].targets', issue: 'must have at least 1 item' }]);
    assert.deepEqual(issues(false), []);
    assert.deepEqual(issues('yes'), [{ field: 'groups[0].enabled', issue: 'must be true or false' }]);
  });

  it('a body full of mistakes gets a limited answer', () => {
    const issues = validate(Batch, { ...valid, operations: Array.from({ length: 50_000 }, () => 7) });
    assert.equal(issues.length, 1000);
    const [longest] = validate(Batch, { ...valid, ['n'.repeat(100_000)]: 1 });
    assert.ok(longest!.field.length < 200);
  });
});

describe('defaults', () => {
  const Request = closed({
    type: defaulted(choice(['a', 'b']), 'a'),
    flag: defaulted(boolean(), false),
    size: optional(number()),
  });

  it('fill what is absent and keep what is given', () => {
    assert.deepEqual(withDefaults(Request, {}), { type: 'a', flag: false });
    assert.deepEqual(withDefaults(Request, { type: 'b', flag: true, size: 1 }), { type: 'b', flag: true, size: 1 });
    assert.deepEqual(withDefaults(Request, { type: undefined }), { type: 'a', flag: false });
  });

  it('never change the caller’s value', () => {
    const given = Object.freeze({ size: 1 });
    assert.deepEqual(withDefaults(Request, given), { type: 'a', flag: false, size: 1 });
    assert.deepEqual(given, { size: 1 });
  });
});

const all: Operation[] = [...Object.values(operations), ...Object.values(simulationOperations)];

describe('what the contract describes is valid', () => {
  const schemas = all.flatMap((operation): [string, Schema][] => [
    ...Object.entries(operation.responses).map(([status, { schema }]): [string, Schema] => [
      `${operation.id} ${status}`,
      schema,
    ]),
    ...(operation.query ? [[`${operation.id} query`, operation.query] as [string, Schema]] : []),
    ...(operation.body ? [[`${operation.id} body`, operation.body] as [string, Schema]] : []),
  ]);

  it('for every value that a schema generates', () => {
    const any = fc
      .constantFrom(...schemas)
      .chain(([name, schema]) => fc.tuple(fc.constant(name), fc.constant(schema), anyValue(schema)));
    fc.assert(
      fc.property(any, ([name, schema, value]) => assert.deepEqual(validate(schema, value), [], name)),
      { numRuns: process.env.PERP_LONG ? 10_000 : 200 },
    );
  });
});

describe('a body that is wrong in one place is refused for that place', () => {
  for (const operation of all) {
    const { body } = operation;
    if (body === null) continue;
    it(operation.id, () => {
      fc.assert(
        fc.property(anyBody({ ...operation, body }), (value) => {
          assert.deepEqual(bodyIssues(operation, value), []);
          for (const mutant of mutantsOf(body, value)) {
            const fields = validate(body, mutant.value).map(({ field }) => field);
            assert.ok(fields.includes(mutant.field), `${mutant.field} of ${JSON.stringify(mutant.value)}: ${fields}`);
            assert.ok(
              fields.every((field) => field.startsWith(mutant.field)),
              `${mutant.field}: also ${fields}`,
            );
          }
        }),
        { numRuns: 30 },
      );
    });
  }
});
