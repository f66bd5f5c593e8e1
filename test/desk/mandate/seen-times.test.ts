import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forgetSeenTime, SeenTimes, seenNameOf } from '../../../src/desk/mandate/signed.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';

const until = 1_000_000;
const name = seenNameOf('alpha');

it('what was over once stays over when the clock is set back, also after a restart', (t) => {
  const variables = { PERP_STATE_DIR: temporaryDirectory(t) };
  const clock = { uptime: 0 };
  const times = () => new SeenTimes(variables, () => clock.uptime);
  const running = times();
  assert.equal(running.timeOf(name, until - 60_000, until), until - 60_000);
  assert.equal(running.timeOf(name, until, until), until);
  for (const one of [running, times()])
    assert.ok(one.timeOf(name, until - 600_000, until) >= until, 'ten minutes were taken back');
});

it('time goes on from the highest one seen, by the clock that nobody sets', (t) => {
  const clock = { uptime: 0 };
  const times = new SeenTimes({ PERP_STATE_DIR: temporaryDirectory(t) }, () => clock.uptime);
  times.timeOf(name, until - 60_000, until);
  clock.uptime = 59_000;
  assert.equal(times.timeOf(name, until - 600_000, until), until - 1_000);
  clock.uptime = 60_000;
  assert.equal(times.timeOf(name, until - 600_000, until), until);
});

it('a clock that once ran ahead ends nothing for good: signing again begins anew, also in a gate that runs', (t) => {
  const variables = { PERP_STATE_DIR: temporaryDirectory(t) };
  const clock = { uptime: 0 };
  const times = new SeenTimes(variables, () => clock.uptime);
  times.timeOf(name, until * 100, until);
  forgetSeenTime(variables, 'alpha');
  clock.uptime = 1_000;
  assert.equal(times.timeOf(name, 5, until), 5);
  assert.equal(new SeenTimes(variables).timeOf(name, 5, until), 5);
});
