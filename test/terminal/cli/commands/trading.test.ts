import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { recordingOf } from '../../../desk/resolve/recording.ts';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

// Some commands still read candles in the background when they end.
after(() => assert.equal(process.listenerCount('SIGINT'), 0, 'a command that has ended listens for no signal'));

test('one command buys, and shows the fill and the resulting position', async () => {
  using desk = new Desk();
  const { exit, out, err } = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--yes']);
  assert.equal(exit, 0, err);
  assert.match(out, /^Filled {2}buy 0\.05 BTC at \d+/);
  assert.match(out, /Position {2}long 0\.05 BTC at \d+/);
  assert.match(out, /notional +[\d,]+\.\d\d USD\nfee +\d+\.\d\d USD/);
});

test("--json prints the API's resources with all fields, none renamed", async () => {
  using desk = new Desk();
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--client-order-id', 'my-1');
  assert.equal(order.status, 'filled');
  assert.equal(order.client_order_id, 'my-1');
  const [position] = await desk.json('positions');
  assert.deepEqual([position.side, position.size, position.entry_price], ['long', 0.05, order.fill_price]);
  const { computed, ...resource } = order;
  assert.equal(computed.destination, 'SIM default, synthetic');
  assert.deepEqual(await desk.json('fills'), [resource]);
  const { computed: sums, ...shown } = await desk.json('order', 'show', 'my-1');
  assert.deepEqual(shown, resource);
  assert.deepEqual([sums.average_price, sums.total_fee], [order.fill_price, order.fee]);
  assert.deepEqual(await desk.json('order', 'list', '--ended'), [resource]);
  assert.deepEqual(await desk.json('order', 'list', '--status', 'working'), []);
});

test('buy, halve, close, and list the fills', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.04');
  const half = await desk.perp(['positions', 'close', 'BTC', '--size', '50%']);
  assert.match(half.err, /50% of 0\.04 BTC is 0\.02 BTC/);
  assert.match(half.out, /Filled {2}sell 0\.02 BTC[\s\S]*Position {2}long 0\.02 BTC/);
  const rest = await desk.perp(['positions', 'close', 'BTC']);
  assert.match(rest.out, /Filled {2}sell 0\.02 BTC[\s\S]*Position {2}flat in BTC/);
  assert.deepEqual(await desk.json('positions'), []);
  assert.equal((await desk.json('positions', '--closed')).length, 1);
  assert.equal((await desk.perp(['positions', 'close', 'BTC'])).exit, 3);
});

test('an order of which a part has filled shows the position, too', async () => {
  using desk = new Desk();
  const recording = recordingOf(desk.folder, [{ bids: [['95000.0', '1']], asks: [['95000.1', '0.25']] }]);
  await desk.perp(['sim', 'reset', '--books', recording, '--clock', 'manual', '--yes']);
  await desk.json('sim', 'advance', '1s');
  const { out, err } = await desk.perp([
    'order',
    'place',
    'BTC',
    'buy',
    '0.5',
    '--limit-price',
    '95000.1',
    '--cross-ok',
  ]);
  assert.match(out, /Position {2}long 0\.25 BTC at 95000\.1/, err);
});

test('a limit order rests, is amended and canceled by its client order id', async () => {
  using desk = new Desk();
  const placed = await desk.perp([
    'order',
    'place',
    'BTC',
    'buy',
    '500usd',
    '--limit-price',
    '50000',
    '--client-order-id',
    'bid',
  ]);
  assert.match(placed.err, /500usd is 0\.01 BTC, rounded down to lots of 0\.001: 500\.00 USD at 50000/);
  assert.match(placed.out, /^Resting {2}buy 0\.01 BTC/);
  const amended = await desk.json('order', 'amend', 'bid', '--price', '51000', '--size', '0.02');
  assert.deepEqual([amended.limit_price, amended.size], [51000, 0.02]);
  const { computed: _, ...canceled } = await desk.json('order', 'cancel', 'bid');
  assert.deepEqual(canceled, { id: amended.id, canceled: true });
  const again = await desk.perp(['order', 'cancel', 'bid', '--json']);
  assert.equal(again.exit, 6);
  assert.equal(again.error.code, 'order_terminal');
});

