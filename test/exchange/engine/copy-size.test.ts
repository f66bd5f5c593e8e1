import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { copiedEntrySize, copiedReductionSize, copyRatio } from '../../../src/exchange/engine/copy/copy.ts';

const usd = (amount: number) => BigInt(amount) * 100_000_000n;

test('entries follow the ratio of starting balances times the multiplier, floored over all that was added', () => {
  const table: [number, number, number, number, number, number][] = [
    // follower start, lead start, multiplier bps, lead added, copied already, to add
    [100_000, 100_000, 10_000, 500, 0, 500],
    [50_000, 100_000, 10_000, 501, 0, 250],
    [50_000, 100_000, 10_000, 502, 250, 1],
    [50_000, 100_000, 20_000, 500, 0, 500],
    [25_000, 100_000, 1_000, 100, 0, 2],
    [25_000, 100_000, 1_000, 39, 0, 0],
    [100_000, 100_000, 10_000, 500, 600, 0],
  ];
  for (const [follower, lead, multiplier, added, copied, expected] of table) {
    assert.equal(copiedEntrySize(added, copyRatio(usd(follower), usd(lead), multiplier), copied), expected);
  }
});

test('a reduction reduces the follower by the same fraction, and a full close closes it', () => {
  const table: [number, number, number, number][] = [
    // lead before, lead after, follower size, to close
    [1_000, 500, 300, 150],
    [1_000, 999, 300, 0],
    [3, 2, 100, 33],
    [1_000, 0, 7, 7],
    [1_000, 0, 0, 0],
    [1_000, 1_000, 300, 0],
  ];
  for (const [before, after, follower, expected] of table) {
    assert.equal(copiedReductionSize(before, after, follower), expected);
  }
});

test('however additions are split, the follower ends with the floor of the total', () => {
  const money = fc.bigInt({ min: 10n ** 10n, max: 10n ** 15n });
  const multiplier = fc.integer({ min: 1_000, max: 20_000 });
  fc.assert(
    fc.property(money, money, multiplier, fc.array(fc.nat(10_000_000)), (follower, lead, bps, adds) => {
      const ratio = copyRatio(follower, lead, bps);
      let added = 0;
      let copied = 0;
      for (const add of adds) {
        added += add;
        copied += copiedEntrySize(added, ratio, copied);
      }
      assert.equal(copied, copiedEntrySize(added, ratio, 0));
      assert.equal(BigInt(copied), (BigInt(added) * follower * BigInt(bps)) / (lead * 10_000n));
    }),
  );
});

test('a reduction never exceeds the follower and is monotonic in the lead', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.nat(1e9), fc.nat(1e9), (before, after, follower) => {
      const closed = copiedReductionSize(before, after, follower);
      assert.ok(closed >= 0 && closed <= follower);
      if (after > 0) assert.ok(copiedReductionSize(before, after - 1, follower) >= closed);
    }),
  );
});
