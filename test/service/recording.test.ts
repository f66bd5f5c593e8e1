import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordingError } from '../../src/exchange/markets/recorded/recorded-source.ts';
import { inProcessTransport, SimulationError } from '../../src/service/public.ts';
import type { SimulationOptions } from '../../src/service/simulation/options.ts';
import { Api } from '../conformance/api.ts';
import { test, trial } from '../tiers.ts';
import { temporaryDirectory } from './temporary-directory.ts';

type Context = Parameters<typeof temporaryDirectory>[0];

const begin = Date.UTC(2026, 10, 17, 12);
const market = {
  market_id: 'bybit|XRPUSDT',
  symbol: 'XRP',
  coin: 'XRPUSDT',
  size_decimals: 1,
  tick: '0.0001',
  max_leverage: 8,
  category: 'crypto',
};
const book = (time: number, bid: string, ask: string) => ({
  time,
  market_id: market.market_id,
  bids: [[bid, '500']],
  asks: [[ask, '500']],
});

/** Four books one second apart; the price falls by one cent each time. */
const lines = [
  { time: begin, market },
  book(begin, '2.00', '2.01'),
  book(begin + 1_000, '1.99', '2.00'),
  book(begin + 2_000, '1.98', '1.99'),
  book(begin + 3_000, '1.97', '1.98'),
];

