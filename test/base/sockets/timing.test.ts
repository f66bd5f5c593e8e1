import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realTiming } from '../../../src/base/sockets/timing.ts';

const dayMs = 86_400_000;

test('a delay may be longer than timers of this machine can be, and be canceled', (t) => {
  // Reset at once: a test file that loads while it is mocked would keep the mock.
  using timers = t.mock.timers;
  timers.enable({ apis: ['setTimeout'] });
  const ran: string[] = [];
  realTiming.after(60 * dayMs, () => ran.push('in sixty days'));
  const cancel = realTiming.after(30 * dayMs, () => ran.push('never'));
  realTiming.after(5, () => ran.push('soon'));
  timers.tick(5);
  assert.deepEqual(ran, ['soon']);
  for (let day = 1; day < 60; day++) {
    timers.tick(dayMs);
    if (day === 26) cancel();
  }
  assert.deepEqual(ran, ['soon']);
  // The mock counts the next part from the end of a tick.
  for (let part = 0; part < 3; part++) timers.tick(dayMs);
  assert.deepEqual(ran, ['soon', 'in sixty days']);
});
