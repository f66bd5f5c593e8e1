import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import {
  codeText,
  Failure,
  factsOfCode,
  type HostCode,
  hostCode,
  type OwnCode,
  ownCodes,
} from '../../../../src/base/failure/failure.ts';
import { hintFor } from '../../../../src/base/failure/hints.ts';
import { placeOf } from '../../../../src/base/files/folders.ts';
import type { Client } from '../../../../src/programs/sdk/client/client-types.ts';
import { connect } from '../../../../src/programs/sdk/client/connect.ts';
import { PerpError, perpErrorOf } from '../../../../src/programs/sdk/client/errors.ts';
import { Simulation } from '../../../../src/programs/sdk/sim.ts';
import { backtest, trade } from '../../../../src/programs/sdk/strategy.ts';
import { errorCodes } from '../../../../src/wire/contract/errors.ts';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { rawServer } from '../../../wire/client/raw-server.ts';
import { servedSimulation } from '../served.ts';

const folder = mkdtempSync(join(tmpdir(), 'perp-client-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a call rejects with. */
async function failure(call: Promise<unknown>): Promise<PerpError> {
  const error = await call.then(
    () => assert.fail('no error'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PerpError, String(error));
  return error;
}

describe('a client of the library', () => {
  let service: Awaited<ReturnType<typeof servedSimulation>>;
  let client: Client;
  let account: string;
  const journal = join(folder, 'journal');
  before(async () => {
    service = await servedSimulation();
    const { baseUrl, key, streamUrl } = service;
    client = connect({ baseUrl, key, journal, marketStreamUrl: streamUrl, accountStreamUrl: streamUrl });
    account = (await client.listAccounts())[0]!.id;
  });
  after(async () => {
    await client.close();
    await service[Symbol.asyncDispose]();
  });
  const order = () =>
    ({ account_id: account, market_id: 'binance|BTCUSDT', side: 'buy', leverage: 1, margin_mode: 'cross' }) as const;

  it('has a method for every operation of the contract', () => {
    for (const id of Object.keys(operations)) assert.equal(typeof client[id as 'getOrder'], 'function', id);
  });

  it('sends path, query and body from one object, and answers with the data', async () => {
    const placed = await client.createOrder({ ...order(), size: 0.01, type: 'limit', limit_price: 20_000 });
    assert.equal(placed.status, 'resting');
    const { data, queued } = await client.call('modifyOrder', { order_id: placed.id, price: 21_000 });
    assert.deepEqual([data.limit_price, queued], [21_000, false]);
    const working = await client.listOrders({ account_id: account, status: 'working' });
    assert.deepEqual(
      working.items.map(({ id }) => id),
      [placed.id],
    );
    assert.deepEqual(await client.cancelOrder({ order_id: placed.id }), { id: placed.id, canceled: true });
    assert.equal((await client.cancelAllAccountOrders({ account_id: account })).status, 'completed');
  });

  it('answers a list with a page that says where the next one begins, and goes through all pages', async () => {
    for (let turn = 0; turn < 5; turn++) await client.createOrder({ ...order(), size: 0.01 });
    const list = client.listFills({ account_id: account, limit: 2 });
    const all: string[] = [];
    for await (const { id } of list) all.push(id);
    assert.equal(new Set(all).size, 5);
    const sizes: number[] = [];
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { data } = await client.call('listFills', { account_id: account, limit: 2, cursor });
      assert.deepEqual(data, await client.listFills({ account_id: account, limit: 2, cursor }));
      sizes.push(data.items.length);
      ids.push(...data.items.map(({ id }) => id));
      cursor = data.next;
      if (cursor === undefined) break;
    }
    assert.deepEqual([sizes, ids], [[2, 2, 1], all]);
    const rest: string[] = [];
    const { next } = await list;
    for await (const { id } of client.listFills({ account_id: account, limit: 2, cursor: next })) rest.push(id);
    assert.deepEqual(rest, all.slice(2), 'from a page on');
  });

  it('takes the account of what it names, if it is that one, and sends nothing for another', async () => {
    const { id: order_id } = await client.createOrder({ ...order(), size: 0.01, type: 'limit', limit_price: 20_000 });
    const astray = await failure(client.cancelOrder({ order_id, account_id: 'acc_x' }));
    assert.deepEqual([astray.code, astray.field, astray.sent], ['invalid_request', 'account_id', 'no']);
    assert.equal((await client.getOrder({ order_id, account_id: account })).status, 'resting');
    assert.equal((await client.cancelOrder({ order_id, account_id: account })).canceled, true);
    await client.createOrder({ ...order(), market_id: 'binance|ETHUSDT', size: 0.1 });
    const { items } = await client.listOpenPositions({ account_id: account });
    const { id: position_id } = items.find(({ market_id }) => market_id === 'binance|ETHUSDT')!;
    assert.equal((await client.closePosition({ position_id, account_id: account })).status, 'filled');
  });

  it('names the field that can’t be sent, the rule that refuses, and the way out', async () => {
    const unsent = await failure(client.createOrder({ ...order(), size: -1 }));
    assert.deepEqual([unsent.code, unsent.field, unsent.outcome], ['invalid_request', 'size', 'nothing']);
    const refused = await failure(client.createOrder({ ...order(), size: 10_000 }));
    assert.deepEqual([refused.status, refused.ruleId, refused.outcome], [422, 'insufficient-depth', 'nothing']);
    assert.match(refused.hint!, /smaller size/);
    assert.deepEqual(JSON.parse(JSON.stringify(refused)).message, refused.message);
    assert.match(refused.orderId!, /^ord_/);
    assert.equal((await failure(client.getOrder({ order_id: 'ord_x' }))).code, 'not_found');
    assert.equal((await failure(client.call('noSuchThing' as 'getOrder', { order_id: '' }))).code, 'usage');
  });

  it('keeps a write on disk until it is answered', async () => {
    await client.createOrder({ ...order(), size: 0.01 });
    assert.ok(existsSync(journal));
    assert.deepEqual(await client.pending(), []);
  });

  it('follows markets and the account until it is told to end', async () => {
    const ticks = client.stream('ticks', { markets: ['binance|BTCUSDT'] });
    const { value: tick } = await ticks.next();
    assert.deepEqual([tick.type, tick.symbol, tick.market_id], ['tick', 'BTCUSDT', 'binance|BTCUSDT']);
    await ticks.return!(undefined);
    const over = new AbortController();
    const types: string[] = [];
    for await (const event of client.accountStream({ signal: over.signal })) {
      types.push(event.type);
      if (event.type === 'snapshot') await client.createOrder({ ...order(), size: 0.01 });
      if (event.type === 'fill') over.abort();
    }
    assert.deepEqual([types[0], types.at(-1)], ['snapshot', 'fill']);
    const long = client.stream('candles', { markets: ['binance|BTCUSDT'], intervals: ['1m'], history: 5_000 });
    assert.deepEqual(
      (await failure(long.next())).issues.map(({ field }) => field),
      ['history'],
    );
    const bad = client.stream('books', { markets: ['BTC'] });
    assert.equal((await failure(bad.next())).code, 'usage');
  });
});

describe('a write whose answer is lost', () => {
  it('rejects as unknown, and stays in the journal of its place', async () => {
    await using service = await servedSimulation();
    const { baseUrl, key } = service;
    const journal = join(folder, 'lost');
    // It takes the request and never answers, and then the caller gives up.
    const over = new AbortController();
    const silent = await rawServer((socket) => {
      socket.destroy();
      over.abort();
    });
    const lost = connect({ baseUrl: silent.url, key, journal });
    const order = { account_id: 'acc_000000001', market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01 } as const;
    const asked = { ...order, leverage: 1, margin_mode: 'cross', client_order_id: 'mine' } as const;
    const error = await failure(lost.createOrder(asked, { signal: over.signal }).catch(asUnknown));
    assert.equal(error.outcome, 'unknown');
    const pending = await lost.pending();
    assert.deepEqual(
      pending.map(({ clientOrderId }) => clientOrderId),
      ['mine'],
    );
    assert.equal(readdirSync(journal).length, 1);
    await lost.close();
    await silent.close();
    // Another host is another place: its client sees nothing of it.
    await using elsewhere = connect({ baseUrl, key, journal });
    assert.deepEqual(await elsewhere.pending(), []);
  });

  for (const lost of ['answers', 'requests'] as const)
    it(`is settled later, and there is exactly one order: the ${lost} were lost`, async (t) => {
      await using service = await servedSimulation();
      await using way = await wayTo(service.baseUrl);
      const options = { baseUrl: way.url, key: service.key, journal: join(folder, `lost-${lost}`), timeoutMs: 100 };
      way.loses = lost;
      // Minutes ago: what is not there by now never comes.
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 600_000 });
      const first = connect(options);
      const sent = first.createOrder({ ...bought, client_order_id: 'mine' }, { signal: way.hasLost });
      assert.equal((await failure(sent.catch(asUnknown))).outcome, 'unknown');
      await first.close();
      t.mock.timers.reset();
      way.loses = 'nothing';
      await using later = connect({ ...options, timeoutMs: 15_000 });
      const orders = async () => (await later.listOrders({ account_id: bought.account_id })).items.length;
      assert.equal(await orders(), lost === 'answers' ? 1 : 0);
      assert.deepEqual(
        (await later.pending()).map(({ clientOrderId }) => clientOrderId),
        ['mine'],
      );
      const settled = await later.settle();
      assert.deepEqual(
        settled.map(({ clientOrderId, outcome }) => [clientOrderId, outcome]),
        [['mine', 'done']],
      );
      assert.equal(await orders(), 1);
      assert.deepEqual([await later.pending(), await later.settle()], [[], []]);
    });

  it('is not settled while its own call still waits for the answer', async () => {
    await using service = await servedSimulation();
    await using way = await wayTo(service.baseUrl);
    await using client = connect({ baseUrl: way.url, key: service.key, journal: join(folder, 'slow') });
    way.loses = 'time';
    const placed = client.createOrder(bought);
    await way.isHeld;
    const settled = client.settle();
    way.goOn();
    assert.deepEqual([(await placed).status, await settled], ['filled', []]);
    assert.equal(way.writes(), 1);
  });

  it('is not settled by another client of this process while its own waits for the answer', async () => {
    await using service = await servedSimulation();
    await using way = await wayTo(service.baseUrl);
    const options = { baseUrl: way.url, key: service.key, journal: join(folder, 'two') };
    await using client = connect(options);
    await using other = connect(options);
    way.loses = 'time';
    const placed = client.createOrder(bought);
    await way.isHeld;
    const settled = other.settle();
    way.goOn();
    assert.deepEqual([(await placed).status, await settled], ['filled', []]);
    assert.equal(way.writes(), 1);
  });
});

