import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoMoment } from '../../../src/base/terms/day.ts';
import { placeOn } from '../../../src/venues/live/practice.ts';

test('a time without an offset is UTC, wherever this machine is', (t) => {
  const own = process.env.TZ;
  t.after(() => {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  });
  process.env.TZ = 'America/New_York';
  const at = Date.UTC(2026, 2, 5, 14, 30);
  for (const text of ['2026-03-05 14:30', '2026-03-05T14:30', '2026-03-05T14:30:00.000Z', '2026-03-05T16:30+02:00']) {
    assert.equal(isoMoment(text), at, text);
    assert.equal(placeOn({ tape: '/nowhere/day.jsonl', firstTime: at - 1, lastTime: at + 1 }, text), at, text);
  }
  assert.equal(isoMoment('2026-03-05'), Date.UTC(2026, 2, 5));
  for (const text of ['2026-02-30', '2026-13-01', '2026-03-05 25:00', 'March 5, 2026', '5', '']) {
    assert.ok(Number.isNaN(isoMoment(text)), text);
  }
});