test('canceling several orders reports each and exits 9 if one fails', async () => {
  using desk = new Desk();
  const place = (id: string) =>
    desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '50000', '--client-order-id', id);
  await place('one');
  await place('two');
  await desk.json('order', 'cancel', 'one');
  const run = await desk.perp(['order', 'cancel', 'one', 'two', '--json']);
  assert.equal(run.exit, 9);
  assert.equal(run.json.length, 1);
  assert.equal(run.error.code, 'order_terminal');
  const missing = await desk.perp(['order', 'cancel', 'two', 'three']);
  assert.equal(missing.exit, 3);
});

test('canceling an exit while its entry is working reports that the entry lost that leg', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--clock', 'manual', '--plan', 'none', '--balance', '10000000', '--yes']);
  await desk.perp(['sim', 'policy', '{"limits": {"max_position_value_usd": 50000000}}', '--yes']);
  const { ask } = await desk.json('quote', 'BTC');
  const entry = await desk.json(
    ...['order', 'place', 'BTC', 'buy', '40000000usd', '--limit-price', String(ask), '--leverage', '10', '--cross-ok'],
    ...['--take-profit', String(ask + 5_000), '--stop-loss', String(ask - 5_000)],
  );
  assert.equal(entry.status, 'resting', 'a part is filled, the rest is working');
  const exits = (await desk.json('order', 'list', '--status', 'working')).filter(
    ({ reduce_only }: { reduce_only: boolean }) => reduce_only,
  );
  const of = (type: string) => exits.find((exit: { type: string }) => exit.type === type).id;
  const lost = (leg: string) => new RegExp(`${entry.id} .*is still working but lost its ${leg}`);
  const canceled = await desk.perp(['order', 'cancel', of('stop_market'), '--yes']);
  assert.match(canceled.out, lost('stop-loss'));
  assert.doesNotMatch(canceled.out, lost('take-profit'));
  const changed = await desk.perp(['positions', 'exits', 'BTC', '--cancel', of('take_profit'), '--yes']);
  assert.match(changed.out, lost('take-profit'));
  assert.equal((await desk.perp(['order', 'cancel', entry.id, '--yes'])).out.includes('lost'), false);
});

test('a rejected order exits 5 with the reason and a hint', async () => {
  using desk = new Desk();
  const run = await desk.perp(['order', 'place', 'BTC', 'buy', '500000usd', '--leverage', '1', '--force']);
  assert.equal(run.exit, 5);
  assert.match(run.err, /rule: insufficient-margin[\s\S]*--leverage/);
  const args = ['order', 'place', 'BTC', 'buy', '500000usd', '--leverage', '1', '--force', '--json'];
  const { error } = await desk.perp(args);
  assert.equal(error.rule_id, 'insufficient-margin');
  assert.match(error.request_id, /^[0-9a-f-]{36}$/);
});

test('the same idempotency key places one order', async () => {
  using desk = new Desk();
  const place = ['order', 'place', 'BTC', 'buy', '0.01', '--idempotency-key', 'k-1'];
  const first = await desk.json(...place);
  const second = await desk.json(...place);
  assert.equal(second.id, first.id);
  const other = await desk.perp(['order', 'place', 'BTC', 'buy', '0.02', '--idempotency-key', 'k-1', '--json']);
  assert.deepEqual([other.exit, other.error.code], [6, 'idempotency_conflict']);
});

test('--dry-run prints the exact request and sends nothing', async () => {
  using desk = new Desk();
  const request = await desk.json(
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--dry-run',
    '--idempotency-key',
    'k-1',
    '--stop-loss',
    '9',
  );
  assert.equal(request.method, 'POST');
  assert.equal(request.path, '/v1/orders');
  assert.equal(request.idempotency_key, 'k-1');
  assert.deepEqual(Object.keys(request.body), [
    'type',
    'account_id',
    'market_id',
    'side',
    'size',
    'leverage',
    'margin_mode',
    'client_order_id',
    'stop_loss_price',
  ]);
  assert.deepEqual(await desk.json('order', 'list', '--ended'), []);
  const keyed = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--dry-run');
  assert.match(keyed.idempotency_key, /^[\x20-\x7e]{1,128}$/);
});

