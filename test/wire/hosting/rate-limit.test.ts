import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RateLimit } from '../../../src/wire/hosting/rate-limit.ts';

test('the limit allows a number of requests from one address, then reports after how many whole seconds the next one will pass', () => {
  const limit = new RateLimit(3);
  const at = (ms: number, address = 'a') => limit.admit(address, ms);
  assert.deepEqual([at(0), at(10_000), at(20_000)], [0, 0, 0]);
  assert.equal(at(20_001), 40);
  assert.equal(at(59_999), 1);
  assert.equal(at(20_001, 'b'), 0, 'another address is counted separately');
  assert.equal(at(60_000), 0, 'the oldest is a minute old');
  assert.equal(at(60_001), 10);
});

test('no sliding minute ever has more than the limit, and a refused request does not count', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.integer({ min: 0, max: 30_000 })), (most, gaps) => {
      const limit = new RateLimit(most);
      const admitted: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const recent = admitted.filter((time) => now - time < 60_000).length;
        const wait = limit.admit('a', now);
        assert.equal(wait === 0, recent < most);
        if (wait === 0) admitted.push(now);
        else assert.ok(now + wait * 1000 >= admitted.at(-most)! + 60_000);
      }
    }),
  );
});

test('addresses are dropped before they fill the memory', () => {
  const limit = new RateLimit(1);
  for (let number = 0; number < 10_000; number++) assert.equal(limit.admit(`address ${number}`, 0), 0);
  assert.equal(limit.admit('address 9999', 1), 60);
});

test('a limit that is not reached costs no memory', () => {
  const limit = new RateLimit(999_999_999);
  for (let number = 0; number < 100; number++) assert.equal(limit.admit('a', number), 0);
});
