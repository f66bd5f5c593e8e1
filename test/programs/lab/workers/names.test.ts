import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strategyModule } from '../../../../src/programs/lab/realm/realm.ts';
import * as library from '../../../../src/programs/sdk/strategy.ts';

test('a strategy imports by the same names in a trial as anywhere', () => {
  const names = [...strategyModule.matchAll(/^ *export (?:async )?(?:function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names.sort(), Object.keys(library).sort());
});
