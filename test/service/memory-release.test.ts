import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MemoryRelease } from '../../src/service/http/memory-release.ts';

function released() {
  let count = 0;
  const release = () => {
    count += 1;
  };
  const memory = new MemoryRelease(release, { leftMs: 5, quietMs: 50 });
  const come = (number: number) => {
    for (let one = 0; one < number; one++) memory.opened();
  };
  const leave = (number: number) => {
    for (let one = 0; one < number; one++) memory.closed();
  };
  return { memory, come, leave, count: () => count };
}

test('memory is given back once, after most of many connections have left', async () => {
  const { come, leave, count } = released();
  come(600);
  leave(500);
  await delay(30);
  assert.equal(count(), 0, 'a sixth is still there');
  leave(60);
  await delay(60);
  assert.equal(count(), 1);
  leave(40);
  come(100);
  leave(100);
  await delay(30);
  assert.equal(count(), 1, 'few came since');
});

test('it waits for a moment without requests', async () => {
  const { memory, come, leave, count } = released();
  come(500);
  memory.requested();
  leave(500);
  await delay(20);
  assert.equal(count(), 0);
  await delay(150);
  assert.equal(count(), 1);
});

test('Node can collect what is unused', () => {
  const memory = new MemoryRelease(undefined, { leftMs: 0, quietMs: 0 });
  for (let one = 0; one < 500; one++) memory.opened();
  for (let one = 0; one < 500; one++) memory.closed();
  return delay(20);
});
