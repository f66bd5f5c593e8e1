import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { bodyIssues, queryIssues } from '../../../src/wire/contract/request.ts';
import { number, type Schema, string } from '../../../src/wire/contract/schema.ts';
import { simulationOperations } from '../../../src/wire/contract/simulation.ts';
import { CandlesPayload, HistoryPayload, MarketsPayload, StatusPayload } from '../../../src/wire/contract/streams.ts';
import { validate } from '../../../src/wire/contract/validate.ts';
import { ajvOpinion } from './ajv.ts';
import { alteredValue, anyValue } from './arbitrary.ts';

const runs = { numRuns: process.env.PERP_LONG === '1' ? 2_000 : 20 };

/**
 * Values that JSON Schema allows and our validator refuses: half a character, a control character, a number out of
 * range.
 */
const beyondSchema: readonly [schema: Schema, value: unknown][] = [
  [string(), '\ud800'],
  [string(), 'a\u0007'],
  [number(), 1e300],
];
const ownRules = beyondSchema.flatMap(([schema, value]) => validate(schema, value).map(({ issue }) => issue));

const all: Operation[] = [...Object.values(operations), ...Object.values(simulationOperations)];
const schemas = new Map<Schema, string>();
for (const { id, query, body, responses } of all) {
  if (query !== null) schemas.set(query, `${id} query`);
  if (body !== null) schemas.set(body, `${id} body`);
  for (const [status, { schema }] of Object.entries(responses)) schemas.set(schema, `${id} ${status}`);
}
for (const [name, schema] of Object.entries({ MarketsPayload, CandlesPayload, StatusPayload, HistoryPayload }))
  schemas.set(schema, `${name} of a stream`);

/** For each operation with a rule between fields: a request that only this rule refuses. */
const betweenFields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  getMarketQuote: { side: 'buy' },
  listOpenPositions: { account_id: 'a', status: 'open', cursor: 'x' },
  listOrders: { account_id: 'a', client_order_id: 'x', status: 'working' },
  createOrder: {
    account_id: 'a',
    market_id: 'm',
    side: 'buy',
    size: 1,
    leverage: 1,
    margin_mode: 'cross',
    type: 'limit',
  },
  closePosition: { type: 'limit' },
  replacePositionExitOrders: {
    expected_position_size: 1,
    expected_orders: [],
    operations: [
      { kind: 'cancel', order_id: 'o' },
      { kind: 'cancel', order_id: 'o' },
    ],
  },
  createTwapOrder: {
    account_id: 'a',
    market_id: 'm',
    side: 'buy',
    size: 1,
    expected_price: 1,
    leverage: 1,
    margin_mode: 'cross',
    duration_minutes: 5,
    min_price: 2,
    max_price: 1,
  },
  saveCopyTradingConfigurations: {
    groups: [
      { config_id: 'g', enabled: true, source_account_id: 'a', targets: [{ account_id: 'b', multiplier_bps: 10_000 }] },
    ],
    deleted_config_ids: ['g'],
  },
  simAdvance: {},
  simSetPolicy: { limits: {} },
};

describe('Ajv and our validator agree on what is valid, and on the invalid fields', () => {
  for (const [schema, name] of schemas) {
    it(name, () => {
      const values = anyValue(schema).chain((value) => fc.oneof(fc.constant(value), alteredValue(value)));
      fc.assert(
        fc.property(values, (value) => assertAgreement(schema, value)),
        runs,
      );
    });
  }
});

it('JSON Schema allows values that only our own rules refuse', () => {
  assert.equal(ownRules.length, beyondSchema.length);
  for (const [schema, value] of beyondSchema) assert.deepEqual([...ajvOpinion(schema, value).fields], []);
});

describe('JSON Schema allows what only a rule between fields refuses', () => {
  it('in the operations that have one', () => {
    const ruled = all.filter(({ queryRule, bodyRule }) => queryRule !== null || bodyRule !== null);
    assert.deepEqual(ruled.map(({ id }) => id).sort(), Object.keys(betweenFields).sort());
  });

  for (const operation of all.filter(({ id }) => id in betweenFields)) {
    it(operation.id, () => {
      const [schema, issuesOf] =
        operation.bodyRule === null ? [operation.query!, queryIssues] : [operation.body!, bodyIssues];
      const value = betweenFields[operation.id];
      assert.deepEqual([...ajvOpinion(schema, value).fields], []);
      assert.deepEqual(validate(schema, value), []);
      assert.ok(issuesOf(operation, value).length > 0);
    });
  }
});

function assertAgreement(schema: Schema, value: unknown): void {
  const issues = validate(schema, value);
  const byOwnRules = new Set(issues.filter(({ issue }) => ownRules.includes(issue)).map(({ field }) => field));
  const ours = fieldsOf(issues.map(({ field }) => field));
  const { fields, isOfUnion } = ajvOpinion(schema, value);
  const theirs = fieldsOf(fields);
  // For a union, our validator checks only the branch that the value is intended for.
  if (isOfUnion) assert.ok(ours.length > 0 || byOwnRules.size > 0, `only Ajv refuses it: ${theirs}`);
  assert.deepEqual(isOfUnion ? ours.filter((field) => !fields.has(field)) : ours, isOfUnion ? [] : theirs);

  /** One issue is reported per field: if it is one of our own rules, JSON Schema's is not reported. */
  function fieldsOf(names: Iterable<string>): string[] {
    return [...new Set(names)].filter((field) => !byOwnRules.has(field)).sort();
  }
}
