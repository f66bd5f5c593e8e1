import assert from 'node:assert/strict';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

const started = ['--clock', 'manual'];

/** A desk with a manual clock: a BTC fill, an hour later an ETH fill, a resting order, a canceled one, a ladder. */
async function traded(): Promise<Desk> {
  const desk = new Desk();
  await desk.perp(['sim', 'reset', ...started, '--yes']);
  await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  await desk.json('sim', 'advance', '1h');
  await desk.json('order', 'place', 'ETH', 'buy', '0.5');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000', '--client-order-id', 'rests');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000', '--client-order-id', 'gone');
  await desk.json('order', 'cancel', 'gone');
  await desk.json('scaled', 'place', 'ETH', 'buy', '1', '--from', '500', '--to', '600', '--rungs', '2');
  return desk;
}

trial('orders are listed by market, time and status, fills by market and time', async () => {
  using desk = await traded();
  const symbols = async (...argv: string[]) => {
    const rows: { symbol: string; status: string }[] = await desk.json(...argv);
    return rows.map(({ symbol, status }) => `${symbol} ${status}`).sort();
  };
  assert.deepEqual(await symbols('fills', '--market', 'BTC'), ['BTC filled']);
  assert.deepEqual(await symbols('fills', '--since', '30m'), ['ETH filled']);
  assert.deepEqual(await symbols('order', 'list', '--status', 'filled'), ['BTC filled', 'ETH filled']);
  assert.deepEqual(await symbols('order', 'list', '--status', 'canceled'), ['BTC canceled']);
  assert.deepEqual(await symbols('order', 'list', '--ended', '--market', 'BTC', '--since', '30m'), [
    'BTC canceled',
    'BTC resting',
  ]);
  assert.deepEqual(await symbols('order', 'list', '--status', 'resting', '--market', 'BTC'), ['BTC resting']);
  assert.deepEqual(await symbols('order', 'list', '--status', 'working', '--market', 'ETH'), [
    'ETH resting',
    'ETH resting',
  ]);
  assert.equal((await symbols('order', 'list', '--market', 'BTC', '--limit', '1')).length, 1);
  assert.equal((await desk.perp(['order', 'list', '--market', 'NOPE'])).exit, 3);
});

test('the table of orders separates working and ended orders, and labels ladders and OCO pairs', async () => {
  using desk = await traded();
  await desk.json(
    'positions',
    'exits',
    'BTC',
    '--stop-loss',
    '20000',
    '--take-profit',
    '900000',
    '--oco',
    '--far-stop',
  );
  const { out } = await desk.perp(['order', 'list', '--ended'], { columns: 200 });
  const [working = '', ended = ''] = out.split('\nEnded\n');
  assert.match(working, /^Working\n/);
  assert.match(working, /scl_\w+/);
  assert.match(working, /OCO ord_\w+/);
  assert.doesNotMatch(working, /canceled|filled/);
  assert.match(ended, /canceled/);
  assert.doesNotMatch((await desk.perp(['order', 'list', '--status', 'working'])).out, /Ended/);
});

test('closed positions show the profit after fees and funding', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  await desk.json('positions', 'close', 'BTC');
  const [position] = await desk.json('positions', '--closed');
  const net = position.realized_pnl - position.fees - (position.funding ?? 0);
  assert.equal(position.computed.net_pnl, Number(net.toFixed(8)));
  const { out } = await desk.perp(['positions', '--closed']);
  assert.match(out, / NET /);
  assert.ok(
    out.includes(
      position.computed.net_pnl.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    ),
    out,
  );
});

test('several markets are quoted in one table, each with the fill of a size in USD', async () => {
  using desk = new Desk();
  const quotes = await desk.json('quote', 'BTC', 'ETH', 'SOL', '--side', 'buy', '--size', '5000usd');
  assert.deepEqual(
    quotes.map(({ symbol, fillable }: { symbol: string; fillable: boolean }) => [symbol, fillable]),
    [
      ['BTC', true],
      ['ETH', true],
      ['SOL', true],
    ],
  );
  const { out } = await desk.perp(['quote', 'BTC', 'ETH']);
  assert.match(out, /^MARKET +BID +ASK[\s\S]*\nBTC [\s\S]*\nETH /);
  assert.equal((await desk.perp(['quote', 'BTC', 'ETH', '--depth', '3'])).exit, 2);
});

