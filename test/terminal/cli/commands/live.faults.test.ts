import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { VenueName } from '../../../../src/base/terms/venues.ts';
import { serve } from '../../../../src/service/serve.ts';
import { venueServer } from '../../../venues/live/live-scene.ts';
import { ListeningVenue } from '../../../venues/live/servers/listening.ts';
import { Desk } from '../practice.ts';

/** A user's machine, and venues on it. */
async function machine(t: TestContext, ...names: VenueName[]) {
  const desk = new Desk();
  const venues = new Map<VenueName, ListeningVenue>();
  const variables: Record<string, string> = {};
  for (const name of names) {
    const venue = await ListeningVenue.open(venueServer(name, Date.now));
    venue.move(10);
    venues.set(name, venue);
    variables[`PERP_VENUES_${name.toUpperCase()}_WS_URL`] = venue.address.wsUrl;
    variables[`PERP_VENUES_${name.toUpperCase()}_REST_URL`] = venue.address.restUrl;
  }
  t.after(async () => {
    for (const venue of venues.values()) await venue[Symbol.asyncDispose]();
    desk[Symbol.dispose]();
  });
  const perp = (...argv: string[]) => desk.perp(argv, { variables });
  const json = async (...argv: string[]) => {
    const run = await perp(...argv, '--json');
    assert.equal(run.exit, 0, `${argv.join(' ')}: ${run.err}`);
    return run.json;
  };
  const stateDir = join(desk.folder, 'state');
  /** Runs what `perp sim serve --books live` runs, until the test ends or `stop` is called. */
  const live = async (...chosen: VenueName[]) => {
    const places = names.map((name) => ({ name, ...venues.get(name)!.address }));
    const serving = await serve({
      stateDir,
      books: 'live',
      live: { venues: chosen.length > 0 ? chosen : undefined, places, cacheFolder: join(stateDir, 'venues') },
      port: 0,
      sandboxPort: 0,
      drainMs: 0,
    });
    t.after(() => serving.stop());
    await json('sim', 'use', 'desk');
    return serving;
  };
  return { desk, venues, variables, perp, json, live, stateDir, file: (name: string) => join(desk.folder, name) };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not within 60 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

test('without a served simulation, each live market is one request, with a note; nothing trades and nothing is left behind', async (t) => {
  const { perp, json, stateDir, venues } = await machine(t, 'binance');
  venues.get('binance')!.rest();
  const quote = await perp('quote', 'BTC', '--books', 'live', '--json');
  assert.equal(quote.exit, 0, quote.err);
  const [bid] = venues.get('binance')!.server.market('BTCUSDT')!.levels('bids', 1)[0]!;
  assert.equal(quote.json.bid, bid / 10);
  assert.match(quote.err, /No simulation on live markets is being served, so this is a single REST snapshot/);
  const depth = await perp('quote', 'BTC', '--side', 'buy', '--size', '1', '--books', 'live');
  assert.match(depth.out, /source {2}live/);
  const markets = await json('markets', '--books', 'live');
  assert.deepEqual(
    markets.map((market: { market_id: string }) => market.market_id),
    ['binance|BTCUSDT', 'binance|ETHUSDT'],
  );
  const order = await perp('order', 'place', 'BTC', 'buy', '1', '--books', 'live', '--yes');
  assert.equal(order.exit, 2);
  assert.match(order.err, /perp sim serve --books live/);
  assert.deepEqual(
    readdirSync(stateDir).filter((name) => name.endsWith('.db')),
    [],
  );
});

test('a venue that does not answer is unavailable, by name', async (t) => {
  const { perp, venues } = await machine(t, 'binance');
  await venues.get('binance')![Symbol.asyncDispose]();
  const run = await perp('quote', 'BTC', '--books', 'live');
  assert.equal(run.exit, 7);
  assert.match(run.err, /Binance does not answer/);
});

test('a simulation on live markets fills against their books; commands find it; a gap fills nothing and is reported', async (t) => {
  const { perp, json, live, venues } = await machine(t, 'binance');
  await live();
  const { server } = venues.get('binance')!;
  assert.equal((await json('quote', 'BTC')).status, 'ok');
  const filled = await json('order', 'place', 'BTC', 'buy', '0.5', '--yes');
  assert.equal(filled.status, 'filled');
  const resting = await json('order', 'place', 'BTC', 'buy', '0.5', '--limit-price', '9000', '--yes');
  assert.deepEqual(await sourcesOf(json), ['live', false]);
  // The venue fails.
  server.troubles.answer = () => ({ status: 503, body: 'down' });
  for (const socket of venues.get('binance')!.sockets.values()) socket.terminate();
  const feed = async () => (await json('sim', 'feeds')).feeds[0].markets[0];
  await until('a gap', async () => (await feed()).gap_reason === 'connection');
  const refused = await perp('order', 'place', 'BTC', 'buy', '0.1', '--yes', '--json');
  assert.equal(refused.exit, 5);
  assert.equal(refused.error.rule_id, 'stale-book');
  const quote = await perp('quote', 'BTC', '--timeout', '4', '--json');
  assert.equal(quote.exit, 7);
  assert.equal(quote.error.status, 503);
  assert.match(quote.error.message, /in a gap \(connection\)/);
  // And recovers.
  server.troubles.answer = null;
  await until('the end of the gap', async () => (await feed()).state === 'live');
  assert.equal((await json('order', 'place', 'BTC', 'buy', '0.1', '--yes')).status, 'filled');
  const explained = await perp('order', 'explain', resting.id);
  assert.match(explained.out, /gap\n {2}The market's data stopped: connection\. Nothing fills until it returns\./);
  assert.match(
    explained.out.replace(/\s+/g, ' '),
    /gap end The market's data returned; it was missing since [\d:.]+Z\. Gap prints \d+, gap history (whole|part)/,
  );
});

async function sourcesOf(json: (...argv: string[]) => Promise<{ source: string; blind: boolean }>) {
  const { source, blind } = await json('sim', 'status');
  return [source, blind];
}

test('only markets in use or with positions are subscribed', async (t) => {
  const { json, live, venues } = await machine(t, 'bybit', 'lighter');
  await live('bybit', 'lighter');
  await json('markets');
  await json('quote', 'XRP');
  await json('order', 'place', 'lighter:ETH', 'buy', '0.5', '--yes');
  const { feeds } = await json('sim', 'feeds');
  assert.deepEqual(
    feeds.map(({ venue, markets }: { venue: string; markets: { market_id: string }[] }) => [
      venue,
      markets.map((market) => market.market_id),
    ]),
    [
      ['bybit', ['bybit|XRPUSDT']],
      ['lighter', ['lighter|ETH']],
    ],
  );
  const [bybit] = venues.get('bybit')!.server.subscriptions.values();
  // The venue's own prices are subscribed a moment after the book.
  const topics = [...bybit!].filter((topic) => topic !== 'tickers.XRPUSDT');
  assert.deepEqual(topics.sort(), ['orderbook.200.XRPUSDT', 'publicTrade.XRPUSDT']);
});

test('a stopped simulation can be read, and resumes with its tape and positions', async (t) => {
  const { json, perp, live } = await machine(t, 'binance');
  const serving = await live();
  await json('order', 'place', 'BTC', 'buy', '0.5', '--yes');
  await serving.stop();
  const [position] = await json('positions', '--state', 'desk');
  assert.equal(position.market_id, 'binance|BTCUSDT');
  const feeds = await perp('sim', 'feeds', '--state', 'desk');
  assert.equal(feeds.exit, 6);
  assert.match(feeds.err, /not being served/);
  await live();
  await until('a live market', async () => (await perp('quote', 'BTC')).exit === 0);
  assert.equal((await json('positions', 'close', position.id, '--yes')).status, 'filled');
});

test('a recording of nothing is a failure that says why; one that lacks a market is incomplete', async (t) => {
  const { perp, file, venues } = await machine(t, 'binance', 'okx');
  venues.get('binance')!.refusal = ['HTTP/1.1 403 Forbidden'];
  const nothing = await perp('sim', 'record', 'BTC', '--for', '2s', '-o', file('none.jsonl'), '--json');
  assert.equal(nothing.exit, 7);
  assert.match(nothing.err, /Nothing was recorded in 2s: binance:BTCUSDT: .*403/);
  venues.get('binance')!.refusal = null;
  venues.get('okx')!.refusal = ['HTTP/1.1 403 Forbidden'];
  const both = ['binance:BTCUSDT', 'okx:BTC-USDT-SWAP', '--venue', 'binance', '--venue', 'okx'];
  const some = await perp('sim', 'record', ...both, '--for', '4s', '-o', file('some.jsonl'), '--json');
  assert.equal(some.exit, 9, some.err);
  const [market, missing] = some.json.recorded;
  assert.deepEqual([missing.market_id, missing.events, missing.known], ['okx|BTC-USDT-SWAP', 0, 0]);
  assert.match(missing.problem, /403/);
  assert.deepEqual([market.market_id, market.problem], ['binance|BTCUSDT', null]);
  assert.ok(market.events > 0 && market.known > 0 && market.known <= 1, JSON.stringify(market));
});

test('a tape is verified, printed, cut, exported and imported again', async (t) => {
  const { json, perp, file } = await machine(t, 'binance');
  const tape = file('day.jsonl.gz');
  const lost = await perp('sim', 'record', 'BTC', '--for', '3s', '-o', file('none/day.jsonl'));
  assert.equal(lost.exit, 2);
  assert.match(lost.err, /there is no folder .*none; create it first/);
  const { duration_ms: ms } = await json('sim', 'record', 'BTC', 'ETH', '--for', '3s', '-o', tape);
  assert.ok(Number.isInteger(ms));
  const [info] = await json('sim', 'tapes', 'list', file('.'));
  assert.ok(info.markets[0].known > 0.9, JSON.stringify(info));
  const middle = String(Math.floor((info.from + info.to) / 2));
  const printed = await perp('sim', 'tapes', 'cat', tape, '--market', 'ETH', '--until', middle);
  const events = printed.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(events.every(({ market_id, market }) => (market_id ?? market.market_id) === 'binance|ETHUSDT'));
  await json('sim', 'tapes', 'slice', tape, '--from', middle, '-o', file('half.jsonl'));
  const before = readdirSync(file('.'));
  await json('sim', 'tapes', 'slice', tape, '-o', file('dry.jsonl'), '--dry-run');
  await json('sim', 'export', tape, '--to', 'csv', '-o', file('dry'), '--dry-run');
  assert.deepEqual(readdirSync(file('.')), before);
  for (const format of ['parquet', 'csv']) {
    await json('sim', 'export', file('half.jsonl'), '--to', format, '-o', file(format));
    await json('sim', 'import', file(format), '-o', file(`${format}.jsonl`));
  }
  for (const name of ['day.jsonl.gz', 'half.jsonl', 'parquet.jsonl', 'csv.jsonl']) {
    const [part] = await json('sim', 'tapes', 'verify', file(name));
    assert.equal(part.proof, 'verified', name);
  }
  writeFileSync(file('half.jsonl'), readFileSync(file('half.jsonl'), 'utf8').replace('"size":"', '"size":"1'));
  const damaged = await perp('sim', 'tapes', 'verify', file('half.jsonl'), '--json');
  assert.deepEqual([damaged.exit, damaged.json[0].proof], [7, 'damaged']);
  assert.match((await perp('sim', 'tapes', 'cat', tape, '--from', '26:00')).err, /is no bookmark or time on it/);
});

test('what a killed recorder left is opened under the name that was asked for', async (t) => {
  const { json, file } = await machine(t, 'binance');
  await json('sim', 'record', 'BTC', '--for', '3s', '-o', file('k.jsonl.gz'));
  // Killed: the part is plain, and there is no summary.
  writeFileSync(file('k.jsonl'), gunzipSync(readFileSync(file('k.jsonl.gz'))));
  for (const name of ['k.jsonl.gz', 'k.summary.json']) rmSync(file(name));
  const books = ['--books', file('k.jsonl.gz'), '--state', 'k', '--clock', 'manual'];
  await json('sim', 'advance', '--end', ...books);
  const quote = await json('quote', 'BTC', ...books);
  assert.ok(quote.mid > 0);
});

test('markets are recorded, listed and replayed: from a start time, paused, with bookmarks, blind', async (t) => {
  const { json, perp, file, stateDir } = await machine(t, 'binance');
  const tape = file('day.jsonl.gz');
  const recorded = await json('sim', 'record', 'BTC', 'binance:ETHUSDT', '--for', '4s', '-o', tape);
  assert.deepEqual([recorded.markets, recorded.gaps, recorded.problem], [2, 0, null]);
  const unknown = await perp('sim', 'record', 'DOGE', '--for', '4s', '-o', file('other.jsonl'));
  assert.equal(unknown.exit, 2);
  assert.ok(!existsSync(file('other.jsonl')), 'a recording that never started leaves nothing behind');
  const [info] = await json('sim', 'tapes', 'list', file('.'));
  assert.equal(info.file, tape);
  assert.equal(info.markets.length, 2);

  const middle = Math.floor((info.from + info.to) / 2);
  const options = { stateDir, books: tape, clock: 'manual' as const, port: 0, sandboxPort: 0, drainMs: 0 };
  const serving = await serve({ ...options, state: 'practice', blind: true, from: String(middle) });
  t.after(() => serving.stop());
  await json('sim', 'use', 'practice');
  const status = await json('sim', 'status');
  assert.deepEqual([status.time, status.last_time, status.blind, status.books], [middle, null, true, tape]);
  await json('sim', 'bookmarks', 'add', 'the middle');
  await json('sim', 'advance', '500ms');
  const end = await perp('sim', 'advance', '--end');
  assert.equal(end.exit, 6);
  assert.match(end.err, /played blind/);
  const running = await json('sim', 'resume', '--speed', '3');
  assert.deepEqual([running.clock, running.speed], ['real', 3]);
  const paused = await json('sim', 'pause');
  assert.equal(paused.clock, 'manual');
  assert.equal((await json('sim', 'status')).time, paused.time);
  assert.deepEqual(await json('sim', 'bookmarks'), [{ name: 'the middle', time: middle }]);
  await serving.stop();

  const again = await serve({ ...options, state: 'again', from: 'the middle' });
  t.after(() => again.stop());
  await json('sim', 'use', 'again');
  assert.equal((await json('sim', 'status')).time, middle);
  await again.stop();
  await assert.rejects(serve({ ...options, state: 'third', from: '25:00' }), /not in the recording/);
  await json('sim', 'bookmarks', 'rm', 'the middle', '--books', tape, '--state', 'again').catch(() => {});
});

test('venue addresses come from variables or config, and are encrypted unless on this machine', async (t) => {
  const { perp, venues, desk } = await machine(t, 'binance');
  const { wsUrl, restUrl } = venues.get('binance')!.address;
  for (const [key, value] of [
    ['venues.binance.ws_url', 'ws://example.com'],
    ['venues.binance.rest_url', 'wss://example.com'],
    ['venues.binance.rest_url', 'https://user@example.com'],
  ] as const) {
    const run = await perp('config', 'set', key, value);
    assert.equal(run.exit, 2, value);
  }
  await desk.json('config', 'set', 'venues.binance.ws_url', wsUrl);
  await desk.json('config', 'set', 'venues.binance.rest_url', restUrl);
  const byConfig = { PERP_VENUES_BINANCE_WS_URL: '', PERP_VENUES_BINANCE_REST_URL: '' };
  const quote = await desk.perp(['quote', 'BTC', '--books', 'live', '--json'], { variables: byConfig });
  assert.equal(quote.json.provider, 'binance', quote.err);
});

test('perp doctor checks every venue; an unreachable one is a warning that suggests a fix', async (t) => {
  const { perp, venues } = await machine(t, 'binance', 'bybit', 'hyperliquid', 'lighter');
  await venues.get('lighter')![Symbol.asyncDispose]();
  const { json } = await perp('doctor', '--json');
  const findings = new Map(json.map((one: { check: string }) => [one.check, one]));
  for (const name of ['binance', 'bybit', 'hyperliquid']) {
    const { status, message } = findings.get(`${name} feed`) as { status: string; message: string };
    assert.equal(status, 'ok', message);
    assert.match(message, /REST \d+ ms, stream \d+ ms/);
  }
  const { status, fix } = findings.get('lighter feed') as { status: string; fix: string };
  assert.equal(status, 'warn');
  assert.match(fix, /venues\.lighter\.ws_url/);
});

test('live markets have no clock options, and only a recording has a start and can be blind', async (t) => {
  const { live, perp, stateDir } = await machine(t, 'binance');
  await live();
  for (const verb of ['pause', 'resume']) {
    const run = await perp('sim', verb);
    assert.equal(run.exit, 6);
    assert.match(run.err, /run on the real clock/);
  }
  const options = { stateDir, port: 0, sandboxPort: 0 };
  await assert.rejects(serve({ ...options, blind: true }), /Only a recording/);
  await assert.rejects(serve({ ...options, from: '14:00' }), /Only a recording/);
  await assert.rejects(serve({ ...options, books: 'live', clock: 'manual', state: 'two' }), /run on the real clock/);
});

test('a venue that refuses ends neither a desk nor a recording on others, and is named', async (t) => {
  const { venues, live, json, perp, file } = await machine(t, 'binance', 'bybit');
  venues.get('bybit')!.server.troubles.answer = () => ({ status: 403, body: '{}' });
  await live('bybit', 'binance');
  await until('Binance is live', async () => (await perp('quote', 'BTC', '--json')).exit === 0);
  const { feeds } = await json('sim', 'feeds');
  const found = feeds.map(({ venue, problem }: { venue: string; problem: string | null }) => [venue, problem !== null]);
  assert.deepEqual(found, [
    ['bybit', true],
    ['binance', false],
  ]);
  assert.match((await perp('sim', 'feeds')).out, /problem +Bybit .*403.*its markets are missing until a restart/);
  const record = ['sim', 'record', '--venue', 'bybit', '--venue', 'binance', '--for', '1s', '-o', file('k.jsonl')];
  const run = await perp(...record, 'XRP');
  assert.equal(run.exit, 7);
  assert.match(run.err, /Bybit .*403/);
  assert.equal((await perp(...record, 'ETH')).exit, 0);
});

test('no synthetic simulation gets the name of the one on live markets', async (t) => {
  const { perp, stateDir } = await machine(t, 'binance');
  const run = await perp('quote', 'BTC', '--state', 'desk');
  assert.deepEqual([run.exit, run.out], [3, '']);
  assert.match(run.err, /There is no simulation desk, .*\n.*perp sim serve --books live/);
  assert.equal(existsSync(join(stateDir, 'desk.db')), false);
});

test('on live books, the venue’s mark, index and funding are shown, and an account may go by them', async (t) => {
  const { live, json, perp } = await machine(t, 'binance');
  await live();
  const quote = () => json('quote', 'BTC');
  await until('the mark is known', async () => {
    const run = await perp('quote', 'BTC', '--json');
    return run.exit === 0 && run.json.venue !== undefined;
  });
  const { venue, mid, reference_kind: kind } = await quote();
  assert.deepEqual([kind, venue.funding_rate], ['book_mid', 0.0001]);
  assert.ok(Math.abs(venue.mark - mid) < 50 && venue.index !== venue.mark);
  assert.match((await perp('quote', 'BTC')).out, /venue mark +[\d.]+\nindex +[\d.]+\nfunding +0\.01%, next at/);
  assert.match((await perp('sim', 'feeds')).out, /MARK +INDEX +FUNDING/);
  const [market] = await json('markets', '--prices', '--search', 'BTC');
  assert.equal(market.computed.funding_rate, 0.0001);
  assert.equal((await perp('sim', 'policy', '--marks', 'venue', '--yes')).exit, 0);
  assert.equal((await quote()).reference_kind, 'venue_mark');
  assert.match((await perp('sim', 'policy')).out, /marks +venue/);
});

test('perp doctor --live follows a venue without an account, and its JSON has no address of this machine', async (t) => {
  const { perp } = await machine(t, 'bybit');
  const run = await perp('doctor', '--live', 'bybit', '--timeout', '6', '--json');
  assert.equal(run.exit, 0, run.out);
  const rows = run.json as { check: string; status: string; message: string }[];
  const of = (check: string) => rows.find((row) => row.check === check)?.status;
  for (const check of ['bybit list', 'bybit linear stream', 'bybit orderbook', 'bybit publicTrade', 'bybit limits'])
    assert.equal(of(check), 'ok', check);
  for (const part of ['book', 'prints', 'marks']) assert.equal(of(`bybit|BTCUSDT ${part}`), 'ok', part);
  assert.doesNotMatch(run.out, /localhost|127\.0\.0\.1/);
  const wrong = await perp('doctor', 'bybit');
  assert.equal(wrong.exit, 2);
  assert.match(wrong.err, /A venue needs --live/);
});
