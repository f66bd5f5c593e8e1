import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { AccountCache } from '../../../../src/bots/gate/cache/account-cache.ts';
import { inProcessTransport } from '../../../../src/service/public.ts';
import { createClient } from '../../../../src/wire/client/client.ts';
import { streamPaths } from '../../../../src/wire/contract/streams.ts';
import { startTime } from '../../../service/serving.ts';
import { temporaryDirectory } from '../../../service/temporary-directory.ts';
import { it, trial } from '../../../tiers.ts';
import { HandHeldStream, HandHeldTime, sessionOver } from '../hand-held.ts';

/** A cache of a simulation with two accounts, whose streams arrive when a test says so. */
async function open(t: TestContext) {
  const start = { stateDir: temporaryDirectory(t), seed: 7, startTime, clock: 'manual', accounts: 2 } as const;
  const desk = await inProcessTransport(start);
  const client = createClient({ transport: desk.transport });
  const accounts = (await client.call('listAccounts', {})).data.map(({ id }) => id);
  const markets = (await client.call('listMarkets', {})).data;
  const btc = markets.find(({ symbol }) => symbol === 'BTC')!.market_id;
  await client.call('simAdvance', { body: { duration_ms: 1_000 } });
  const time = new HandHeldTime();
  const account = new HandHeldStream(desk.stream, time);
  const market = new HandHeldStream(desk.stream, time);
  let wall = 0;
  const sent: string[] = [];
  const transport: typeof desk.transport = (request, limits) => {
    sent.push(request.target);
    return desk.transport(request, limits);
  };
  const session = sessionOver({
    transport,
    streams: { account: account.transport, market: market.transport },
    accountPath: streamPaths.live,
    time,
    now: () => time.now + wall,
  });
  const arrive = async (isSo: () => boolean) => {
    while (!isSo()) {
      for (const stream of [account, market]) stream.deliver(Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const wanted = { accounts: accounts.slice(0, 1), markets: [btc], gaps: [btc] };
  let cache: AccountCache | undefined;
  void AccountCache.open({ session, wanted: () => wanted, now: () => time.now, note() {} }).then((opened) => {
    cache = opened;
  });
  await arrive(() => cache !== undefined);
  t.after(async () => {
    await cache![Symbol.asyncDispose]();
    desk.close();
  });
  const [lead, follower] = accounts as [string, string];
  const exposed = () => cache!.exposed('one', lead);
  const copies = [
    { enabled: true, source_account_id: lead, targets: [{ account_id: follower, multiplier_bps: 20_000 }] },
  ];
  const copy = () => client.call('saveCopyTradingConfigurations', { body: { groups: copies, deleted_config_ids: [] } });
  const sleep = (ms: number) => {
    wall += ms;
  };
  return { cache: cache!, client, time, arrive, exposed, btc, lead, copy, sleep, sent };
}

describe('what a cache heard before its machine slept', () => {
  trial('counts for nothing until it is told again', async (t) => {
    const { cache, client, arrive, exposed, btc, lead, sleep } = await open(t);
    const before = exposed().marks.get(btc)!.price;
    assert.ok(cache.isCurrent(lead));
    await client.call('simAdvance', { body: { duration_ms: 20_000 } });
    sleep(3_600_000);
    const { account, copies, marks } = exposed();
    assert.deepEqual([account, copies, marks.size, cache.isCurrent(lead)], [undefined, undefined, 0, false]);
    await arrive(() => cache.isCurrent(lead) && exposed().marks.has(btc));
    assert.notEqual(exposed().marks.get(btc)!.price, before);
  });

  it('counts for nothing after a stop of the process, either', async (t) => {
    const { cache, time, exposed, lead, arrive } = await open(t);
    time.now += 4_999;
    assert.notEqual(exposed().account, undefined);
    time.now += 5_000;
    assert.equal(exposed().account, undefined);
    await arrive(() => cache.isCurrent(lead));
  });

  it('is waited for by a write that would be refused without it', async (t) => {
    const { cache, arrive, exposed, btc, lead, sleep } = await open(t);
    sleep(3_600_000);
    exposed();
    let isCaughtUp = false;
    void cache.caughtUp(lead, 500).then(() => {
      isCaughtUp = true;
    });
    await arrive(() => isCaughtUp);
    assert.ok(cache.isCurrent(lead) && exposed().marks.has(btc));
  });
});

describe('an account that somebody makes the lead of a copy group', () => {
  it('is known to be one within five seconds', async (t) => {
    const { time, arrive, exposed, copy } = await open(t);
    await copy();
    assert.deepEqual(exposed().copies, []);
    for (let passed = 0; passed < 5_000; passed += 500) time.pass(500);
    await arrive(() => exposed().copies?.length === 1);
  });

  it('is known to be one as soon as an order that no bot sent may be a copy', async (t) => {
    const { client, time, arrive, exposed, btc, lead, copy } = await open(t);
    time.pass(1_000);
    await copy();
    const order = {
      account_id: lead,
      market_id: btc,
      side: 'buy',
      size: 0.01,
      leverage: 2,
      margin_mode: 'cross',
    } as const;
    const sent = { ...order, client_order_id: 'gate-one_1' };
    await client.call('createOrder', { body: sent, idempotencyKey: '1' });
    await client.call('simAdvance', { body: { duration_ms: 2_000 } });
    await arrive(() => exposed().copies?.length === 1);
    assert.equal(time.now, 1_000);
  });

  it('is looked for once a second at most, however many orders no bot sent', async (t) => {
    const { client, time, arrive, exposed, btc, lead, sent } = await open(t);
    time.pass(1_000);
    sent.length = 0;
    const body = {
      account_id: lead,
      market_id: btc,
      side: 'buy',
      size: 0.01,
      leverage: 2,
      margin_mode: 'cross',
    } as const;
    const sizes = [1, 2, 3, 4, 5, 6].map((count) => count * 0.01);
    for (const [nth, size] of sizes.entries()) {
      await client.call('createOrder', { body, idempotencyKey: String(nth) });
      await arrive(() => exposed().positions?.[0]?.size === Number(size.toFixed(2)));
    }
    assert.deepEqual(sent, ['/v1/copy-trading']);
  });
});
