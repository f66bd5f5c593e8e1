import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { knownMutants, mutationOf } from './mutants.ts';

test('every listed mutant changes a text that its file has once, and names a test file', () => {
  for (const known of knownMutants) {
    assert.notEqual(mutationOf(known).replacement, known.from, known.rule);
    assert.ok(existsSync(known.test), `${known.rule}: ${known.test}`);
  }
});
