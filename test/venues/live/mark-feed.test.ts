import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedServices } from '../../../src/venues/live/feed-services.ts';
import { MarkFeed } from '../../../src/venues/live/mark-feed.ts';
import type { MarksMessage } from '../../../src/venues/live/protocols/venue.ts';
import { TapeLines } from '../../../src/venues/tape/tape-lines.ts';

/** A feed of marks whose prices have one decimal, and what it has written. */
function feed() {
  const written: string[] = [];
  let uptime = 1_000_000;
  let isLive = true;
  let isFull = false;
  const definition = { marketId: 'okx|BTC-USDT-SWAP', priceDecimals: 1 } as ConstructorParameters<typeof TapeLines>[0];
  const services = {
    uptime: () => uptime,
    receivedUs: () => 0,
    write: (lines: readonly { text: string }[]) => {
      if (isFull) return null;
      for (const { text } of lines) written.push(/"mark":"([^"]*)"/.exec(text)![1]!);
      return uptime;
    },
  } as unknown as FeedServices;
  const marks = new MarkFeed(1, new TapeLines(definition), services, () => isLive);
  return {
    marks,
    written,
    take: (mark: string) => marks.take({ kind: 'marks', topic: 't', time: 0, mark } as MarksMessage),
    pass: (ms: number) => {
      uptime += ms;
    },
    live: (is: boolean) => {
      isLive = is;
    },
    full: (is: boolean) => {
      isFull = is;
    },
  };
}

test('a mark is written to half a price unit, and below what a tape holds exactly; anything else is named and left out', () => {
  const { marks, written, take } = feed();
  const good = ['0.05', '0.1', '95000.25', '200000000000000'];
  for (const mark of good) take(mark);
  assert.deepEqual([written, marks.problem], [good, null]);
  for (const mark of ['0.04', '0', '-1', '1e5', '', 'x', '300000000000000', '1234567890123456']) {
    take(mark);
    assert.match(marks.problem ?? '', /unusable/, mark);
    take('95000.25');
    assert.equal(marks.problem, null);
  }
  assert.deepEqual(written, [...good, '95000.25']);
});

test('the same prices are written again after five seconds; others at once', () => {
  const { written, take, pass } = feed();
  for (const [ms, mark] of [
    [0, '10'],
    [4_999, '10'],
    [1, '10'],
    [1, '11'],
    [1, '10'],
  ] as const) {
    pass(ms);
    take(mark);
  }
  assert.deepEqual(written, ['10', '10', '11', '10']);
});

test('nothing is written in a gap; prices of the last five seconds count when it ends, older ones do not', () => {
  for (const [ago, expected] of [
    [5_000, ['10', '12']],
    [5_001, ['10']],
  ] as const) {
    const { marks, written, take, pass, live } = feed();
    take('10');
    live(false);
    marks.lose();
    take('12');
    pass(ago);
    live(true);
    marks.begin();
    assert.deepEqual(written, expected);
  }
});

test('what a full disk did not take is written with the next message', () => {
  const { written, take, full } = feed();
  full(true);
  take('10');
  full(false);
  take('10');
  assert.deepEqual(written, ['10']);
});