const bought = {
  account_id: 'acc_000000001',
  market_id: 'binance|BTCUSDT',
  side: 'buy',
  size: 0.01,
  leverage: 1,
  margin_mode: 'cross',
} as const;

/** A way to a host that loses requests, answers, or time: then a write waits until it may go on. */
async function wayTo(host: string) {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lost = new AbortController();
  const { hostname, port, host: name } = new URL(host);
  const way = { loses: 'nothing' as 'nothing' | 'answers' | 'requests' | 'time' };
  const isWrite = (request: string) => request.startsWith('POST');
  const lose = (socket: Socket, request: string) => {
    socket.destroy();
    if (isWrite(request)) lost.abort();
  };
  const pass = (socket: Socket, request: string) => {
    const onward = createConnection(Number(port), hostname).on('error', () => socket.destroy());
    onward.write(request.replace(/^host: .*$/im, `host: ${name}`), 'latin1');
    onward.on('data', (bytes) => (way.loses === 'answers' ? lose(socket, request) : socket.write(bytes)));
    socket.on('close', () => onward.destroy());
  };
  const server = await rawServer((socket, _, request) => {
    if (way.loses === 'requests') lose(socket, request);
    else if (way.loses === 'time' && isWrite(request)) {
      held.resolve();
      void free.promise.then(() => pass(socket, request));
    } else pass(socket, request);
  });
  return Object.assign(way, {
    url: server.url,
    /** Aborts once a write was lost. */
    hasLost: lost.signal,
    isHeld: held.promise,
    goOn: () => free.resolve(),
    writes: () => server.requests.filter(isWrite).length,
    [Symbol.asyncDispose]: () => server.close(),
  });
}

