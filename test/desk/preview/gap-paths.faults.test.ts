import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGapTally, tryCarry, tryGap } from './gap-paths.ts';

const isLong = Boolean(process.env.PERP_LONG);

test('no order with a stop loses more than its preview says, also where its market gaps within the allowance', () => {
  const count = isLong ? 20_000 : 800;
  const tally = newGapTally();
  for (let seed = 1; seed <= count; seed++) tryGap(seed, tally);
  const { told, gapped, lost, worst, more } = tally;
  console.log(
    `${count} accounts: ${told} told, ${gapped} closed, ${more.length} lost more; ${lost.toFixed(0)} of ${worst.toFixed(0)} USD`,
  );
  assert.deepEqual(more, []);
  assert.ok(gapped > count / 8, `only ${gapped} were closed`);
  assert.ok(lost > worst / 3, `${lost} of ${worst}: what is told is far from what happens`);
});

test('the carry of hours ahead is what the exchange takes', () => {
  let met = 0;
  for (let seed = 1; seed <= (isLong ? 2_000 : 60); seed++) {
    const found = tryCarry(seed);
    if (found === undefined) continue;
    met += 1;
    const { told, paid, room, left } = found;
    assert.ok(Math.abs(told - paid) < 1e-4 * Math.max(1, paid), `seed ${seed}: told ${told}, paid ${paid}`);
    assert.ok(Math.abs(room - left) < 1e-4 * Math.max(1, paid), `seed ${seed}: told ${room} of room, left ${left}`);
  }
  assert.ok(met > 20, `only ${met}`);
});
