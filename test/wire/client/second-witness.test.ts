import assert from 'node:assert/strict';
import { trial } from '../../tiers.ts';
import { witnessTrials } from './witness-trials.ts';

trial('on a host that forgets keys, no order and no close is doubled or lost: 60 trials', async () => {
  const { doubled, lost, extra, ends } = await witnessTrials(60);
  assert.deepEqual({ doubled, lost, extra }, { doubled: 0, lost: 0, extra: 0 });
  assert.ok(Number(ends.done) > 30 && Number(ends.unknown) > 0, JSON.stringify(ends));
});