test('incompatible fields are all rejected before anything is sent, named by their options', async () => {
  using desk = new Desk();
  const run = await desk.perp([
    'order',
    'place',
    'BTC',
    'buy',
    '1',
    '--type',
    'stop_market',
    '--limit-price',
    '5',
    '--cross-ok',
  ]);
  assert.equal(run.exit, 2);
  assert.match(run.err, /--limit-price is not allowed for type stop_market/);
  assert.match(run.err, /--type stop_market requires --trigger-price/);
  assert.match(run.err, /--cross-ok is not allowed/);
  const bare = await desk.perp(['order', 'place', 'BTC', 'buy', '1', '--trigger-price', '5']);
  assert.match(bare.err, /needs a --type/);
});

trial('unknown markets, orders and positions exit 3 with a suggestion', async () => {
  using desk = new Desk();
  await desk.perp(['markets']);
  const table: [string[], RegExp][] = [
    [['quote', 'PEPE'], /There is no market "PEPE".\nDid you mean 1000PEPE\?/],
    [['quote', 'sol-perp'], /Did you mean SOL\?/],
    [['quote', 'BTCC'], /There is no market "BTCC".\nDid you mean BTC\?/],
    [['quote', "'; DROP TABLE orders; --"], /There is no market/],
    [['order', 'show', 'nope'], /There is no order "nope"/],
    [['positions', 'show', 'nope'], /There is no position "nope"/],
    [['positions', 'close', 'ETH'], /no open position in ETH/],
    [['twap', 'show', 'nope'], /./],
    [['scaled', 'show', 'nope'], /./],
    [['copy', 'enable', 'nope'], /There is no copy group "nope"/],
  ];
  for (const [argv, says] of table) {
    const run = await desk.perp(argv);
    assert.equal(run.exit, 3, `${argv.join(' ')}: ${run.err}`);
    assert.match(run.err, says);
  }
});

test('without a terminal, only bulk commands need --yes', async () => {
  using desk = new Desk();
  for (const argv of [['cancel-all'], ['close-all'], ['sim', 'reset']]) {
    const run = await desk.perp(argv);
    assert.equal(run.exit, 2, argv.join(' '));
    assert.match(run.err, /Add --yes/);
  }
  assert.equal((await desk.perp(['order', 'place', 'BTC', 'buy', '0.01'])).exit, 0);
});

trial('on a terminal a write shows what it will do and asks; declining exits 130 and sends nothing', async () => {
  using desk = new Desk();
  const { ask } = await desk.json('quote', 'BTC');
  const declined = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', String(ask - 20_000)], {
    terminal: true,
    answer: false,
  });
  assert.equal(declined.exit, 130);
  for (const says of [
    /fills at/,
    /notional/,
    /fee/,
    /none within 100% of the mark, with its stop$/m,
    /gap allowance/,
    /worst case/,
    /daily-loss room/,
    /drawdown room/,
  ])
    assert.match(declined.err, says);
  assert.deepEqual(desk.questions, ['Place market buy 0.05 BTC on SIM default, synthetic?']);
  assert.deepEqual(await desk.json('order', 'list', '--ended'), []);
  const accepted = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05'], { terminal: true, answer: true });
  assert.equal(accepted.exit, 0);
  const orderDefaults = await desk.perp(['positions', 'close', 'BTC', '--yes'], { terminal: true });
  assert.equal(orderDefaults.exit, 0);
});

test('on a terminal an entry with exits names another entry with different exits', async () => {
  using desk = new Desk();
  const limit = (price: string, stop: string, ...more: string[]) => [
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--limit-price',
    price,
    '--stop-loss',
    stop,
    '--yes',
    ...more,
  ];
  const { id } = await desk.json(...limit('20000', '19000'));
  const says = new RegExp(
    `${id} \\(limit 0\\.01 BTC\\) is working on the same side with different exits.*--replace-exits`,
  );
  const { err } = await desk.perp(limit('19500', '18000'), { terminal: true });
  assert.match(err.replaceAll('\n', ' '), says);
  for (const argv of [limit('19400', '18000', '--replace-exits'), limit('19300', '19000').with(3, 'sell')]) {
    assert.doesNotMatch((await desk.perp(argv, { terminal: true })).err, /other exits/);
  }
});

