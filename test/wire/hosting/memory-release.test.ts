import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { MemoryRelease } from '../../../src/wire/hosting/memory-release.ts';
import { test, trial } from '../../tiers.ts';

function released() {
  let count = 0;
  const first = Promise.withResolvers<number>();
  const release = () => {
    count += 1;
    first.resolve(performance.now());
  };
  const memory = new MemoryRelease(release, { leftMs: 5, quietMs: 50 });
  const come = (number: number) => {
    for (let one = 0; one < number; one++) memory.opened();
  };
  const leave = (number: number) => {
    for (let one = 0; one < number; one++) memory.closed();
  };
  return { memory, come, leave, count: () => count, first: first.promise };
}

/** The release does not keep the process alive. */
async function ended<T>(promise: Promise<T>): Promise<T> {
  const alive = setInterval(() => {}, 1_000);
  return promise.finally(() => clearInterval(alive));
}

test('memory is given back once, after most of many connections have left', async () => {
  const { come, leave, count, first } = released();
  come(600);
  leave(500);
  await delay(30);
  assert.equal(count(), 0, 'a sixth is still there');
  leave(60);
  await ended(first);
  leave(40);
  come(100);
  leave(100);
  await delay(30);
  assert.equal(count(), 1, 'few came since');
});

test('it waits for a moment without requests', async () => {
  const { memory, come, leave, first } = released();
  come(500);
  const requestedAt = performance.now();
  memory.requested();
  leave(500);
  assert.ok((await ended(first)) - requestedAt >= 50);
});

trial('Node can collect what is unused', () => {
  const memory = new MemoryRelease(undefined, { leftMs: 0, quietMs: 0 });
  for (let one = 0; one < 500; one++) memory.opened();
  for (let one = 0; one < 500; one++) memory.closed();
  return delay(20);
});
