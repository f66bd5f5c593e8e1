import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionMemory } from '../../../src/desk/session/memory.ts';

describe('what a session has read', () => {
  it('is read once, however often it is asked for; what could not be read is read again', async () => {
    const memory = new SessionMemory({ isHost: false });
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new Error('down');
      return reads;
    };
    await assert.rejects(memory.once('markets', read), /down/);
    assert.deepEqual(await Promise.all([memory.once('markets', read), memory.recent('markets', read)]), [2, 2]);
    assert.equal(await memory.known('markets'), 2);
    memory.forget();
    assert.equal(memory.known('markets'), undefined);
    assert.equal(await memory.once('markets', read), 3);
  });
});

describe('what is left to do at the end', () => {
  it('is done once, and of works with one name only the last', () => {
    const memory = new SessionMemory({ isHost: false });
    const done: string[] = [];
    memory.atEnd('names', () => done.push('first'));
    memory.atEnd('names', () => done.push('second'));
    memory.atEnd('notes', () => done.push('third'));
    memory.end();
    memory.end();
    assert.deepEqual(done, ['second', 'third']);
  });
});

describe('the answers of a host', () => {
  const answers = (count: number) => Array.from({ length: count }, (_, at) => ({ status: 200, body: { at } }));

  it('are kept for the explanation of an error, the latest ones', () => {
    const memory = new SessionMemory({ isHost: true });
    for (const answer of answers(1_000)) memory.took('listOrders', answer);
    assert.deepEqual(memory.received.at(-1), { id: 'listOrders', status: 200, body: { at: 999 } });
    const [oldest] = memory.received as { body: { at: number } }[];
    assert.ok(memory.received.length > 1 && memory.received.length < 100, 'a long session keeps its size');
    assert.equal(oldest!.body.at, 1_000 - memory.received.length);
  });

  it('are not kept of a simulation, whose errors are its own', async () => {
    const memory = new SessionMemory({ isHost: false });
    for (const answer of answers(3)) memory.took('listOrders', answer);
    assert.deepEqual(memory.received, []);
    const error = new TypeError('x is undefined');
    assert.equal(await memory.diagnosed(error), error);
  });
});
