import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { MarketDefinition } from '../../src/exchange/engine/model.ts';
import type { MarketSource } from '../../src/exchange/engine/source.ts';
import { defaultCatalog, firstCatalog } from '../../src/exchange/markets/catalog.ts';
import { syntheticSource } from '../../src/exchange/markets/synthetic/synthetic-source.ts';
import { currentVersions } from '../../src/exchange/markets/versions.ts';
import { StoreError } from '../../src/exchange/store/errors.ts';
import { migrate } from '../../src/exchange/store/schema.ts';
import { StateDatabase } from '../../src/exchange/store/state-database.ts';
import { Store } from '../../src/exchange/store/store.ts';
import { Service } from '../../src/service/handlers/service.ts';
import { inProcessTransport, openSimulation } from '../../src/service/public.ts';
import { localPrincipal } from '../../src/service/simulation/keys.ts';
import { Simulation } from '../../src/service/simulation/simulation.ts';
import { stateHealth } from '../../src/service/state/state-health.ts';
import { bringForward } from '../../src/service/state/versions.ts';
import { EventText, historyPage } from '../../src/service/streams/candles.ts';
import { Api } from '../conformance/api.ts';
import { startTime } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const seed = 7;
const wall = () => startTime;
const [btc, eth] = firstCatalog as [MarketDefinition, MarketDefinition];
/** An older catalog: BTC with finer lots, ETH with an old tick, and a market that has since been removed. */
const older: readonly MarketDefinition[] = [
  { ...btc, sizeDecimals: 5 },
  { ...eth, tick: 5 },
  { ...btc, marketId: 'binance|GONEUSDT', symbol: 'GONE', coin: 'GONEUSDT' },
];
const olderVersions = { rules: 1, catalog: 0, prices: 0 };

const terms = { side: 'buy', leverage: 2, margin_mode: 'cross' };
const options = (stateDir: string) => ({ stateDir, seed, clock: 'manual' as const, startTime, wall });

/** A state as left by an older perp: with its own catalog, positions in two of its markets and an order in one. */
async function olderState(stateDir: string): Promise<string> {
  (await openSimulation(options(stateDir))).close();
  const store = Store.open(join(stateDir, 'default.db'));
  store.transaction(() => {
    store.setSetting('markets', JSON.stringify(older));
    store.setVersions(olderVersions);
  });
  const simulation = simulationOn(store, syntheticSource({ seed, definitions: older }));
  const api = apiOf(simulation);
  const { id: account_id } = (await api.get('/v1/accounts')).body.data[0];
  for (const order of [
    { market_id: btc.marketId, size: 0.01234 },
    { market_id: 'binance|GONEUSDT', size: 0.5 },
    { market_id: btc.marketId, size: 0.00021, type: 'limit', limit_price: 50_000 },
  ])
    assert.equal((await api.post('/v1/orders', { account_id, ...terms, ...order })).status, 201);
  simulation.close();
  return account_id;
}

function simulationOn(store: Store, source: MarketSource): Simulation {
  return new Simulation('default', store, { source, seed, firstTime: null, lastTime: null, close() {} }, wall);
}

function apiOf(simulation: Simulation): Api {
  const urls = { live: '', test: '' };
  const service = new Service(simulation, {
    urls,
    rateLimit: null,
    localKeyHash: null,
    groupsCommits: false,
    onBug() {},
  });
  return new Api((request) => service.handle(request, { environment: 'live', principal: localPrincipal('live') }));
}

async function opened(t: Parameters<typeof temporaryDirectory>[0], stateDir: string): Promise<Api> {
  const { transport, close } = await inProcessTransport({ stateDir, wall });
  t.after(close);
  return new Api(transport);
}

test('a new state records its versions of rules, catalog and prices', async (t) => {
  const simulation = await openSimulation(options(temporaryDirectory(t)));
  t.after(() => simulation.close());
  assert.deepEqual(simulation.store.versions(), { journalFrom: 1, ...currentVersions.synthetic });
});

test('a state of older versions opens and continues: its records keep their units, and it does not count as damaged', async (t) => {
  const stateDir = temporaryDirectory(t);
  const account = await olderState(stateDir);
  const api = await opened(t, stateDir);

  const positions = (await api.get(`/v1/positions?account_id=${account}`)).body.data;
  assert.deepEqual(positions.map(({ symbol, size }: { symbol: string; size: number }) => [symbol, size]).sort(), [
    ['BTC', 0.01234],
    ['GONE', 0.5],
  ]);
  const [resting] = (await api.get('/v1/orders?status=working')).body.data;
  assert.deepEqual([resting.size, resting.limit_price], [0.00021, 50_000]);
  const listed = (await api.get('/v1/markets')).body.data as { market_id: string; size_decimals: number }[];
  assert.deepEqual(
    new Map(listed.map((market) => [market.market_id, market.size_decimals])),
    new Map([
      ...defaultCatalog.map((market) => [market.marketId, market.sizeDecimals] as const),
      [btc.marketId, 5],
      ['binance|GONEUSDT', 3],
    ]),
    'the current catalog, except for markets that the state has records of',
  );

  for (const { id } of positions) assert.equal((await api.post(`/v1/positions/${id}/close`, {})).status, 201);
  assert.equal((await api.delete(`/v1/orders/${resting.id}`)).status, 200);
  const order = { account_id: account, market_id: 'binance|SOLUSDT', size: 1, ...terms };
  assert.equal((await api.post('/v1/orders', order)).status, 201, 'in a market that is new to it');

  const [health] = stateHealth(stateDir);
  assert.equal(health!.problem, null);
  assert.equal(
    health!.examination!.log.versions.length > 1,
    true,
    'its command log was written under more than one version',
  );
});

