import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type MarketRequest,
  MarketRequests,
  type StreamRefusal,
} from '../../../../src/wire/client/streams/market-connection.ts';
import { VirtualTime } from './scripted-stream.ts';

const busy = { code: 'too_many_requests', message: 'later' };

/** Requests over a connection that the test answers itself. */
function asking() {
  const time = new VirtualTime();
  const sent: MarketRequest[] = [];
  let isConnected = true;
  const requests = new MarketRequests(time, (request) => {
    if (isConnected) sent.push(request);
    return isConnected;
  });
  /** Asks for these, and gathers what becomes of each. */
  const ends: string[] = [];
  const ask = (...methods: string[]) => {
    for (const method of methods)
      requests.ask(method, undefined).then(
        (result) => ends.push(`${method}: ${result}`),
        ({ code }: StreamRefusal) => ends.push(`${method}: refused, ${code}`),
      );
  };
  const methods = () => sent.splice(0).map(({ method }) => method);
  const connect = (is: boolean) => {
    isConnected = is;
  };
  return { time, sent, requests, ends, ask, methods, connect };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('at most three requests are unanswered; each answer lets the next one leave, in order', async () => {
  const { sent, ends, ask } = asking();
  ask('a', 'b', 'c', 'd', 'e');
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['a', 'b', 'c'],
  );
  sent[1]!.resolve('B');
  sent[0]!.refused({ code: 'unknown_symbol', message: 'none' });
  await settled();
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['a', 'b', 'c', 'd', 'e'],
  );
  assert.deepEqual(ends, ['b: B', 'a: refused, unknown_symbol']);
});

test('what a busy service refuses is asked again after 0.5, 1, 1.5 and 2 s, before what waits; the fifth refusal counts', async () => {
  const { time, sent, ends, ask, methods } = asking();
  ask('a');
  for (const waitMs of [500, 1_000, 1_500, 2_000]) {
    sent.pop()!.refused(busy);
    await time.pass(waitMs - 1);
    assert.deepEqual(methods(), [], `${waitMs}`);
    await time.pass(1);
    assert.equal(sent.length, 1, `${waitMs}`);
  }
  sent.pop()!.refused(busy);
  await settled();
  assert.deepEqual(ends, ['a: refused, too_many_requests']);
});

test('while one waits for its turn to be asked again, others use its place', async () => {
  const { time, sent, ask, methods } = asking();
  ask('a', 'b', 'c', 'd');
  sent[0]!.refused({ code: 'bad', message: '3 requests in flight' });
  ask('e');
  assert.deepEqual(methods(), ['a', 'b', 'c', 'd']);
  await time.pass(500);
  assert.deepEqual(methods(), [], 'three are unanswered');
});

test('after a lost connection, the unanswered ones are sent first, in order', () => {
  const { requests, ask, methods, connect } = asking();
  ask('a', 'b', 'c', 'd');
  assert.deepEqual(methods(), ['a', 'b', 'c']);
  connect(false);
  requests.again();
  ask('e');
  requests.again();
  connect(true);
  requests.next();
  assert.deepEqual(methods(), ['a', 'b', 'c']);
});

test('only what passes is asked again: too many requests, no capacity, a lost connection in between', async () => {
  const passing = [
    busy,
    { code: 'rejected', message: 'Too many subscriptions' },
    { code: 'rejected', message: 'no capacity' },
    { code: 'x', message: 'y', source: 'transport' },
  ];
  for (const error of [...passing, { code: 'rejected', message: 'no such symbol' }]) {
    const { time, sent, ends, ask } = asking();
    ask('a');
    sent.pop()!.refused(error);
    await time.pass(500);
    assert.deepEqual([sent.length, ends.length], passing.includes(error) ? [1, 0] : [0, 1], error.message);
  }
});

test('closing refuses every request: unanswered, waiting, and about to be asked again', async () => {
  const { time, sent, requests, ends, ask } = asking();
  ask('a', 'b', 'c');
  sent[0]!.refused(busy);
  ask('d', 'e');
  const before = sent.length;
  requests.close();
  await time.pass(500);
  await settled();
  assert.equal(sent.length, before, 'nothing more is sent');
  assert.deepEqual(
    ends.toSorted(),
    ['a', 'b', 'c', 'd', 'e'].map((method) => `${method}: refused, closed`),
  );
});
