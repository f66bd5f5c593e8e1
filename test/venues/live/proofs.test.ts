import assert from 'node:assert/strict';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { type Ask, urlOf, type VenueMessage } from '../../../src/venues/live/protocols/venue.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { test, trial } from '../../tiers.ts';
import { open, quickVenues } from './conformance.ts';
import type { LiveScene } from './live-scene.ts';
import { checkPrints, hasTrades, listLots, provesStreams, refineTick, unproved } from './proof-trials.ts';

for (const venue of ['binance', 'bybit'] as const) provesStreams(venue);

for (const venue of quickVenues) {
  test(`${venue}: a history answer that comes after its gap is written at once, and holds nothing back`, async (t) => {
    const scene = await open(t, venue);
    const end = unproved['answers that come after the gap']!(scene, (low) => low);
    await scene.run(15_000);
    end();
    await scene.run(10_000);
    await scene.world.pass(400);
    scene.checkHealed();
    checkPrints(scene);
  });
}

for (const venue of ['bybit', 'lighter'] as const) {
  test(`${venue}: one print that the stream has lost is found within a minute`, async (t) => {
    const scene = await open(t, venue);
    await scene.run(3_000);
    let lost = 0;
    scene.world.route.down = (text) => (lost === 0 && hasTrades(text) && ++lost > 0 ? [] : [{ text, afterMs: 0 }]);
    await scene.run(70_000);
    assert.equal(lost, 1);
    checkPrints(scene);
  });
}

test('bybit: a finer tick is a new definition on the tape once the venue is connected again; the market goes on, also after a restart', async (t) => {
  const scene = await open(t, 'bybit');
  for (const market of scene.server.markets) refineTick(market);
  await scene.run(10_000);
  for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
  await scene.run(15_000);
  await scene.world.pass(400);
  scene.checkHealed();
  const [marketId] = scene.marketIds;
  const ticks = () =>
    scene
      .tapeLines()
      .flatMap(({ market }) => (market?.market_id === marketId ? Number((market as { tick?: string }).tick) : []));
  assert.deepEqual(ticks(), [0.1, 0.01]);
  await scene.restart();
  await scene.run(5_000);
  await scene.world.pass(400);
  scene.checkHealed();
  const { tick, priceDecimals } = scene.live.market(marketId!)!.definition;
  assert.equal(tick! / 10 ** priceDecimals, 0.01);
});

for (const venue of ['okx', 'kraken'] as const)
  test(`${venue}: a changed contract size is noticed at the next connection: no book, print or order is off by it, also after a restart`, async (t) => {
    const scene = await open(t, venue);
    await scene.run(2_000);
    for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
    for (const market of scene.server.markets) market.contract = ['0.001', '1000'];
    // The list comes later than the first book.
    scene.server.troubles.answer = (ordinary, path) => ({
      ...ordinary(),
      ...(path.includes('instruments') && { afterMs: 1_000 }),
    });
    await scene.run(6_000);
    scene.server.troubles.answer = null;
    await scene.run(10_000);
    await scene.world.pass(400);
    scene.checkHealed();
    checkSizes(scene);
    await scene.restart();
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
    checkSizes(scene);
    assert.equal(scene.live.market(scene.marketIds[0]!)!.contractSize, '0.001');
  });

for (const venue of ['binance', 'bybit', 'hyperliquid', 'lighter', 'okx', 'kraken'] as const)
  test(`${venue}: finer and coarser lots are new definitions on the tape, which goes on without a gap of their own, also after a restart`, async (t) => {
    const scene = await open(t, venue);
    const [marketId] = scene.marketIds;
    const lots = () => {
      const { sizeDecimals, priceDecimals, lotDecimals } = scene.live.source.definitionAt!(
        marketId!,
        scene.live.time(),
      );
      return [sizeDecimals, priceDecimals, lotDecimals];
    };
    await scene.run(3_000);
    const began = scene.live.time();
    const change = async (byDecimals: number) => {
      listLots(scene, byDecimals);
      for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
      await scene.run(12_000);
      await scene.world.pass(400);
      scene.checkHealed();
    };
    const [unit, priceUnit, lot] = lots();
    assert.equal(unit, lot! + 2);
    await change(1);
    assert.deepEqual(lots(), [unit, priceUnit, lot! + 1]);
    checkPrintSizes(scene);
    assert.match(scene.status(marketId).problem!, /has changed .*the lot from 0\.\d*1 to 0\.\d*1$/);
    assert.equal(scene.live.source.definitionAt!(marketId!, began).lotDecimals, lot, 'what was stays');
    await scene.restart();
    await scene.run(5_000);
    await scene.world.pass(400);
    scene.checkHealed();
    assert.deepEqual(lots(), [unit, priceUnit, lot! + 1]);
    await change(-2);
    assert.deepEqual(lots(), [unit, priceUnit, lot! - 1]);
    assert.doesNotMatch(scene.gaps(marketId).join(), /misfit/);
  });

