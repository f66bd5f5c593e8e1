import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Admission, Lanes, Shares } from '../../../src/bots/gate/admission.ts';
import { readOf } from '../../../src/bots/gate/asked.ts';
import type { Failure } from '../../../src/wire/hosting/failure.ts';

/** Requests of a bot at one moment until it is refused. */
function taken(shares: Shares, bot: string, now: number): number {
  let count = 0;
  while (shares.admit(bot, now) === 0 && count < 1_000) count += 1;
  return count;
}

test('a bot that is alone gets the whole limit but the gate’s own part; a second one gets its share of what is left', () => {
  const shares = new Shares(100);
  assert.equal(taken(shares, 'one', 0), 90);
  assert.equal(taken(shares, 'two', 1), 0);
  // A minute later, both want as much as they can get.
  shares.admit('two', 60_000);
  assert.equal(taken(shares, 'one', 60_001), 45);
  assert.equal(taken(shares, 'two', 60_001), 44);
});

test('a bot that floods leaves half of a share to each bot that comes later', () => {
  const shares = new Shares(100, ['one', 'two']);
  assert.equal(taken(shares, 'one', 0), 68);
  assert.equal(taken(shares, 'two', 1), 22);
});

test('without a limit nobody waits, until the service refuses: then what went out is the limit', () => {
  const shares = new Shares(undefined);
  for (let count = 0; count < 500; count += 1) assert.equal(shares.admit('one', 0), 0);
  shares.refused(1);
  assert.ok(shares.admit('one', 2) > 0);
  assert.equal(taken(shares, 'one', 60_001), 450);
  // A limit that was learned may have been of a bad minute.
  const more = taken(shares, 'one', 120_002);
  assert.ok(more > 450 && more < 500, `${more} after a quiet minute`);
});

test('no matter what bots ask and when, no minute has more than the limit, and whoever waits as told gets in', () => {
  const asks = fc.array(fc.record({ bot: fc.constantFrom('a', 'b', 'c'), after: fc.nat(9_000) }), { maxLength: 300 });
  fc.assert(
    fc.property(asks, (drawn) => {
      const shares = new Shares(30);
      const sent: number[] = [];
      let now = 0;
      for (const { bot, after } of drawn) {
        now += after;
        const seconds = shares.admit(bot, now);
        assert.ok(seconds >= 0 && seconds <= 60);
        if (seconds === 0) sent.push(now);
        assert.ok(sent.filter((at) => at > now - 60_000).length <= 27);
      }
    }),
    { numRuns: 20 },
  );
});

test('a bot has so many requests under way at once; others wait, and too many are sent away', async () => {
  const lanes = new Lanes(2, 1);
  const gates = [0, 1, 2].map(() => Promise.withResolvers<string>());
  const begun: number[] = [];
  const run = (nth: number) =>
    lanes.run('bot', () => {
      begun.push(nth);
      return gates[nth]!.promise;
    });
  const runs = [run(0), run(1), run(2)];
  await assert.rejects(run(0), { code: 'rate_limited', message: 'Too many requests of this bot are waiting.' });
  assert.deepEqual(begun, [0, 1]);
  gates[0]!.resolve('first');
  assert.equal(await runs[0], 'first');
  gates[1]!.resolve('second');
  gates[2]!.resolve('third');
  assert.deepEqual(await Promise.all(runs), ['first', 'second', 'third']);
});

test('after too many refused writes in a minute, a bot waits', async () => {
  let now = 0;
  const admission = new Admission(undefined, [], () => now);
  const waitOf = async (bot: string, id: 'createOrder' | 'getOrder' = 'createOrder') => {
    const run = admission.run(bot, readOf(id, {}), async () => 0);
    return await run.catch(({ facts }: Failure) => facts.retryAfterSeconds);
  };
  for (let count = 0; count < 300; count += 1) {
    assert.equal(await waitOf('bot'), 0);
    admission.refused('bot');
  }
  now = 1_000;
  assert.deepEqual([await waitOf('bot'), await waitOf('other'), await waitOf('bot', 'getOrder')], [59, 0, 0]);
  now = 60_000;
  assert.equal(await waitOf('bot'), 0);
  assert.equal(admission.figures('bot').refused, 300);
});