/** What an aborted call leaves is as unknown as one without an answer. */
function asUnknown(error: unknown): never {
  if (error instanceof PerpError) throw error;
  throw new PerpError({ code: 'outcome_unknown', message: String(error), sent: 'unknown' });
}

test('a request that came too often says how long to wait', async () => {
  const body = JSON.stringify({ error: { code: 'rate_limited', message: 'Too many requests.' } });
  const head = `HTTP/1.1 429 Too Many Requests\r\nRetry-After: 60\r\nContent-Type: application/json`;
  const busy = await rawServer((socket) =>
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  await using client = connect({ baseUrl: busy.url, key: 'any', journal: null });
  const { code, retryable, retryAfterMs } = await failure(client.listMarkets());
  assert.deepEqual([code, retryable, retryAfterMs], ['rate_limited', true, 60_000]);
  await busy.close();
});

describe('an address that can’t be used', () => {
  for (const [field, options] of [
    ['baseUrl', { baseUrl: 'http://api.example.com' }],
    ['baseUrl', { baseUrl: 'nonsense' }],
    ['accountStreamUrl', { baseUrl: 'https://api.example.com', accountStreamUrl: 'ws://api.example.com' }],
  ] as const)
    it(`is refused by its option: ${JSON.stringify(options)}`, () => {
      assert.throws(
        () => connect({ ...options, key: 'secret-key' }),
        (error: PerpError) => error.field === field && !JSON.stringify(error).includes('secret-key'),
      );
    });
});

describe('the address of a host', () => {
  for (const end of ['/v1', '/v1/'])
    it(`may end in ${end}, as other programs have it, and is the same place`, async () => {
      await using service = await servedSimulation();
      const { baseUrl, key } = service;
      await using client = connect({ baseUrl: baseUrl + end, key, journal: null });
      assert.equal((await client.listAccounts()).length, 1);
      await using simulation = await Simulation.connect({ baseUrl: baseUrl + end, key });
      for await (const { type } of simulation.client.accountStream()) {
        assert.equal(type, 'snapshot');
        break;
      }
      assert.equal(placeOf(baseUrl + end), placeOf(baseUrl));
    });
});

describe('options that a program in JavaScript gives', () => {
  const strategy = { markets: ['BTC'] };
  const times = { from: 0, to: 1 };
  const client = connect({ baseUrl: 'https://api.example.com', journal: null });
  const cases: readonly [fields: string[], call: () => unknown][] = [
    [['baseUrl'], () => connect({} as never)],
    [['environment'], () => connect({ baseUrl: 'https://api.example.com', environment: 'test' as never })],
    [['timeoutMs'], () => connect({ baseUrl: 'https://api.example.com', timeoutMs: -1 })],
    [['timeoutMs'], () => client.listMarkets({}, { timeoutMs: -1 })],
    [['timeoutMs'], () => client.listOrders({}, { timeoutMs: Number.NaN })],
    [['timeout'], () => client.listMarkets({}, { timeout: 5 } as never)],
    [['idempotencyKey', 'signal'], () => client.call('listMarkets', {}, { idempotencyKey: 1, signal: {} } as never)],
    [['jornal'], () => connect({ baseUrl: 'https://api.example.com', jornal: null } as never)],
    [['key'], () => Simulation.connect({ baseUrl: 'http://127.0.0.1:1' } as never)],
    [['seed', 'clock'], () => Simulation.open({ seed: 'x', clock: 'fast' } as never)],
    [['balanse'], () => Simulation.open({ balanse: 5 } as never)],
    [['start'], () => Simulation.open({ start: new Date('never') })],
    [['name'], () => Simulation.open({ folder, name: '../x' })],
    [['seed', 'thinkMs'], () => backtest(strategy, { ...times, seed: 0.5, thinkMs: -5 })],
    [['plans'], () => backtest(strategy, { ...times, plans: 'none' } as never)],
    [['from'], () => backtest(strategy, { from: 'now' } as never)],
    [['for'], () => trade(strategy, { client, for: 'x' })],
    [['client'], () => trade(strategy, { client: 1 } as never)],
  ];
  for (const [fields, call] of cases)
    it(`are refused by their names: ${fields.join(', ')}`, async () => {
      const error = await failure((async () => call())());
      const named = error.issues.map(({ field }) => field);
      assert.deepEqual([error.code, named], ['usage', fields]);
    });

  it('are suggested if they were probably meant', async () => {
    assert.match(
      (await failure(Simulation.open({ balanse: 5 } as never))).message,
      /balanse is not known; did you mean balance\?/,
    );
  });
});

describe('a hint of the library', () => {
  it('names calls of the library, and no command and no option of one', () => {
    const hintOf = (code: OwnCode | HostCode, ruleId?: string) => {
      const facts = { ...factsOfCode('rule_violation'), code, message: 'Refused.' };
      return (perpErrorOf(new Failure({ ...facts, hint: hintFor(codeText(code), ruleId) })) as PerpError).hint;
    };
    assert.match(hintOf('unsettled_write')!, /^Call client\.settle\(\)/);
    assert.equal(hintOf('rule_violation', 'exit-allocation'), 'Add replace_overlapping_exits to replace them.');
    for (const code of [...Object.keys(errorCodes), ...Object.keys(ownCodes)])
      assert.doesNotMatch(hintOf(hostCode(code)) ?? '', /\bperp [a-z]|--|PERP_/, code);
  });

  it('never tells about the keys and folders of commands', async () => {
    await using service = await servedSimulation();
    await using stranger = connect({ baseUrl: service.baseUrl, key: 'sim_live_nobody', journal: null });
    assert.equal((await failure(stranger.listAccounts())).hint, 'Pass `connect` a key that this host accepts.');
    assert.equal(
      (await failure(Simulation.open({ folder: join(import.meta.filename, 'x') }))).hint,
      'A file exists where a folder is needed.',
    );
  });
});

describe('a simulation of the library', () => {
  it('refuses what it can’t be, and everything once it is closed', async () => {
    assert.equal((await failure(Simulation.open({ plan: 'gold' as 'none' }))).code, 'usage');
    assert.equal((await failure(Simulation.open({ books: join(folder, 'none.jsonl') }))).code, 'recording');
    const simulation = await Simulation.open({ seed: 1 });
    assert.equal((await failure(simulation.advance('soon'))).code, 'usage');
    assert.equal((await failure(simulation.advance(-1))).field, 'duration_ms');
    await simulation.close();
    assert.equal((await failure(simulation.now())).code, 'closed');
    const { client } = simulation;
    const page = client.listFills({ account_id: 'acc_000000001' });
    for (const call of [client.listAccounts(), page, client.pending(), client.settle()])
      assert.equal((await failure(call)).code, 'closed');
  });

  it('is kept in a folder, with its clock, and only one process may have it served', async () => {
    const first = await Simulation.open({ folder, seed: 1, start: 1_781_100_000_000 });
    assert.equal(await first.advance('1m'), 1_781_100_060_000);
    await first.close();
    const again = await Simulation.open({ folder });
    assert.equal(await again.now(), 1_781_100_060_000);
    await again.close();
    await using service = await servedSimulation();
    assert.equal((await failure(Simulation.open({ folder: service.stateDir }))).code, 'conflict');
  });
});

it('a simulation can have accounts with rooms and without, as they are on the service', async () => {
  await using simulation = await Simulation.open({ seed: 7, plan: ['select', 'none'] });
  const accounts = await simulation.client.listAccounts();
  assert.deepEqual(
    accounts
      .reverse()
      .map(({ risk }) => [risk?.daily_loss_room, risk?.max_drawdown_room, risk?.requirements.daily_loss_pct]),
    [
      [3_000, 3_000, 3],
      [null, null, 0],
    ],
  );
  const refused = await failure(Simulation.open({ plan: ['select', 'gold' as 'none'] }));
  assert.match(refused.message, /There is no plan "gold"/);
});
