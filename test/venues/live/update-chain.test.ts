import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpdateChain } from '../../../src/venues/live/book-order.ts';

test('the first update after a full book may cover its id, up to its own last one; later ones name the one before', () => {
  const joined = () => {
    const chain = new UpdateChain();
    chain.restart(10);
    return chain;
  };
  const cases: [first: number, last: number, previous: number, verdict: string][] = [
    [8, 9, 7, 'stale'],
    [8, 10, 7, 'apply'],
    [10, 12, 9, 'apply'],
    [11, 12, 10, 'apply'],
    [12, 13, 11, 'gap'],
  ];
  for (const [first, last, previous, verdict] of cases)
    assert.equal(joined().follow({ first, last, previous }), verdict, `${first} to ${last}`);
  const chain = joined();
  chain.follow({ first: 8, last: 10, previous: 7 });
  assert.equal(chain.follow({ first: 9, last: 11, previous: 8 }), 'gap', 'no longer joining');
  assert.equal(chain.follow({ first: 12, last: 12, previous: 11 }), 'gap', 'until the next full book');
});