test('markets --prices adds the last price and its change in 24 hours to the resource, under computed', async () => {
  using desk = new Desk();
  const [market] = await desk.json('markets', '--prices', '--search', 'BTCUSDT');
  const { bid, ask } = await desk.json('quote', 'BTC');
  assert.ok(Math.abs(market.computed.last / ((bid + ask) / 2) - 1) < 0.01);
  assert.equal(typeof market.computed.change_24h_pct, 'number');
  const csv = await desk.perp(['markets', '--prices', '--search', 'BTCUSDT', '-o', 'csv']);
  assert.match(
    csv.out,
    /,computed\.last,computed\.change_24h_pct,computed\.mark,computed\.funding_rate\n.*,[\d.]+,-?[\d.]+,[\d.]+,[\d.]+\n$/,
  );
});

test('CSV has ISO times and flat fields', async () => {
  using desk = new Desk();
  const csv = await desk.perp(['accounts', '-o', 'csv']);
  const [header = '', row = ''] = csv.out.split('\n');
  assert.match(header, /,risk\.equity,.*,risk\.requirements\.daily_loss_pct,/);
  assert.match(row, /,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,/);
  assert.doesNotMatch(row, /\{/);
  const one = await desk.perp(['accounts', 'show', '-o', 'csv']);
  assert.ok(one.out.startsWith(header));
});

test('sim status counts accounts as perp accounts lists them', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--accounts', '3', '--yes']);
  assert.equal((await desk.json('sim', 'status')).accounts, (await desk.json('accounts')).length);
});

test('issued keys are listed without their secrets', async () => {
  using desk = new Desk();
  const { api_key: secret } = await desk.json('sim', 'key', 'add', '--scope', 'read');
  const { exit, out } = await desk.perp(['sim', 'key']);
  assert.equal(exit, 0);
  assert.match(out, /NAME.*SCOPE[\s\S]*\bread\b/);
  const keys = await desk.json('sim', 'key');
  assert.ok(keys.some(({ scope }: { scope: string }) => scope === 'read'));
  assert.ok(!JSON.stringify(keys).includes(secret) && !out.includes(secret));
});

test('countries are listed by their codes', async () => {
  using desk = new Desk();
  const { data } = await desk.json('api', '/v1/restricted-countries');
  const codes = data.map(({ country }: { country: string }) => country);
  assert.ok(codes.length > 0);
  for (const code of codes) assert.match(code, /^[A-Z]{2}$/);
});

trial(
  'perp order lists what works: entries with their attached exits, triggers with their market, exits last',
  async () => {
    using desk = new Desk();
    await desk.perp(['sim', 'reset', ...started, '--yes']);
    await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '1%', '--take-profit', '2%');
    const entry = await desk.json('order', 'place', 'SOL', 'buy', '2', '--limit-price', '20');
    await desk.json('order', 'exits', entry.id, '--stop-loss', '19');
    const trigger = ['--type', 'conditional', '--trigger-market', 'BTC', '--trigger-direction', 'above'];
    await desk.json('order', 'place', 'ETH', 'buy', '0.5', ...trigger, '--trigger-price', '900000');
    const { out } = await desk.perp(['order'], { columns: 80 });
    assert.doesNotMatch(out, /Ended|filled/);
    assert.ok(
      out.split('\n').every((row) => row.length <= 80),
      out,
    );
    const rows = out
      .split('\n')
      .slice(1, -1)
      .map((row) => row.trim().split(/ {2,}/).slice(0, 5));
    assert.deepEqual(
      rows
        .map(([market, kind, side, size, price]) => [market, kind, side, size, price].join(' '))
        .map((row) => row.replace(/@\d{5}.*/, '@')),
      [
        'ETH conditional buy 0.5 BTC above 900000',
        'SOL limit buy 2 20',
        'SOL stop_loss sell 2 @19',
        'BTC stop_market sell 0.01 @',
        'BTC take_profit sell 0.01 @',
      ],
    );
  },
);

trial('ended orders come with --ended, --all or their status, and never twice', async () => {
  using desk = await traded();
  const statuses = async (...argv: string[]) =>
    (await desk.json('order', 'list', ...argv)).map(({ status }: { status: string }) => status);
  assert.deepEqual(await statuses(), ['resting', 'resting', 'resting']);
  assert.deepEqual(await statuses('--limit', '1'), ['resting']);
  const every = ['resting', 'resting', 'resting', 'canceled', 'filled', 'filled'];
  assert.deepEqual(await statuses('--ended'), every);
  assert.deepEqual(await statuses('--all'), every);
  assert.deepEqual(await statuses('--ended', '--limit', '1'), every.slice(0, 4));
  assert.deepEqual(await statuses('--ended', '--since', '30m', '--market', 'ETH'), ['resting', 'resting', 'filled']);
  const refused = await desk.perp(['order', 'list', '--status', 'resting', '--ended']);
  assert.deepEqual([refused.exit, /Give one of them/.test(refused.err)], [2, true]);
  await desk.json('cancel-all', '--yes');
  assert.match((await desk.perp(['order'])).out, /^No working orders\. --ended lists those that have ended\.\n$/);
});

