import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AccountCache } from '../../../../src/bots/gate/cache/account-cache.ts';
import { BotStreams } from '../../../../src/bots/gate/streams/bot-streams.ts';
import { inProcessTransport } from '../../../../src/service/public.ts';
import type { Order } from '../../../../src/wire/contract/orders.ts';
import { type AccountFrame, streamPaths } from '../../../../src/wire/contract/streams.ts';
import { startTime } from '../../../service/serving.ts';
import { temporaryDirectory } from '../../../service/temporary-directory.ts';
import { HandHeldStream, HandHeldTime, sessionOver } from '../hand-held.ts';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
type Frame = any;

const market = 'binance|BTCUSDT';

/** A simulation with three accounts, a cache of it, and the streams of bots that see the first two of them. */
async function open(t: TestContext) {
  const desk = await inProcessTransport({
    stateDir: temporaryDirectory(t),
    seed: 7,
    clock: 'manual',
    startTime,
    accounts: 3,
  });
  const accounts = desk.simulation.read(({ store }) => store.accounts('local', 'live').map(({ id }) => id));
  const time = new HandHeldTime();
  const upstream = new HandHeldStream(desk.stream, time);
  const session = sessionOver({
    transport: desk.transport,
    streams: { account: upstream.transport, market: desk.stream },
    accountPath: streamPaths.live,
    time,
  });
  const arrive = async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      upstream.deliver(Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const wanted = { accounts, markets: [], gaps: [] };
  const opening = AccountCache.open({ session, wanted: () => wanted, now: () => time.now, note() {} });
  await arrive();
  const cache = await opening;
  const streams = new BotStreams({
    cache,
    accountsOf: () => accounts.slice(0, 2),
    shown: (bot, { client_order_id: id, ...order }) => {
      const own = id?.startsWith(`gate-${bot}_`) ? { client_order_id: id.slice(`gate-${bot}_`.length) } : {};
      return { ...order, ...own } as Order;
    },
    uptime: () => time.now,
  });
  t.after(async () => {
    streams[Symbol.dispose]();
    await cache[Symbol.asyncDispose]();
    desk.close();
  });
  const place = async (account_id: string, client_order_id: string) => {
    const order = { account_id, market_id: market, side: 'buy', size: 0.01, leverage: 2, margin_mode: 'cross' };
    const body = JSON.stringify({ ...order, type: 'market', client_order_id });
    const headers = { 'content-type': 'application/json', 'idempotency-key': client_order_id };
    const answer = await desk.transport({ method: 'POST', target: '/v1/orders', headers, body }, { timeoutMs: 1_000 });
    assert.equal(answer.status, 201);
    await arrive();
  };
  return { accounts, streams, upstream, time, place, arrive };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** What a bot receives on a stream. */
function listenTo(
  { streams, arrive }: Pick<Opened, 'streams' | 'arrive'>,
  query = '',
  path: string = streamPaths.live,
) {
  const frames: Frame[] = [];
  const ends: { code: number; status?: number | undefined }[] = [];
  const stream = streams.open('one', path + query, {
    opened() {},
    text: (text) => frames.push(JSON.parse(text)),
    closed: (end) => ends.push(end),
  });
  return { frames, ends, stream, ready: arrive() };
}

const types = (frames: readonly Frame[]) => frames.map(({ type }) => type);

describe('the account stream of a bot', () => {
  it('begins with the snapshots of its own accounts, and goes on with their frames only', async (t) => {
    const opened = await open(t);
    const { frames, ready } = listenTo(opened);
    await ready;
    assert.deepEqual(types(frames), ['hello', 'snapshot', 'snapshot', 'snapshot_end']);
    assert.deepEqual(
      frames.slice(1, 3).map(({ account_id }) => account_id),
      opened.accounts.slice(0, 2),
    );
    await opened.place(opened.accounts[2]!, 'gate-one_hidden');
    assert.equal(frames.length, 4);
    await opened.place(opened.accounts[0]!, 'gate-one_mine');
    assert.deepEqual(types(frames.slice(4)), ['order', 'fill', 'position', 'account']);
    assert.deepEqual(
      frames.slice(1).flatMap(({ seq }: Frame) => seq ?? []),
      [1, 2, 3, 4, 5, 6],
    );
  });

  it('has its own client order ids, and none of others', async (t) => {
    const opened = await open(t);
    const { frames, ready } = listenTo(opened);
    await ready;
    await opened.place(opened.accounts[0]!, 'gate-one_mine');
    await opened.place(opened.accounts[0]!, 'gate-two_other');
    const ids = frames.flatMap(({ type, order, fill }: Frame) =>
      type === 'order' || type === 'fill' ? [(order ?? fill).client_order_id] : [],
    );
    assert.deepEqual(ids, ['mine', 'mine', undefined, undefined]);
  });

  it('resumes where it stopped', async (t) => {
    const opened = await open(t);
    const first = listenTo(opened);
    await first.ready;
    first.stream.close();
    await opened.place(opened.accounts[0]!, 'gate-one_mine');
    const { stream_id } = first.frames[0];
    const again = listenTo(opened, `?resume=${stream_id}&last_seq=2&since=0`);
    await again.ready;
    assert.equal(again.frames[0].resumed, true);
    assert.deepEqual(types(again.frames), ['hello', 'order', 'fill', 'position', 'account']);
  });

  it('is not there while the gate has lost the stream of the service, and starts over when frames were missed', async (t) => {
    const opened = await open(t);
    const { upstream, time, place, arrive } = opened;
    const { frames, ends, ready } = listenTo(opened);
    await ready;
    upstream.break();
    const refused = listenTo(opened);
    await refused.ready;
    assert.deepEqual(
      refused.ends.map(({ status }) => status),
      [503],
    );
    upstream.forgets = true;
    time.pass(2_000);
    await place(opened.accounts[0]!, 'gate-one_missed');
    await arrive();
    assert.deepEqual([frames.at(-1).type, ends.length], ['reconnect', 1]);
    const again = listenTo(opened, `?resume=${frames[0].stream_id}&last_seq=2&since=1`);
    await again.ready;
    const [hello, , snapshot] = again.frames as AccountFrame[] as Frame[];
    assert.equal(hello.resumed, false);
    assert.ok([again.frames[1], snapshot].some(({ positions }) => positions.length === 1));
    assert.deepEqual(
      again.frames.flatMap(({ type, fill }: Frame) => (type === 'fill' ? [fill.client_order_id] : [])),
      ['missed'],
    );
  });

  it('sends heartbeats only while nothing is missing', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const opened = await open(t);
    const { upstream, time } = opened;
    const { frames, ready } = listenTo(opened);
    await ready;
    const heartbeats = () => frames.filter(({ type }: Frame) => type === 'heartbeat').length;
    time.now += 16_000;
    t.mock.timers.tick(1_000);
    assert.equal(heartbeats(), 1);
    upstream.break();
    time.now += 16_000;
    t.mock.timers.tick(1_000);
    assert.equal(heartbeats(), 1);
  });
});

describe('streams without number', () => {
  it('are not opened: the oldest account stream gives way, market streams are refused', async (t) => {
    const opened = await open(t);
    const account = Array.from({ length: 65 }, () => listenTo(opened));
    const markets = Array.from({ length: 65 }, () => listenTo(opened, '', streamPaths.marketData));
    await opened.arrive();
    const ended = (all: typeof account) =>
      all.flatMap(({ ends }, nth) => ends.map((end) => [nth, end.status ?? end.code]));
    assert.deepEqual(ended(account), [[0, 1008]]);
    assert.deepEqual(ended(markets), [[64, 429]]);
    markets[0]!.stream.close();
    const { ends, ready } = listenTo(opened, '', streamPaths.marketData);
    await ready;
    assert.deepEqual(ends, []);
  });
});

describe('the market stream of a bot', () => {
  it("is the service's as it is, in both directions", async (t) => {
    const opened = await open(t);
    const { frames, stream } = listenTo(opened, '', streamPaths.marketData);
    stream.send(JSON.stringify({ op: 'req', id: 3, method: 'ping' }));
    await opened.arrive();
    assert.deepEqual(frames, [{ op: 'res', id: 3, result: startTime }]);
  });
});