test('lots finer than a tape can hold are a gap with that reason, also after a restart, until the venue lists others', async (t) => {
  const scene = await open(t, 'bybit');
  await scene.run(3_000);
  listLots(scene, 3);
  for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
  await scene.run(6_000);
  const checkGap = () => {
    const { state, gap, problem } = scene.status();
    assert.deepEqual([state === 'live', typeof gap?.reason], [false, 'string']);
    assert.match(problem!, /lots of 0\.000001 now, finer than the units of this tape can hold: record to a new one/);
  };
  checkGap();
  await scene.restart();
  await scene.run(6_000);
  checkGap();
  listLots(scene, -3);
  for (const socket of scene.server.subscriptions.keys()) socket.close('maintenance');
  await scene.run(15_000);
  await scene.world.pass(400);
  scene.checkHealed();
});

test('a print too fine for its market is a gap that is known in part', async (t) => {
  const scene = await open(t, 'binance');
  let isSent = false;
  scene.world.route.down = (text) => {
    const isFine = !isSent && hasTrades(text);
    isSent ||= isFine;
    return [{ text: isFine ? text.replace(/"q":"([\d.]+)"/, '"q":"$1000001"') : text, afterMs: 0 }];
  };
  await scene.run(6_000);
  const [marketId] = scene.marketIds.filter((id) => scene.gaps(id).length > 0);
  const [reason, end] = scene.gaps(marketId);
  assert.match(`${reason}, ${end}`, /^misfit, \d+ part$/);
  assert.match(scene.status(marketId).problem!, /a print does not fit: .*decimals/);
  scene.checkHealed();
});

/** Every print on the tape has the size that it had at the venue. */
function checkPrintSizes(scene: LiveScene): void {
  for (const { market_id, trade } of scene.tapeLines()) {
    if (trade === undefined) continue;
    const market = scene.server.markets[scene.marketIds.indexOf(market_id!)];
    const { size } = market!.trades.find(({ number }) => number === Number(trade.id.replace('trade-', '')))!;
    assert.equal(Number(trade.size), size / 10 ** market!.sizeDecimals);
  }
}

/** The same, and every best level has a size that the book had. */
function checkSizes(scene: LiveScene): void {
  checkPrintSizes(scene);
  for (const { market_id, bids, delta } of scene.tapeLines()) {
    const market = scene.server.markets[scene.marketIds.indexOf(market_id ?? '')];
    if (bids !== undefined && delta === undefined)
      assert.ok(
        bids.every(([, size]) => Number(size) <= 5_000 / 10 ** market!.sizeDecimals && Number(size) >= 0.001),
        JSON.stringify(bids),
      );
  }
}

trial('no part of a tape begins before the last line of the part before', async (t) => {
  const scene = await open(t, 'binance', { partBytes: 20_000 });
  await scene.run(60_000);
  const lines = scene.tapeLines();
  assert.ok(lines.filter(({ tape }) => tape?.part !== undefined).length > 3);
  for (const [at, { time }] of lines.entries()) assert.ok(time >= (lines[at - 1]?.time ?? 0), `line ${at + 1}`);
});

test('what kept a market waiting is no problem of it once it is live', async (t) => {
  const scene = await open(t, 'bybit');
  const isBook = (text: string) => text.includes('"topic":"orderbook');
  for (const socket of scene.server.subscriptions.keys()) socket.close('');
  scene.world.route.down = (text) => (isBook(text) ? [] : [{ text, afterMs: 0 }]);
  await scene.run(8_000);
  assert.equal(scene.status().problem, 'no book has arrived');
  delete scene.world.route.down;
  await scene.run(8_000);
  assert.deepEqual([scene.status().state, scene.status().problem], ['live', null]);
});

