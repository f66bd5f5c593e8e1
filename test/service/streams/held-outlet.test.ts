import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HeldOutlet } from '../../../src/service/streams/account-feed.ts';

/** An outlet that records what it is told, and the sync that it waits for. */
function held() {
  const told: string[] = [];
  let sync: PromiseWithResolvers<void> | null = null;
  const to = {
    send: (text: string) => told.push(text),
    buffered: 10,
    close: (code: number) => told.push(`closed ${code}`),
  };
  const outlet = new HeldOutlet(to, () => sync?.promise ?? null);
  const begin = () => {
    const begun = Promise.withResolvers<void>();
    sync = begun;
    return {
      end: () => {
        if (sync === begun) sync = null;
        begun.resolve();
      },
      fail: () => {
        sync = null;
        begun.reject(new Error('the disk failed'));
      },
    };
  };
  return { told, outlet, begin };
}

test('frames wait for the sync of what they tell, and stay in order; the close comes after them', async () => {
  const { told, outlet, begin } = held();
  outlet.send('a');
  const first = begin();
  outlet.send('b');
  const second = begin();
  outlet.send('c');
  outlet.close(1000, 'done');
  assert.deepEqual([told, outlet.buffered], [['a'], 12]);
  first.end();
  await setImmediate();
  assert.deepEqual([told, outlet.buffered], [['a', 'b'], 11]);
  second.end();
  outlet.send('d');
  await setImmediate();
  assert.deepEqual([told, outlet.buffered], [['a', 'b', 'c', 'closed 1000', 'd'], 10]);
});

test('frames whose sync fails are never sent; later ones are', async () => {
  const { told, outlet, begin } = held();
  const sync = begin();
  outlet.send('lost');
  sync.fail();
  await setImmediate();
  outlet.send('later');
  assert.deepEqual([told, outlet.buffered], [['later'], 10]);
});
