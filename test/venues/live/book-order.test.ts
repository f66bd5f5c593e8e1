import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookOrder } from '../../../src/venues/live/book-order.ts';
import type { BookMessage } from '../../../src/venues/live/protocols/venue.ts';

const message = (isFull: boolean, last: number): BookMessage => ({
  kind: 'book',
  topic: 'book',
  isFull,
  ids: { first: last, last, previous: last - 1 },
  time: last,
  bids: '[]',
  asks: '[]',
});
const update = (last: number) => message(false, last);
const full = (last: number) => message(true, last);

describe('updates that come before the full book', () => {
  it('wait for it where it is fetched, and those that it does not contain follow it', () => {
    const order = new BookOrder(true);
    for (const last of [1, 3, 4]) assert.deepEqual(order.take(update(last), 0, false), []);
    assert.equal(order.isWaiting, true);
    assert.deepEqual(order.join(full(2)), [full(2), update(3), update(4)]);
    assert.equal(order.isWaiting, false);
    assert.deepEqual(order.take(update(5), 0, false), [update(5)]);
  });

  it('are nothing to wait for where the stream itself sends it', () => {
    const order = new BookOrder(false);
    assert.deepEqual(order.take(update(1), 0, false), []);
    assert.equal(order.isWaiting, false, 'nothing is to be fetched');
    assert.deepEqual(order.take(full(2), 0, false), [full(2)]);
    assert.deepEqual(order.take(update(3), 0, false), [update(3)]);
  });
});