test('on a terminal, an order whose worst case would breach a floor is rejected unless forced', async () => {
  using desk = new Desk();
  const order = ['order', 'place', 'BTC', 'buy', '3', '--leverage', '10', '--yes'];
  const refused = await desk.perp(order, { terminal: true });
  assert.equal(refused.exit, 5);
  assert.match(
    refused.err,
    /worst case, the order loses [\d,.]+ USD at its liquidation near [\d.]+, which would breach the maximum drawdown/,
  );
  assert.match(refused.err, /--force/);
  assert.equal(
    (await desk.perp([...order, '--quiet'], { terminal: true })).exit,
    refused.exit,
    '--quiet does not imply --force',
  );
  assert.equal((await desk.perp([...order, '--force'], { terminal: true })).exit, 0);
});

test('the previewed liquidation price is that of the resulting position', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--plan', 'none', '--yes');
  await desk.json('order', 'place', 'ETH', 'sell', '5', '--leverage', '5', '--margin', 'isolated');
  for (const margin of ['cross', 'isolated']) {
    const market = margin === 'cross' ? 'BTC' : 'SOL';
    const size = margin === 'cross' ? '4' : '100';
    const order = ['order', 'place', market, 'buy', size, '--leverage', '8', '--margin', margin, '--force', '--yes'];
    const shown = await desk.perp(order, { terminal: true });
    assert.equal(shown.exit, 0, shown.err);
    const estimate = Number(/liquidation +about ([\d.]+)/.exec(shown.err)?.[1]);
    const { liquidation_price: actual } = (await desk.json('positions', 'show', market)) as {
      liquidation_price: number;
    };
    assert.ok(
      Math.abs(estimate - actual) / actual < 0.001,
      `${margin}: ${estimate} shown, but ${actual} is the result`,
    );
  }
});

test('quotes show best prices, a fill, depth, and the source of prices', async () => {
  using desk = new Desk();
  const quote = await desk.json('quote', 'BTC');
  assert.ok(quote.bid < quote.ask);
  assert.match((await desk.perp(['quote', 'BTC'])).out, /source +synthetic/);
  const fill = await desk.json('quote', 'BTC', '--side', 'buy', '--size', '0.5');
  assert.equal(fill.requested_size, 0.5);
  const depth = await desk.json('quote', 'BTC', '--depth', '3');
  assert.deepEqual(
    depth.map((row: { requested_side: string }) => row.requested_side),
    ['sell', 'buy', 'sell', 'buy', 'sell', 'buy'],
  );
  assert.match((await desk.perp(['quote', 'BTC', '--depth', '2', '--side', 'sell'])).out, /SELL AT/);
  assert.match((await desk.perp(['quote', 'BTC', '--side', 'buy'])).err, /--size is missing/);
});

test('lists say if there are more rows, and --all prints them', async () => {
  using desk = new Desk();
  for (let count = 0; count < 4; count++) await desk.json('order', 'place', 'BTC', 'buy', '0.001');
  const some = await desk.perp(['fills', '--limit', '3', '--json']);
  assert.equal(some.json.length, 3);
  assert.match(some.err, /Showing the first 3; use --limit N or --all for more/);
  const all = await desk.perp(['fills', '--all', '--json']);
  assert.equal(all.json.length, 4);
  const where = 'SIM default, synthetic, account acc_000000001\n';
  assert.equal(all.err, where);
  assert.equal((await desk.perp(['fills', '--limit', '4'])).err, where);
  const quiet = await desk.perp(['fills', '--limit', '3', '-q']);
  assert.equal(quiet.err, '');
  assert.equal((await desk.perp(['fills', '-o', 'csv', '--all'])).out.trim().split('\n').length, 5);
});

