import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountFollower } from '../../../../src/wire/client/streams/account-follower.ts';
import type { StreamState } from '../../../../src/wire/client/streams/stream-state.ts';
import { streamPaths } from '../../../../src/wire/contract/streams.ts';
import { Folded } from '../../../desk/account/tell.ts';
import { ScriptedHost, VirtualTime } from './scripted-stream.ts';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
type Frame = any;

function following(probe?: () => Promise<void>) {
  const host = new ScriptedHost();
  const time = new VirtualTime();
  const frames: Frame[] = [];
  const states: StreamState[] = [];
  const ends: Error[] = [];
  const folded = new Folded();
  const follower = new AccountFollower({
    transport: host.transport,
    path: streamPaths.live,
    timing: time,
    onFrame: (frame) => {
      frames.push(frame);
      folded.apply(frame);
    },
    onState: (state) => states.push(state),
    onEnd: (error) => ends.push(error),
    probe,
  });
  return { host, time, frames, states, ends, follower, folded };
}

// The sample frames of the account stream: only ids and the documented fields.
const hello = { type: 'hello', stream_id: 'st_7Qk', resumed: false };
const snapshot = {
  type: 'snapshot',
  seq: 1,
  account_id: 'acc_1',
  account: { id: 'acc_1', balance: 50000 },
  positions: [{ id: 'pos_1', market_id: 'mkt_1', side: 'long', size: 0.5 }],
  orders: [{ id: 'ord_1', status: 'resting' }],
};
const end = { type: 'snapshot_end' };
const filled = {
  type: 'order',
  seq: 2,
  time: 1790000061500,
  event: 'filled',
  account_id: 'acc_1',
  order: { id: 'ord_1', status: 'filled' },
};
const fill = { type: 'fill', seq: 3, time: 1790000061500, account_id: 'acc_1', fill: { id: 'fill_1' } };
const grown = {
  type: 'position',
  seq: 4,
  time: 1790000061501,
  event: 'updated',
  account_id: 'acc_1',
  position: { id: 'pos_1', side: 'long', size: 1.0 },
};
const closed = {
  type: 'position',
  seq: 5,
  time: 1790000090000,
  event: 'closed',
  account_id: 'acc_1',
  position: { id: 'pos_1' },
};
const richer = {
  type: 'account',
  seq: 6,
  time: 1790000090001,
  event: 'updated',
  account_id: 'acc_1',
  account: { id: 'acc_1', balance: 50120.4 },
};
const removed = { type: 'account', seq: 7, time: 1790000090900, event: 'removed', account_id: 'acc_1' };

test('the sample frames add up to the expected state', async () => {
  const { host, time, folded } = following();
  await time.pass(0);
  const state = () => {
    const { account, positions, orders } = folded.accounts.get('acc_1') as Frame;
    return [account.balance, [...positions.values()].map(({ size }: Frame) => size), [...orders.keys()]];
  };
  host.newest.say(hello, snapshot, end);
  assert.deepEqual(state(), [50000, [0.5], ['ord_1']]);
  host.newest.say(filled, fill, grown);
  assert.deepEqual(state(), [50000, [1], []]);
  host.newest.say(closed, richer, { type: 'heartbeat' }, { type: 'novelty' });
  assert.deepEqual(state(), [50120.4, [], []]);
  host.newest.say(removed);
  assert.equal(folded.accounts.size, 0);
});

test('a lost stream is resumed by its last number and time; repeated frames are not reported again', async () => {
  const { host, time, frames, states } = following();
  await time.pass(0);
  assert.equal(host.newest.target, '/v1/stream');
  host.newest.say(hello, snapshot, end, filled, fill);
  host.newest.lose();
  await time.pass(1_000);
  assert.equal(host.newest.target, '/v1/stream?resume=st_7Qk&last_seq=3&since=1790000061500');
  host.newest.say({ ...hello, resumed: true }, fill, grown);
  assert.deepEqual(
    frames.map(({ type }) => type),
    ['hello', 'snapshot', 'snapshot_end', 'order', 'fill', 'hello', 'position'],
  );
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['live', 'reconnecting', 'live'],
  );
});

test('a stream that starts over replaces the known state; a fill is not reported twice', async () => {
  const { host, time, frames, folded } = following();
  await time.pass(0);
  host.newest.say(hello, snapshot, { ...snapshot, seq: 2, account_id: 'acc_2', account: { id: 'acc_2' } }, end);
  host.newest.say({ ...fill, seq: 3 });
  host.newest.lose();
  await time.pass(1_000);
  host.newest.say({ ...hello, stream_id: 'st_new' }, { ...snapshot, orders: [] }, end, { ...fill, seq: 2 });
  host.newest.say({ ...fill, seq: 3, fill: { id: 'fill_2' } });
  assert.deepEqual([...folded.accounts.keys()], ['acc_1'], 'the other account is not accessible');
  assert.equal(folded.accounts.get('acc_1')!.orders.size, 0);
  assert.deepEqual(
    frames.filter(({ type }) => type === 'fill').map((frame) => frame.fill.id),
    ['fill_1', 'fill_2'],
  );
});

test('a stream cut during its snapshots is not resumed, because it has not started', async () => {
  const { host, time } = following();
  await time.pass(0);
  host.newest.say(hello, snapshot);
  host.newest.lose();
  await time.pass(1_000);
  assert.equal(host.newest.target, '/v1/stream');
});

test('when the service asks to reconnect, the client does so at once, with resume', async () => {
  const { host, time } = following();
  await time.pass(0);
  host.newest.say(hello, snapshot, end, { type: 'reconnect' });
  await time.pass(100);
  assert.equal(host.connections.length, 2);
  assert.match(host.newest.target, /resume=st_7Qk&last_seq=1/);
  assert.ok(host.connections[0]!.isClosed);
});

test('a connection without hello makes the client ask over REST, and continue while that works', async () => {
  let asked = 0;
  const { host, time, ends } = following(async () => {
    asked += 1;
    if (asked === 3) throw new Error('unauthorized');
  });
  host.isDown = true;
  await time.pass(10_000);
  assert.deepEqual([asked, ends.map(({ message }) => message)], [3, ['unauthorized']]);
  const { length } = host.connections;
  await time.pass(100_000);
  assert.equal(host.connections.length, length, 'the stream has ended');
});

test('a credential that is revoked or expires ends the stream', async () => {
  const { host, time, ends } = following();
  await time.pass(0);
  host.newest.say(hello, snapshot, end, { type: 'error', code: 'unauthorized', message: 'It was revoked.' });
  host.newest.lose(4003, 'the credential was revoked or expired');
  await time.pass(100_000);
  assert.deepEqual([ends.length, host.connections.length], [1, 1]);
});

test('45 s without a frame end the connection', async () => {
  const { host, time, states } = following();
  await time.pass(0);
  host.newest.say(hello, snapshot, end);
  await time.pass(44_000);
  host.newest.say({ type: 'heartbeat' });
  await time.pass(44_999);
  assert.equal(host.connections.length, 1);
  await time.pass(1_000);
  assert.equal(host.connections.length, 2);
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['live', 'stale', 'live', 'stale', 'reconnecting'],
  );
});