test('the versions change once, starting with the next command, after a backup', async (t) => {
  const stateDir = temporaryDirectory(t);
  await olderState(stateDir);
  const before = Store.open(join(stateDir, 'default.db'));
  const commands = before.commands(0, 100).length;
  before.close();
  for (let time = 0; time < 2; time++) (await openSimulation({ stateDir, wall })).close();
  const store = Store.open(join(stateDir, 'default.db'));
  t.after(() => store.close());
  assert.deepEqual(store.versions(), { journalFrom: commands + 1, ...currentVersions.synthetic });

  const copy = Store.open(join(stateDir, 'default.rules-1-catalog-0-prices-0.backup'));
  t.after(() => copy.close());
  assert.equal(copy.versions()!.catalog, 0);
  assert.equal(copy.commands(0, 100).length, commands);
});

test('a state that was migrated has its backup already', (t) => {
  const stateDir = temporaryDirectory(t);
  const file = join(stateDir, 'default.db');
  const database = new StateDatabase(file);
  const tables = readFileSync(new URL('../exchange/store/schema-2.sql', import.meta.url), 'utf8')
    .split(/;\n\n?/)
    .slice(0, -1);
  migrate(database, { version: 2, create: () => tables, upgrades: [] });
  database.close();
  const store = Store.open(file);
  store.transaction(() => store.setVersions(olderVersions));
  bringForward(store, 'recorded', null);
  assert.deepEqual(store.versions(), { journalFrom: 1, ...currentVersions.recorded });
  store.close();
  assert.deepEqual(readdirSync(stateDir).sort(), ['default.db', 'default.format-2.backup']);
});

test('a state of older versions whose head is lost counts as damaged', async (t) => {
  const stateDir = temporaryDirectory(t);
  await olderState(stateDir);
  const database = new DatabaseSync(join(stateDir, 'default.db'));
  database.exec('DELETE FROM head');
  database.close();
  const simulation = await openSimulation({ stateDir, wall });
  t.after(() => simulation.close());
  assert.throws(() => simulation.read(() => {}), { name: 'StoreError', kind: 'corrupt' });
});

for (const prices of [1, 2])
  test(`a state of prices ${prices} continues from the last prices that it knows: nothing fills, triggers or is liquidated`, async (t) => {
    const stateDir = temporaryDirectory(t);
    const later = startTime + 90_000;
    (await openSimulation(options(stateDir))).close();
    const store = Store.open(join(stateDir, 'default.db'));
    store.transaction(() => store.setVersions({ ...currentVersions.synthetic, prices }));
    // The older prices no longer exist; any others do in their place: here, about twice those of the state's seed.
    const old = syntheticSource({ seed, lastTouches: [twice(btc), twice(eth)] });
    const simulation = simulationOn(store, old);
    const api = apiOf(simulation);
    const { id: account_id } = (await api.get('/v1/accounts')).body.data[0];
    const { bids, asks } = old.book(eth.marketId, startTime)!;
    const price = (units: number) => units / 10 ** eth.priceDecimals;
    const order = { account_id, ...terms, market_id: eth.marketId, size: 0.1 };
    const filled = await api.post('/v1/orders', order);
    for (const body of [
      // One step away on either side: the price has nowhere else to go.
      { ...order, type: 'limit', limit_price: price(bids[0]!) },
      { ...order, type: 'stop_market', trigger_price: price(asks[0]! + 1) },
      // No fill in this market, but an order that waits.
      { ...order, market_id: btc.marketId, size: 0.01, type: 'limit', limit_price: 100_000 },
    ])
      assert.equal((await api.post('/v1/orders', body)).status, 201);
    store.transaction(() => store.setSetting('clock', JSON.stringify({ kind: 'manual', now: later })));
    simulation.close();

    for (let time = 0; time < 2; time += 1) {
      const reopened = await opened(t, stateDir);
      const quoteOf = async ({ marketId }: MarketDefinition) =>
        (await reopened.get(`/v1/markets/${encodeURIComponent(marketId)}/quote`)).body.data;
      const quote = await quoteOf(eth);
      assert.ok(Math.abs(quote.bid - filled.body.data.fill_price) <= price(2), JSON.stringify(quote));
      assert.ok((await quoteOf(btc)).bid > 150_000);
      assert.equal((await reopened.get('/v1/orders?status=working')).body.data.length, 3);
      assert.equal((await reopened.get(`/v1/positions?account_id=${account_id}`)).body.data.length, 1);
    }
    assert.equal(stateHealth(stateDir)[0]!.problem, null);
  });