test('accounts are shown and used, and must be chosen if there are several', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--accounts', '2', '--balance', '5000', '--plan', 'none', '--yes']);
  const accounts = await desk.json('accounts');
  assert.deepEqual(
    accounts.map((account: { balance: number }) => account.balance),
    [5000, 5000],
  );
  const unclear = await desk.perp(['fills']);
  assert.equal(unclear.exit, 2);
  assert.ok(unclear.err.includes(accounts[0].id) && unclear.err.includes(accounts[1].id));
  assert.equal((await desk.perp(['accounts', 'use', accounts[1].id])).exit, 0);
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  assert.equal(order.account_id, accounts[1].id);
  assert.match((await desk.perp(['accounts'])).out, new RegExp(`\\* +${accounts[1].id}`));
  assert.equal((await desk.perp(['accounts', 'use', 'nope'])).exit, 3);
  assert.match((await desk.perp(['accounts', 'show'])).out, /balance +[\d,.]+ USD/);
  assert.match((await desk.perp(['accounts', 'policy'])).out, /No restrictions/);
});

test('leverage and margin: as given, else the open position’s, else the config’s, else 1 and cross', async () => {
  using desk = new Desk();
  const terms = async (...more: string[]) => {
    const { body } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--dry-run', ...more);
    return [body.leverage, body.margin_mode];
  };
  assert.deepEqual(await terms(), [1, 'cross']);
  await desk.perp(['config', 'set', 'trade.leverage', '3']);
  await desk.perp(['config', 'set', 'trade.margin', 'isolated']);
  assert.deepEqual(await terms(), [3, 'isolated']);
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--leverage', '5', '--margin', 'cross');
  assert.deepEqual(await terms(), [5, 'cross']);
  assert.deepEqual(await terms('--leverage', '7'), [7, 'cross']);
});

test('the extra margin of an isolated position is set to a total, and can be lowered', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--leverage', '5', '--margin', 'isolated');
  // At zero, equity would be below the initial margin until the market has paid for the spread.
  const extra = async (usd: string) => (await desk.json('positions', 'margin', 'BTC', usd)).isolated_margin_extra;
  assert.deepEqual([await extra('250'), await extra('250'), await extra('100')], [250, 250, 100]);
  const tooMuch = await desk.perp(['positions', 'margin', 'BTC', '1000000', '--json']);
  assert.deepEqual([tooMuch.exit, tooMuch.error.rule_id], [5, 'insufficient-margin']);
});

test('a competition allows new positions only in its markets, until it ends', async () => {
  using desk = new Desk();
  const { out } = await desk.perp([
    'sim',
    'policy',
    '{"competition": {"opening_exposure_restricted": false, "market_allowlist": ["BTC", "ETH"]}}',
  ]);
  assert.match(out, /Competition: positions may be opened only in binance\|BTCUSDT, binance\|ETHUSDT\./);
  assert.equal((await desk.json('order', 'place', 'BTC', 'buy', '0.01')).status, 'filled');
  const other = await desk.perp(['order', 'place', 'SOL', 'buy', '1', '--json']);
  assert.deepEqual([other.exit, other.error.rule_id], [5, 'competition-market']);
  await desk.json('sim', 'policy', '{"competition": null}');
  assert.equal((await desk.json('order', 'place', 'SOL', 'buy', '1')).status, 'filled');
});

test('states are separate, and a reset starts one over', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--state', 'other');
  assert.deepEqual(await desk.json('fills'), []);
  assert.equal((await desk.json('fills', '--state', 'other')).length, 1);
  const status = await desk.perp(['sim', 'reset', '--state', 'other', '--seed', '7', '--yes', '--json']);
  assert.deepEqual([status.exit, status.json.seed, status.json.state], [0, 7, 'other']);
  assert.deepEqual(await desk.json('fills', '--state', 'other'), []);
});

test('cancel-all and close-all run to completion, verify, and report', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.02');
  await desk.json('order', 'place', 'ETH', 'sell', '0.5');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '50000');
  const run = await desk.perp(['close-all', '--cancel-orders', '--yes']);
  assert.equal(run.exit, 0, run.err);
  assert.match(run.out, /1 of 1 order canceled\.[\s\S]*2 of 2 positions closed\.[\s\S]*The account is flat\./);
  const nothing = await desk.perp(['cancel-all', '--yes', '--json']);
  assert.equal(nothing.json.total_count, 0);
});

