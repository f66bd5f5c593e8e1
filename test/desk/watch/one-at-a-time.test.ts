import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime } from '../../../src/desk/watch/model-reader.ts';

test('a job never overlaps itself, and what is asked for meanwhile is done once more', async () => {
  const waiting: (() => void)[] = [];
  let [running, most, runs] = [0, 0, 0];
  const ask = oneAtATime(async () => {
    runs += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    running -= 1;
  });
  const asked = [ask(), ask(), ask()];
  assert.equal(runs, 1);
  waiting.shift()!();
  while (waiting.length === 0) await Promise.resolve();
  waiting.shift()!();
  await Promise.all(asked);
  assert.deepEqual([runs, most], [2, 1]);
  const again = ask();
  waiting.shift()!();
  await again;
  assert.equal(runs, 3);
});

test('a job that has failed can be asked for again', async () => {
  let runs = 0;
  const ask = oneAtATime(async () => {
    runs += 1;
    if (runs === 1) throw new Error('no');
  });
  await assert.rejects(ask());
  await ask();
  assert.equal(runs, 2);
});
