import assert from 'node:assert/strict';
import { test } from 'node:test';
import { witnessTrials } from './witness-trials.ts';

const trials = process.env.PERP_LONG === '1' ? 10_000 : 1_000;

test(`on a host that forgets keys, no order and no close is doubled or lost: ${trials} trials`, async () => {
  const tally = await witnessTrials(trials);
  console.log(JSON.stringify(tally));
  const { doubled, lost, extra } = tally;
  assert.deepEqual({ doubled, lost, extra }, { doubled: 0, lost: 0, extra: 0 });
  assert.ok(Number(tally.ends.done) > trials / 2 && Number(tally.ends.unknown) > 0);
});
