import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStateName } from '../../src/base/terms/state-names.ts';
import { stateFiles } from '../../src/service/state/state-directory.ts';

test('a name that could leave the folder is not valid', () => {
  for (const name of ['default', 'a', 'My-state_2.1', 'x'.repeat(64)]) assert.ok(isStateName(name), name);
  for (const name of ['', '.', '..', '.a', '../a', 'a/b', 'a\\b', 'a b', 'a\u0000', 'ä', 'x'.repeat(65)]) {
    assert.equal(isStateName(name), false, name);
    assert.throws(() => stateFiles('/s', name), RangeError);
  }
});
