import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Armed, type ArmedContext, HeldKeys, type Moment } from '../../../src/desk/mandate/armed.ts';
import type { Mandate } from '../../../src/desk/mandate/mandate.ts';

const mandate: Mandate = {
  accounts: ['acc_1'],
  markets: ['m'],
  sides: ['buy', 'sell'],
  largestOrderUsd: 1,
  largestPositionUsd: 1,
  lossPerDayUsd: 1,
  ordersPerMinute: 1,
  until: 1_000_000 + 900_000,
};
const well: ArmedContext = {
  account: 'acc_1',
  market: 'm',
  isCurrent: true,
  isActive: true,
  isLocked: false,
  endAway: 0.1,
  isLargeEnough: true,
};
const at = (uptime: number, wall = 1_000_000 + uptime): Moment => ({ uptime, wall });

/** Armed at 0, and checked four times a second until a time, with every ping answered after a delay. */
function armedUntil(end: number, { answersAfter = 10, keys = true, focus = true } = {}) {
  const armed = new Armed(mandate, at(0), focus);
  for (let now = 250; now <= end; now += 250) {
    if (keys) armed.touched(at(now));
    if (now % 1_000 === 0) {
      armed.asked(at(now));
      if (answersAfter < 250) armed.answered(at(now + answersAfter));
    }
    armed.check(at(now), well);
  }
  return armed;
}

test('keys stay armed while the service answers and the user presses keys', () => {
  assert.equal(armedUntil(120_000).reason, undefined);
});

test('without an answer within a second, they are disarmed', () => {
  const armed = armedUntil(2_000, { answersAfter: 9_999 });
  assert.equal(armed.reason, undefined);
  assert.equal(armed.check(at(2_001), well), false);
  assert.equal(armed.reason, 'the service did not answer within a second');
});

test('a service that nobody asks is not one that answers', () => {
  const armed = new Armed(mandate, at(0), true);
  for (let now = 250; now <= 4_000; now += 250) {
    armed.touched(at(now));
    armed.check(at(now), well);
  }
  assert.equal(armed.reason, 'the service could not be asked');
});

test('without a key they are disarmed after a minute, and after 10 seconds where the terminal does not tell its focus', () => {
  assert.equal(armedUntil(59_750, { keys: false }).reason, undefined);
  assert.equal(armedUntil(60_000, { keys: false }).reason, 'no key for 60 seconds');
  assert.equal(armedUntil(9_750, { keys: false, focus: false }).reason, undefined);
  assert.equal(armedUntil(10_000, { keys: false, focus: false }).reason, 'no key for 10 seconds');
});

test('lost focus disarms at once; a terminal that has told of its focus once is known to', () => {
  const armed = new Armed(mandate, at(0), false);
  assert.equal(armed.idleLeftMs(at(0)), 10_000);
  armed.focused(true);
  assert.deepEqual([armed.reportsFocus, armed.idleLeftMs(at(0)), armed.reason], [true, 60_000, undefined]);
  armed.focused(false);
  assert.equal(armed.check(at(1), well), false);
  armed.focused(true);
  assert.equal(armed.check(at(2), well), false, 'the first reason holds for good');
});

test('the agreed time ends by the clock that nobody can set, and a clock that was set disarms', () => {
  const armed = armedUntil(899_750);
  assert.deepEqual([armed.reason, armed.leftMs(at(899_750))], [undefined, 250]);
  assert.equal(armed.timeAt(at(899_750, 5)), 1_899_750);
  assert.equal(armed.check(at(900_000), well), false);
  assert.equal(armed.reason, 'the agreed time is up');
  for (const step of [-5_000, 5_000]) {
    const other = new Armed(mandate, at(0), true);
    assert.equal(other.check(at(100, 1_000_100 + step), well), false);
    assert.equal(other.reason, "this machine's clock was set");
  }
});

test('a process that was stopped comes back disarmed', () => {
  const armed = new Armed(mandate, at(0), true);
  assert.equal(armed.check(at(1_501), well), false);
  assert.equal(armed.reason, 'perp was stopped for a moment');
});

test('whatever changes around the keys disarms them', () => {
  const cases: [Partial<ArmedContext>, RegExp][] = [
    [{ isCurrent: false }, /stream was lost/],
    [{ account: 'acc_2' }, /another account/],
    [{ account: undefined }, /another account/],
    [{ market: 'n' }, /another market/],
    [{ isActive: false }, /has ended/],
    [{ isLocked: true }, /locked/],
    [{ endAway: 0.004 }, /is close/],
    [{ isLargeEnough: false }, /too small/],
  ];
  for (const [change, reason] of cases) {
    const armed = new Armed(mandate, at(0), true);
    assert.equal(armed.check(at(1), { ...well, ...change }), false);
    assert.match(armed.reason!, reason);
  }
  assert.equal(new Armed(mandate, at(0), true).check(at(1), { ...well, endAway: undefined }), true);
});

test('a held key counts once, however fast it repeats and however late it begins to', () => {
  for (const [first, every] of [
    [250, 15],
    [660, 33],
    [500, 90],
  ] as const) {
    const held = new HeldKeys();
    const times = [0, ...Array.from({ length: 50 }, (_, n) => first + n * every)];
    const counted = times.filter((time) => held.isPressed('b', at(time)));
    assert.deepEqual(counted, [0]);
    assert.equal(held.isPressed('s', at(5_000)), true, 'another key counts at once');
    assert.equal(held.isPressed('b', at(first + 49 * every + 700)), true, 'pressed again after a pause');
  }
});