test('a market that continued from older prices once continues from there again', async (t) => {
  const stateDir = temporaryDirectory(t);
  (await openSimulation(options(stateDir))).close();
  const store = Store.open(join(stateDir, 'default.db'));
  store.transaction(() => {
    store.setVersions({ ...currentVersions.synthetic, prices: 2 });
    store.setSetting('last_touches', JSON.stringify([twice(eth)]));
  });
  store.close();
  const api = await opened(t, stateDir);
  const { data: quote } = (await api.get(`/v1/markets/${encodeURIComponent(eth.marketId)}/quote`)).body;
  assert.equal(quote.bid, twice(eth).bid / 10 ** eth.priceDecimals);
});

test('bars that open before the change say that they are of other prices', () => {
  const source = syntheticSource({ seed, lastTouches: [twice(eth)] });
  const text = new EventText(eth, source.pricesSince!(eth.marketId));
  const request = { provider: '', symbol: '', interval: '1m', limit: 4 } as const;
  const page = historyPage({ marketId: eth.marketId, text, bars: source }, request, startTime + 90_000);
  let step = page.next();
  while (step.done !== true) step = page.next();
  const minute = Math.floor(startTime / 60_000) * 60_000;
  assert.deepEqual(
    step.value.map((line) => JSON.parse(line)).map(({ openTime, otherPrices }) => [openTime - minute, otherPrices]),
    [-2, -1, 0, 1].map((at) => [at * 60_000, at * 60_000 + minute < startTime ? true : undefined]),
  );
});

/** About twice the price that a market has. */
function twice({ marketId }: MarketDefinition) {
  const { bids, asks } = syntheticSource({ seed }).book(marketId, startTime)!;
  return { marketId, time: startTime, bid: 2 * bids[0]!, ask: 2 * bids[0]! + asks[0]! - bids[0]! };
}

test('a market removed from the catalog is listed while a position is open there, and only reductions are accepted', async (t) => {
  const stateDir = temporaryDirectory(t);
  const [xrp, hype] = ['XRP', 'HYPE'].map((symbol) => firstCatalog.find((market) => market.symbol === symbol)!);
  (await openSimulation(options(stateDir))).close();
  const store = Store.open(join(stateDir, 'default.db'));
  // A state in the first formats does not record its markets.
  store.transaction(() => {
    store.setSetting('markets', 'null');
    store.setVersions({ rules: 1, catalog: 1, prices: 1 });
  });
  const before = simulationOn(store, syntheticSource({ seed, definitions: firstCatalog }));
  const { id: account_id } = (await apiOf(before).get('/v1/accounts')).body.data[0];
  const order = { account_id, ...terms, market_id: xrp!.marketId, size: 100 };
  assert.equal((await apiOf(before).post('/v1/orders', order)).status, 201);
  before.close();

  const api = await opened(t, stateDir);
  type Listed = { market_id: string; symbol: string; reduce_only: boolean };
  const listed = async () => (await api.get('/v1/markets')).body.data as Listed[];
  const ofXrp = (await listed()).filter(({ symbol }) => symbol === 'XRP');
  assert.deepEqual(
    ofXrp.map(({ market_id, reduce_only }) => [market_id, reduce_only]),
    [
      ['binance|XRPUSDT', false],
      ['bybit|XRPUSDT', true],
    ],
  );
  assert.equal((await listed()).length, 123);
  const refused = await api.post('/v1/orders', order);
  assert.deepEqual([refused.status, refused.body.error.rule_id], [422, 'trading-halt']);
  assert.equal((await api.get(`/v1/markets/${encodeURIComponent(hype!.marketId)}`)).status, 404);
  const [position] = (await api.get(`/v1/positions?account_id=${account_id}`)).body.data;
  assert.equal((await api.post(`/v1/positions/${position.id}/close`, {})).status, 201);
  assert.equal((await listed()).length, 122);
  assert.equal((await api.get('/sim/status')).body.data.markets, 122);
  assert.equal((await api.get('/v1/orders')).body.data.length, 3, 'refused orders stay on record');
});

test('a state written under newer rules is refused and unchanged', async (t) => {
  const stateDir = temporaryDirectory(t);
  (await openSimulation(options(stateDir))).close();
  const file = join(stateDir, 'default.db');
  const store = Store.open(file);
  store.transaction(() =>
    store.setVersions({ ...currentVersions.synthetic, rules: currentVersions.synthetic.rules + 1 }),
  );
  store.close();
  await assert.rejects(openSimulation({ stateDir, wall }), (error) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.kind, 'newer');
    assert.match(error.message, /newer perp.*rules/);
    return true;
  });
  assert.ok(existsSync(file));
});