test('a TWAP stands for its slices, running or ended', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', ...started, '--yes']);
  const twap = await desk.json('twap', 'place', 'BTC', 'buy', '0.1', '--duration', '5m');
  await desk.json('sim', 'advance', '1m');
  const running = (await desk.perp(['order', '--ended'])).out;
  assert.match(running, new RegExp(`BTC +twap +buy +0\\.1 .* of 0\\.1 +running +${twap.id}\\n$`));
  await desk.json('order', 'place', 'ETH', 'buy', '0.5');
  await desk.json('sim', 'advance', '10m');
  const ended = (await desk.perp(['order', 'list', '--ended', '--limit', '2'])).out.trim().split('\n').slice(1);
  assert.deepEqual(
    ended.map((row) => /twap|market/.exec(row)?.[0]),
    ['twap', 'market'],
  );
  assert.match(ended[0]!, /0\.1 of 0\.1 +completed/);
  assert.equal((await desk.json('order', 'list', '--all')).length, 11, 'JSON lists each slice');
});

trial('--columns chooses headers or fields for tables, and fields for CSV', async () => {
  using desk = await traded();
  const { out } = await desk.perp(['fills', '--columns', 'market,Side,realized_pnl,settled_at'], { columns: 60 });
  assert.match(out, /^MARKET +SIDE +REALIZED_PNL +SETTLED_AT\nETH +buy +\d{4}-\d\d-\d\d /);
  assert.match((await desk.perp(['order', '--columns', 'part-of,id'])).out, /^PART OF +ID\nscl_/);
  assert.equal(
    (await desk.perp(['fills', '-o', 'csv', '--columns', 'symbol,size'])).out,
    'symbol,size\nETH,0.5\nBTC,0.01\n',
  );
  const table: [string[], RegExp][] = [
    [['fills', '--columns', 'market,nope'], /There is no column "nope"\.\nColumns: time, market, side/],
    [['fills', '-o', 'csv', '--columns', 'market'], /There is no column "market"\.\nColumns: id, client_order_id/],
    [['fills', '--columns', 'market,'], /--columns has an empty name/],
    [['fills', '--json', '--columns', 'market'], /Use --jq/],
  ];
  for (const [argv, says] of table) {
    const { exit, err, out: printed } = await desk.perp(argv);
    assert.deepEqual([exit, printed], [2, ''], argv.join(' '));
    assert.match(err, says);
  }
  const placed = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--columns', 'nope']);
  assert.equal(placed.exit, 0);
  assert.match(placed.err, /--columns applies to lists only/);
});

trial('today and yesterday are days of the challenge', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', ...started, '--yes']);
  await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  const count = async (...argv: string[]) => (await desk.json('fills', ...argv)).length;
  assert.equal(await count('--since', 'today'), 1);
  await desk.json('sim', 'advance', '24h');
  assert.deepEqual([await count('--since', 'today'), await count('--since', 'Yesterday')], [0, 1]);
  const { fees } = await desk.json('pnl', '--from', 'yesterday', '--to', 'yesterday');
  assert.ok(fees > 0);
  assert.equal((await desk.json('pnl', '--from', 'today')).fees, 0);
  const hint = (await desk.perp(['pnl', '--from', '2099'])).err;
  assert.match(hint, /today, yesterday, or a duration before now such as 7d/);
  assert.equal(
    (await desk.perp(['order', 'place', 'BTC', 'buy', '1', '--limit-price', '5', '--expires', 'today'])).exit,
    2,
  );
});

test('the legs of an entry that has filled in part are listed once, as exits of the position', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', ...started, '--balance', '100000000', '--yes']);
  await desk.json('sim', 'policy', JSON.stringify({ limits: { max_position_value_usd: 100_000_000 } }));
  const { ask } = await desk.json('quote', 'ETH');
  const terms = ['--limit-price', String(ask), '--cross-ok', '--stop-loss', '3%', '--force'];
  const entry = await desk.json('order', 'place', 'ETH', 'buy', '20000', ...terms);
  assert.equal(entry.status, 'resting', 'the touch is smaller than the order');
  const { out } = await desk.perp(['order']);
  assert.match(out, /\n.* limit +buy .* of 20000 +resting .*\n.* stop_market +sell .* resting .*\n$/);
  assert.doesNotMatch(out, /attached/);
});
