import { test } from 'node:test';
import { trial } from './drawn-faults.ts';

test('kraken: a restart while the venue is slow to answer: the answer to the closed feed changes nothing', async () => {
  await trial(3_010_257);
});