const listOf = (venue: VenueName, answer: (body: string | undefined) => unknown) =>
  venues[venue].rest.markets((async ({ body }: Parameters<Ask>[0]) => answer(body)) as Ask);

test('binance: perpetuals of stocks are listed; a kind that nobody knows is counted and named', async () => {
  const filters = [
    { filterType: 'PRICE_FILTER', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', stepSize: '0.01' },
  ];
  const row = { status: 'TRADING', pricePrecision: 2, filters };
  const symbols = [
    { ...row, symbol: 'BTCUSDT', contractType: 'PERPETUAL' },
    { ...row, symbol: 'TSLAUSDT', contractType: 'TRADIFI_PERPETUAL' },
    { ...row, symbol: 'BTCUSDT_261225', contractType: 'CURRENT_QUARTER' },
    { ...row, symbol: 'RAINUSDT', contractType: 'WEATHER_PERPETUAL' },
    { ...row, symbol: 'SNOWUSDT', contractType: 'WEATHER_PERPETUAL' },
    { ...row, symbol: 'BADUSDT', contractType: 'PERPETUAL', filters: [] },
  ];
  const { markets, unknown } = await listOf('binance', () => ({ symbols }));
  assert.deepEqual(
    markets.map(({ definition }) => [definition.coin, definition.category]),
    [
      ['BTCUSDT', 'crypto'],
      ['TSLAUSDT', 'tradfi'],
    ],
  );
  assert.deepEqual(unknown, [
    { what: 'contractType "WEATHER_PERPETUAL"', rows: 2, example: 'RAINUSDT' },
    { what: 'unreadable', rows: 1, example: 'BADUSDT' },
  ]);
});

test('bybit: a perpetual of a stock is none of a coin', async () => {
  const filters = { lotSizeFilter: { qtyStep: '0.1' }, priceFilter: { tickSize: '0.01' } };
  const row = { contractType: 'LinearPerpetual', status: 'Trading', priceScale: '2', ...filters };
  const list = ['stock', 'innovation', 'novelty'].map((symbolType) => ({
    ...row,
    symbol: `Q${symbolType}`,
    symbolType,
  }));
  const { markets, unknown } = await listOf('bybit', () => ({ retCode: 0, result: { list } }));
  assert.deepEqual(
    markets.map(({ definition }) => definition.category),
    ['tradfi', 'crypto', 'crypto'],
  );
  assert.deepEqual(unknown, [{ what: 'symbolType "novelty"', rows: 1, example: 'Qnovelty' }]);
});

test('hyperliquid: every exchange that others run is listed; one that does not answer is named', async () => {
  const { markets, unknown } = await listOf('hyperliquid', (body) => {
    const { type, dex } = JSON.parse(body!);
    if (type === 'perpDexs') return [null, { name: 'xyz' }, { name: 'flx' }, { name: 'off' }];
    if (dex === 'off') return { error: 'closed' };
    return { universe: [{ name: dex === undefined ? 'BTC' : `${dex}:OIL`, szDecimals: 2, maxLeverage: 10 }] };
  });
  assert.deepEqual(
    markets.map(({ channel }) => channel),
    ['BTC', 'xyz:OIL', 'flx:OIL'],
  );
  assert.match(unknown[0]!.what, /^exchange off: universe must be a list/);
});

test('lighter: a snapshot follows nothing, so it needs no nonce before it', () => {
  const messages: VenueMessage[] = [];
  const order_book = { nonce: 7, bids: [], asks: [{ price: '2', size: '1' }] };
  const frame = { type: 'subscribed/order_book', channel: 'order_book:0', timestamp: 1_700_000_000_000, order_book };
  venues.lighter.decode(
    JSON.stringify(frame),
    'stream',
    (one) => messages.push(one),
    () => undefined,
  );
  const book = messages.find(({ kind }) => kind === 'book');
  assert.ok(book?.kind === 'book' && book.ids!.last === 7);
});

test('a base address may have a query, which every address repeats', () => {
  assert.equal(urlOf('wss://venue/?readonly=true', '/stream'), 'wss://venue/stream?readonly=true');
  assert.equal(urlOf('https://venue?a=1', '/x?b=2'), 'https://venue/x?b=2&a=1');
  assert.equal(urlOf('https://venue/', '/x'), 'https://venue/x');
});
