import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, type Pieces, Turns } from '../../../src/wire/hosting/turns.ts';

const fail = (error: unknown) => assert.fail(String(error));
const turn = () => new Promise((resolve) => setImmediate(resolve));
const until = async (isIt: () => boolean) => {
  while (!isIt()) await turn();
};

/** Work of so many pieces, each noted. */
function* pieces(name: string, count: number, notes: string[]): Pieces {
  for (let piece = 0; piece < count; piece++) {
    notes.push(name);
    yield;
  }
}

test('each client gets one piece of work done in turn, however much one of them asks for', async () => {
  const turns = new Turns(fail);
  const [greedy, modest] = [{}, {}];
  const notes: string[] = [];
  for (let request = 0; request < 20; request++) turns.spread(greedy, pieces('greedy', 50, notes));
  turns.spread(modest, pieces('modest', 50, notes));
  await until(() => notes.filter((name) => name === 'modest').length === 50);
  const meanwhile = notes.slice(0, notes.lastIndexOf('modest'));
  assert.equal(meanwhile.filter((name) => name === 'greedy').length, 50);
});

test('work that takes long is interrupted for the others', async () => {
  const turns = new Turns(fail);
  let isEnding = false;
  turns.spread(
    {},
    (function* () {
      while (!isEnding) yield;
    })(),
  );
  const notes: string[] = [];
  turns.spread({}, pieces('other', 5, notes));
  await until(() => notes.length === 5);
  isEnding = true;
});

test('quick work is done at once up to a share, then in order, turn by turn', async () => {
  const turns = new Turns(fail);
  const [many, few] = [{}, {}];
  const done: number[] = [];
  for (let count = 0; count < 100; count++) turns.take(many, () => void done.push(count));
  assert.equal(done.length, 16);
  assert.equal(turns.waitingOf(many), 84);
  let isDone = false;
  turns.take(few, () => {
    isDone = true;
    return undefined;
  });
  assert.ok(isDone, 'another client does not wait');
  assert.equal(turns.admits(many), false);
  await until(() => done.length === 100);
  assert.deepEqual(
    done,
    Array.from({ length: 100 }, (_, count) => count),
  );
});

test('what a client asks for after work in pieces waits for it; what is spread does not', async () => {
  const turns = new Turns(fail);
  const client = {};
  const notes: string[] = [];
  turns.take(client, () => pieces('first', 30, notes));
  turns.spread(client, pieces('beside', 3, notes));
  turns.take(client, () => void notes.push('second'));
  await until(() => notes.includes('second'));
  assert.ok(notes.indexOf('second') >= 30);
  assert.equal(notes.filter((name) => name === 'first').length, 30);
});

test('the event loop goes on between the pieces', async () => {
  const turns = new Turns(fail);
  let [played, between] = [0, 0];
  turns.spread(
    {},
    (function* () {
      for (; played < 50; played++) {
        const endsAt = performance.now() + 1;
        while (performance.now() < endsAt);
        yield;
      }
    })(),
  );
  while (played < 50) {
    await turn();
    between += 1;
  }
  assert.ok(between >= 12, `${between} turns of the event loop during 50 pieces of a millisecond`);
});

test('a client that is forgotten gets nothing more, and its pieces clean up', async () => {
  const turns = new Turns(fail);
  const [gone, other] = [{}, {}];
  const notes: string[] = [];
  let isCleaned = false;
  turns.spread(
    gone,
    (function* (): Pieces {
      try {
        yield* pieces('gone', 1_000_000, notes);
      } finally {
        isCleaned = true;
      }
    })(),
  );
  await until(() => notes.length > 0);
  turns.forget(gone);
  const before = notes.length;
  turns.spread(other, pieces('other', 5, notes));
  await until(() => notes.length === before + 5);
  assert.ok(isCleaned && !notes.slice(before).includes('gone'));
});

test('what work throws is reported, and the rest goes on', async () => {
  const bugs: unknown[] = [];
  const turns = new Turns((error) => bugs.push(error));
  const client = {};
  turns.take(client, () => {
    throw new Error('a bug');
  });
  let isDone = false;
  turns.take(client, () => {
    isDone = true;
    return undefined;
  });
  await turn();
  assert.deepEqual([bugs.map(String), isDone], [['Error: a bug'], true]);
});

test('pieces at once give the same result', () => {
  const sum = function* (): Pieces<number> {
    let total = 0;
    for (let value = 1; value <= 3; value++) {
      total += value;
      yield;
    }
    return total;
  };
  assert.equal(atOnce(sum()), 6);
});
