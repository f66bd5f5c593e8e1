import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateCell } from '../../../../src/terminal/cli/commands/sim/markets.ts';

test('a market is live, waits, or is in a gap, with its reason', () => {
  assert.deepEqual(stateCell({ state: 'live', gap_reason: null }), { text: 'live', tone: 'good' });
  assert.deepEqual(stateCell({ state: 'healing', gap_reason: null }), { text: 'healing', tone: 'warn' });
  const gap = { text: 'in a gap (connection)', tone: 'bad' };
  assert.deepEqual(stateCell({ state: 'healing', gap_reason: 'connection' }), gap);
});