test('a bound of a TWAP that an error names is accepted when typed back', async () => {
  using desk = new Desk();
  const place = ['twap', 'place', 'BTC', 'buy', '0.05', '--yes'];
  for (const [option, typed, ...others] of [
    ['--duration', '1m'],
    ['--duration', '48h', '--interval', '1h'],
    ['--interval', '1s', '--duration', '5m'],
    ['--interval', '5m', '--duration', '5m'],
  ] as const) {
    const { exit, err } = await desk.perp([...place, ...others, option, typed]);
    const bound = new RegExp(`${option} must be .*?(\\d+[ms])`).exec(err)?.[1] ?? err;
    assert.equal(exit, 2);
    assert.equal((await desk.perp([...place, ...others, option, bound])).exit, 0, `${typed}: ${bound}`);
  }
});

test('close-all --cancel-orders is incomplete while a TWAP may trade again, and says so even with --quiet', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'ETH', 'sell', '0.5');
  const { id } = await desk.json('twap', 'place', 'BTC', 'buy', '0.5', '--duration', '30m');
  const run = await desk.perp(['close-all', '--cancel-orders', '--yes', '--quiet']);
  assert.equal(run.exit, 9, run.err);
  assert.match(run.err, new RegExp(`Acts without you: TWAP .*; end it with perp twap cancel ${id}`));
  assert.doesNotMatch(run.out, /The account is flat\./);
  await desk.json('twap', 'cancel', id);
  const again = await desk.perp(['close-all', '--cancel-orders', '--yes']);
  assert.deepEqual([again.exit, /The account is flat\./.test(again.out)], [0, true], again.err);
});

test('a simulation-only command rejects other environments; hosts need an address and a key', async () => {
  using desk = new Desk();
  const away = await desk.perp(['sim', 'status', '--env', 'live']);
  assert.deepEqual([away.exit, /works only in the simulation/.test(away.err)], [2, true]);
  const addressless = await desk.perp(['accounts', '--env', 'live']);
  assert.equal(addressless.exit, 2);
  assert.match(addressless.err, /PERP_BASE_URL[\s\S]*perp config set live\.base_url/);
  const PERP_SANDBOX_URL = 'http://127.0.0.1:9';
  const keyless = await desk.perp(['accounts', '--env', 'sandbox'], { variables: { PERP_SANDBOX_URL } });
  assert.equal(keyless.exit, 4, keyless.err);
  const crossed = await desk.perp(['accounts', '--env', 'sandbox'], {
    variables: { PERP_SANDBOX_URL, PERP_API_KEY: 'sim_live_0123456789abcdef' },
  });
  assert.equal(crossed.exit, 4);
  assert.doesNotMatch(crossed.err, /0123456789abcdef/);
});

test('completion stores what lists showed, in a file private to the owner', async () => {
  using desk = new Desk();
  await desk.json('markets');
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '50000');
  await desk.json('order', 'list', '--ended');
  const file = join(desk.folder, 'state', 'completion.json');
  assert.ok(existsSync(file));
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  const offered = async (...words: string[]) => (await desk.perp(['__complete', ...words, ''])).out;
  assert.match(await offered('quote'), /^BTC\tbinance:BTCUSDT$/m);
  assert.match(await offered('order', 'cancel'), new RegExp(`^${order.id}\tbuy 0.01 BTC\n`));
  assert.equal(await offered('--env', 'live', 'order', 'cancel'), ':words\n');
  writeFileSync(file, JSON.stringify({ sim: { order: [['$(rm -rf ~)\n`x`', 'a;b\u001b[1m'], null, [7, 'x']] } }));
  assert.equal(await offered('order', 'cancel'), 'rm -rf x\tab1m\n:words\n');
  assert.equal((await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--yes'])).exit, 0);
  writeFileSync(file, 'not json');
  assert.equal(await offered('order', 'cancel'), ':words\n');
  assert.equal(readFileSync(file, 'utf8'), 'not json');
});

test('halting an unknown category is rejected, because it would halt nothing', async () => {
  using desk = new Desk();
  const mistyped = await desk.perp(['sim', 'policy', '--halt', 'cripto']);
  assert.equal(mistyped.exit, 2);
  assert.match(mistyped.err, /^Error: No market has the category "cripto"\.\nCategories: crypto, .*platform/);
  assert.equal((await desk.perp(['sim', 'policy', '--halt', 'crypto', '--halt', 'platform'])).exit, 0);
});
