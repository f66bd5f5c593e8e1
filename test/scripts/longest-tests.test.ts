import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import longest from '../../scripts/longest-tests.json' with { type: 'json' };

test('each file in the list of the longest tests exists', () => {
  assert.deepEqual(
    Object.keys(longest).filter((file) => !existsSync(file)),
    [],
  );
});