function recorded(t: Context, content: unknown[] = lines) {
  const stateDir = temporaryDirectory(t);
  const books = join(stateDir, 'books.jsonl');
  writeFileSync(books, content.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { stateDir, books };
}

async function opened(t: Context, options: SimulationOptions) {
  const { transport, simulation, close } = await inProcessTransport(options);
  t.after(close);
  const api = new Api(transport);
  const account = (await api.get('/v1/accounts')).body.data[0].id;
  const quote = async () => (await api.get('/v1/markets/bybit|XRPUSDT/quote')).body.data;
  return { api, account, quote, simulation, close };
}

test('with a manual clock, a recording starts at its first line and is advanced to its end', async (t) => {
  const { api, account, quote } = await opened(t, { ...recorded(t), clock: 'manual' });
  const first = await quote();
  assert.deepEqual([first.bid, first.ask, first.time], [2, 2.01, begin]);
  const { body } = await api.post('/v1/orders', {
    account_id: account,
    market_id: market.market_id,
    side: 'buy',
    type: 'limit',
    limit_price: 1.985,
    size: 100,
    leverage: 1,
    margin_mode: 'cross',
  });
  assert.equal(body.data.status, 'resting');

  const step = await api.post('/sim/advance', { duration_ms: 1_000 });
  assert.deepEqual(step.body.data, { from: begin, to: begin + 1_000 });
  assert.equal((await quote()).bid, 1.99);
  const end = await api.post('/sim/advance', { end: true });
  assert.deepEqual(end.body.data, { from: begin + 1_000, to: begin + 3_000 });
  assert.equal((await quote()).bid, 1.97);

  const order = (await api.get(`/v1/orders/${body.data.id}`)).body.data;
  assert.deepEqual([order.status, order.fill_price, order.settled_at], ['filled', 1.985, begin + 3_000]);
  const status = (await api.get('/sim/status')).body.data;
  assert.deepEqual(
    [status.source, status.clock, status.first_time, status.last_time, status.time],
    ['recorded', 'manual', begin, begin + 3_000, begin + 3_000],
  );
});

trial('with a real clock, it plays in real time or at a multiple of it, and is stale after its end', async (t) => {
  let wall = Date.UTC(2030, 0, 1);
  const { api, quote } = await opened(t, { ...recorded(t), speed: 2, wall: () => wall });
  assert.equal((await quote()).bid, 2);
  wall += 1_000;
  assert.equal((await quote()).bid, 1.98);
  wall += 60_000;
  const stale = await api.get('/v1/markets/bybit|XRPUSDT/quote');
  assert.deepEqual([stale.status, stale.headers['retry-after']], [503, '1']);
});

test('only a manual clock can be advanced, and never backward', async (t) => {
  const { api } = await opened(t, { ...recorded(t), clock: 'real' });
  assert.equal((await api.post('/sim/advance', { duration_ms: 1 })).status, 409);
  const manual = await opened(t, { ...recorded(t), clock: 'manual' });
  for (const body of [
    { to: begin - 1 },
    { duration_ms: 0 },
    { duration_ms: 1, end: true },
    {},
    { to: 1e15 },
    { duration_ms: 1e14 },
  ])
    assert.equal((await manual.api.post('/sim/advance', body)).status, 400, JSON.stringify(body));
});

test('a recording gets a new state each time, unless a state is named, which is continued', async (t) => {
  const files = recorded(t);
  const [one, other] = [await opened(t, files), await opened(t, files)];
  assert.notEqual(one.simulation.state, other.simulation.state);
  assert.match(one.simulation.state, /^books-\d{8}T\d{6}-[0-9a-f]{4}$/);

  const named = { ...files, state: 'practice', clock: 'manual' as const };
  const first = await opened(t, named);
  await first.api.post('/sim/advance', { duration_ms: 2_000 });
  first.close();
  const again = await opened(t, { stateDir: files.stateDir, state: 'practice' });
  assert.equal((await again.quote()).bid, 1.98, 'a state keeps its books');
});

test('as of now, it repeats at the wall clock, with a past, and a state keeps its place in it', async (t) => {
  let wall = Date.UTC(2030, 0, 1) + 300;
  const print = { time: begin + 500, market_id: market.market_id, trade: { price: '1.9950', size: '5', side: 'buy' } };
  const tape = recorded(t, [...lines.slice(0, 2), print, ...lines.slice(2)]);
  const options = { ...tape, state: 'practice', asNow: true, wall: () => wall };
  const { api, account, quote, close } = await opened(t, options);
  const prices = async () => {
    const { bid, time } = await quote();
    return [bid, time - wall];
  };
  assert.deepEqual(await prices(), [2, -300], 'the tape begins within the second');
  const order = { account_id: account, market_id: market.market_id, side: 'buy', size: 10, leverage: 1 };
  const bought = await api.post('/v1/orders', { ...order, margin_mode: 'cross' });
  assert.deepEqual([bought.body.data.status, bought.body.data.settled_at], ['filled', wall]);
  const status = (await api.get('/sim/status')).body.data;
  assert.deepEqual([status.time, status.first_time, status.last_time], [wall, null, null]);
  wall += 2_000;
  assert.deepEqual(await prices(), [1.98, -300]);
  close();
  wall += 60_000;
  const again = await opened(t, { stateDir: tape.stateDir, state: 'practice', wall: () => wall });
  const { bid, time } = await again.quote();
  assert.deepEqual([bid, time - wall], [1.98, -300], '15 passes later');
  wall += 1_000;
  const seam = await again.api.get('/v1/markets/bybit|XRPUSDT/quote');
  assert.deepEqual([seam.status, seam.body.error.code], [503, 'unavailable'], 'between two passes, there is no book');
});

test('only a recording can play as of now, at its own speed, with nothing to hide', async (t) => {
  const { stateDir, books } = recorded(t);
  const refused = (options: Partial<SimulationOptions>, kind: string) =>
    assert.rejects(
      inProcessTransport({ stateDir, asNow: true, ...options }),
      (error: unknown) => error instanceof SimulationError && error.kind === kind,
      JSON.stringify(options),
    );
  await refused({ state: 'new' }, 'invalid');
  await refused({ books: 'live' }, 'invalid');
  await refused({ books, blind: true }, 'invalid');
  await refused({ books, speed: 2 }, 'invalid');
  (await opened(t, { stateDir, books, state: 'then' })).close();
  await refused({ books, state: 'then' }, 'conflict');
});

test('a state refuses other market data', async (t) => {
  const files = recorded(t);
  const conflict = (error: unknown) => error instanceof SimulationError && error.kind === 'conflict';
  (await opened(t, { ...files, state: 'practice' })).close();
  writeFileSync(files.books, readLines([...lines, book(begin + 4_000, '1.5', '1.6')]));
  await assert.rejects(inProcessTransport({ ...files, state: 'practice' }), conflict, 'the file has changed');
  await assert.rejects(inProcessTransport({ stateDir: files.stateDir, state: 'practice' }), conflict);
  (await opened(t, { stateDir: files.stateDir, state: 'synthetic' })).close();
  await assert.rejects(inProcessTransport({ ...files, state: 'synthetic' }), conflict, 'a synthetic state');
});

test('unreadable market data is an error of the recording, and leaves no state behind', async (t) => {
  const { stateDir, books } = recorded(t, [{ time: begin, market }, book(begin, '2.02', '2.01')]);
  await assert.rejects(inProcessTransport({ stateDir, books, state: 'bad' }), RecordingError);
  await assert.rejects(inProcessTransport({ stateDir, books: join(stateDir, 'none.jsonl'), state: 'bad' }));
  assert.deepEqual(
    readdirSync(stateDir).filter((name) => name.startsWith('bad')),
    [],
  );
});

function readLines(content: unknown[]): string {
  return content.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const marks = (time: number, mark: string, index: string) => ({
  time,
  market_id: market.market_id,
  marks: { mark, index, funding_rate: '0.0001', funding_hours: 8, next_funding_at: begin + 3_600_000 },
});

test("on a tape with its venue's marks, an account goes by them if its policy says so, also after a restart", async (t) => {
  const own = [marks(begin, '2.0051', '2.004'), marks(begin + 1_000, '2.1004', '2.099')];
  const content = [...lines.slice(0, 2), own[0], lines[2], own[1], ...lines.slice(3)];
  const options = { ...recorded(t, content), state: 'practice', clock: 'manual' } as const;
  const { api, account, quote, close } = await opened(t, options);
  const plain = await quote();
  assert.deepEqual([plain.reference_kind, plain.reference_price], ['book_mid', 2.005]);
  const funding = { funding_rate: 0.0001, funding_hours: 8, next_funding_at: begin + 3_600_000 };
  assert.deepEqual(plain.venue, { mark: 2.0051, index: 2.004, ...funding, time: begin }, 'to half a price unit');
  const changed = await api.post('/sim/policy', { account_id: account, observed: { marks: 'venue' } });
  assert.equal(changed.status, 200);
  const order = { account_id: account, market_id: market.market_id, side: 'buy', size: 50, leverage: 1 };
  await api.post('/v1/orders', { ...order, margin_mode: 'cross' });
  await api.post('/sim/advance', { duration_ms: 1_500 });
  const risk = async (of: Api) => (await of.get(`/v1/accounts/${account}`)).body.data.risk;
  const { equity, balance } = {
    balance: (await api.get(`/v1/accounts/${account}`)).body.data.balance,
    ...(await risk(api)),
  };
  assert.equal(Math.round((equity - balance) * 1e6) / 1e6, 4.52, '50 x (2.1004 - 2.01)');
  close();
  const again = await opened(t, { stateDir: options.stateDir, state: 'practice' });
  const now = await again.quote();
  assert.deepEqual(
    [now.reference_kind, now.reference_price, now.reference_time],
    ['venue_mark', 2.1004, begin + 1_000],
    'without an account, the first that has any such behavior counts',
  );
  assert.equal((await risk(again.api)).equity, equity);
});

test("a recording without its venue's marks refuses a policy that needs them, in one sentence", async (t) => {
  const { api, account } = await opened(t, { ...recorded(t), clock: 'manual' });
  const { status, body } = await api.post('/sim/policy', { account_id: account, observed: { marks: 'venue' } });
  assert.equal(status, 409);
  assert.match(body.error.message, /^This recording lacks its venue's mark and index: marks venue is not possible/);
});
