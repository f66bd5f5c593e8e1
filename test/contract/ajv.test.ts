import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { number, type Schema, string } from '../../src/contract/schema.ts';
import { simulationOperations } from '../../src/contract/simulation.ts';
import { validate } from '../../src/contract/validate.ts';
import { ajvOpinion } from './ajv.ts';
import { alteredValue, anyValue } from './arbitrary.ts';

const runs = { numRuns: process.env.PERP_LONG === '1' ? 2_000 : 50 };

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
