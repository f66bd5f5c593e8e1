import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { served } from '../../service/serving.ts';
import type { Behavior } from '../../terminal/cli/hostile/fake-host.ts';
import { Lane } from '../../terminal/cli/hostile/lane.ts';
import { Desk, type Run } from '../../terminal/cli/practice.ts';

let lane: Lane;
before(async () => {
  lane = await Lane.open();
});
after(() => lane.close());

/** A host with one market, whose mark is 89553.4. */
function hostOf(row: object): Behavior {
  return (id, honest) => {
    const { data } = honest.body as { data: object };
    if (id === 'listMarkets') return { status: 200, body: { data: [{ ...(data as object[])[0], ...row }] } };
    if (id === 'getMarketQuote')
      return { status: 200, body: { data: { ...data, ...row, mid: 89_553.4, ask: 89_553.5 } } };
    return id === 'listOpenPositions' || id === 'listOrders'
      ? { status: 200, body: { data: [], has_more: false } }
      : honest;
  };
}

const unlisted = { market_id: 'binance|NEWUSDT', symbol: 'NEW', coin: 'BTCUSDT' };

function run(words: string, row: object, stream?: string): Promise<Run> {
  lane.host.behave = hostOf(row);
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: lane.host.url,
    PERP_API_KEY: 'x_live_k',
    ...(stream === undefined ? {} : { PERP_MARKET_STREAM_URL: stream }),
  };
  return lane.desk.perp([...words.split(' '), '--leverage', '1', '--margin', 'cross', '--force'], { variables });
}

test('a relative price is on the grid of the market’s record, else of the catalog, else as its candles are written', async (t) => {
  const { baseUrl } = await served(t, { seed: 3 });
  const stream = baseUrl.replace('http', 'ws');
  const table: [name: string, row: object, stream: string | undefined, price: number, says: RegExp][] = [
    ['its record', { tick_size: 0.5 }, undefined, 89_105.5, /in ticks of 0\.5, from the market's record\./],
    ['the catalog', {}, undefined, 89_105.6, /in ticks of 0\.1, from perp's catalog\./],
    ['a null', { tick_size: null }, undefined, 89_105.6, /in ticks of 0\.1, from perp's catalog\./],
    ['candles', unlisted, stream, 89_105.6, /to 0\.1, as in the market's candles; its tick is unknown\./],
    ['nothing', unlisted, undefined, 89_105.633, /the market's tick is unknown, so it may be off the grid\./],
  ];
  for (const [name, row, at, price, says] of table) {
    const limit = await run(
      'order place NEW buy 0.5 --limit-price mark-0.5% --dry-run --json'.replace(
        'NEW',
        'symbol' in row ? 'NEW' : 'BTC',
      ),
      row,
      at,
    );
    assert.equal(limit.exit, 0, limit.err);
    assert.equal(limit.json.body.limit_price, price, name);
    assert.match(limit.err, says, name);
  }
  const legs = 'order place BTC buy 0.5 --limit-price 89000 --stop-loss 0.333% --take-profit 1.234% --dry-run --json';
  const { json, err } = await run(legs, {});
  assert.deepEqual([json.body.stop_loss_price, json.body.take_profit_price], [88_703.7, 90_098.3], err);
});

test('a typed limit is refused only off a known grid; a typed trigger goes out as given', async () => {
  const refused = await run('order place BTC buy 0.5 --limit-price 89000.05 --json', {});
  assert.deepEqual([refused.exit, refused.error.code, refused.error.rule_id], [5, 'rule_violation', 'price-precision']);
  assert.match(
    refused.error.message,
    /--limit-price 89000\.05 is not on the price grid of BTC: prices are in ticks of 0\.1, from perp's catalog\. Nothing was sent/,
  );
  assert.match(refused.error.hint, /89000 and 89000\.1 are on the grid/);
  const fine = await run('order place BTC buy 0.5 --limit-price 89000.123456 --json', {});
  assert.match(fine.error.message, /--limit-price 89000\.123456 is not on the price grid/, 'as it was typed');
  const ladder = await run('scaled place BTC buy 0.5 --from 89000.05 --to 88000 --rungs 2 --json', {});
  assert.equal(ladder.error.rule_id, 'price-precision');

  const unknown = await run('order place NEW buy 0.5 --limit-price 89000.0512 --json --dry-run', unlisted);
  assert.deepEqual([unknown.exit, unknown.json.body.limit_price], [0, 89_000.0512]);
  const trigger = 'order place BTC sell 0.5 --type stop_market --trigger-price 89000.0512 --dry-run --json';
  assert.equal((await run(trigger, {})).json.body.trigger_price, 89_000.0512);
  const stop = 'order place BTC buy 0.5 --limit-price 89000 --stop-loss 88000.0512 --dry-run --json';
  assert.equal((await run(stop, {})).json.body.stop_loss_price, 88_000.0512);
});

test('a changed limit and the limit of a close are refused off a known grid, too; a changed trigger is not', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  const { id } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000');
  const armed = 'order place BTC sell 0.01 --type stop_market --trigger-price 20000';
  const { id: waiting } = await desk.json(...armed.split(' '));
  const refused: [words: string, label: string][] = [
    [`order amend ${id} --price 20000.05`, '--price'],
    ['positions close BTC --limit-price 990000.05', '--limit-price'],
  ];
  for (const [words, label] of refused) {
    const { exit, error } = await desk.perp([...words.split(' '), '--json', '--dry-run']);
    assert.deepEqual([exit, error.rule_id], [5, 'price-precision'], words);
    assert.match(error.message, new RegExp(`^${label} \\d+\\.05 is not on the price grid of BTC`));
  }
  const moved = await desk.json('order', 'amend', waiting, '--price', '20000.05', '--dry-run');
  assert.equal(moved.body.price, 20_000.05);
});

test('in a market that is not listed, or while markets can’t be read, a limit can still be changed', async () => {
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: lane.host.url, PERP_API_KEY: 'x_live_k' };
  const answers = [
    { status: 200, body: { data: [] } },
    { status: 403, body: { error: { code: 'forbidden', message: 'no' } } },
  ];
  for (const answer of answers) {
    lane.host.behave = (id, honest) => (id === 'listMarkets' ? answer : honest);
    const amend = ['order', 'amend', 'ord_1', '--price', '59000.05', '--dry-run', '--json'];
    const { exit, json, err } = await lane.desk.perp(amend, { variables });
    assert.deepEqual([exit, json.body.price], [0, 59_000.05], err);
  }
});

test('in the simulation, whose markets tell their tick, only a dry run says so', async () => {
  using desk = new Desk();
  const relative = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', 'mark-5%', '--json'];
  assert.match((await desk.perp([...relative, '--dry-run'])).err, /in ticks of 0\.1, from the market's record/);
  assert.doesNotMatch((await desk.perp(relative)).err, /ticks/);
});
